"""The user of a replayed conversation: says what was said then, for as long as it fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.episodes.observed.words import because_of
from harness.model.episode import Because
from harness.model.replay import Fit
from harness.replay.fit.signs import Fitting
from harness.replay.recorded import RecordedTalk, RecordedTurn
from harness.users.acts import Acts
from harness.users.approvals import Approvals
from harness.users.recognise import Recognition, recognise
from harness.users.view import Done, Say, View
from tools_sandbox.call import Json


class RecordedUser:
    """Says recorded turns in their order until one does not fit: what was found out is in `fits`. `fitting`: None where
    what came before is the record itself, so that everything fits.
    """

    def __init__(
        self, talk: RecordedTalk, turns: Sequence[RecordedTurn], acts: Acts, fitting: Fitting | None = None
    ) -> None:
        self.fits: list[Fit] = []
        self._talk = talk
        self._turns = turns
        self._acts = acts
        self._fitting = fitting
        self._said = [message.text for message in talk.greeting]
        self._approvals = Approvals.of(talk.material.scenario.user)

    @property
    def knows(self) -> Mapping[str, str | None]:
        """The facts that the user gave."""
        return self._talk.knows

    def recognise(self, text: str) -> Recognition:
        """What a message of the agent asks."""
        return recognise(text, self._talk.book)

    def approve(self, payload: Json) -> tuple[bool, Json]:
        """What the scenario approves; nobody recorded answers to an agent's pauses."""
        return self._approvals.answer(payload)

    def next(self, view: View) -> Say | Done:
        """The next recorded message, if it fits."""
        self._said += [message.text for message in view.replies]
        if len(self.fits) == len(self._turns):
            return Done(())
        turn = self._turns[len(self.fits)]
        if self._fitting is None or not self.fits:
            fit, because = Fit(turn.number, fits=True), turn.said.because
        else:
            fit, because = self._fitting(turn, view, self._said), self._because(turn, view)
        if not fit.fits:
            self.fits.append(fit)
            self._turns = self._turns[: len(self.fits)]
            return Done(())
        self.fits.append(fit)
        return Say(turn.said.text, because)

    def _because(self, turn: RecordedTurn, view: View) -> Because | None:
        """Why it is said here: what it says yes to is told by what was asked now."""
        because = because_of(turn.said.text, view.replies, self._acts)
        line = turn.said.because.line if turn.said.because is not None else None
        return because if line is None else Because("observed", line, consent=because.consent if because else ())
