"""R3, `continue`: where the recorded turns no longer fit, a scripted user goes on from the recorded facts and goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.episodes.outcome import asks_for_nothing
from harness.model.replay import Fit, Level, ReplayedTurn
from harness.model.scenario import Line, Stance
from harness.replay.fit.short_answers import is_short_answer
from harness.replay.fit.signs import fitting
from harness.replay.judged import as_compared, held_against, recorded_episode, side
from harness.replay.levels.course import Course
from harness.replay.levels.forward import nothing, settled
from harness.replay.levels.playing import Cast, go_on, key_of
from harness.replay.recorded import RecordedTalk, RecordedTurn
from harness.replay.setting import Setting
from harness.replay.user import RecordedUser
from harness.users.recognise import Recognition
from harness.users.scripted import Script, ScriptedUser
from harness.users.view import Done, Say, View
from tools_sandbox.call import Json

_MOST = 20
"""Turns that the scripted user takes at most."""


async def replay_on(talk: RecordedTalk, cast: Cast, setting: Setting) -> Course:
    """The verdict is over the whole conversation, simulated turns included, and gates nothing."""
    turns = talk.comparable()
    if not turns:
        return nothing(talk, Level.CONTINUE, cast)
    user = _GoingOn(talk, turns, setting)
    replayed = await go_on(talk, 0, user, Level.CONTINUE, cast, setting)
    course = settled(talk, replayed, user.fits, Level.CONTINUE, cast, setting)
    simulated = range(user.recorded + 1, replayed.episode.turns[-1].number + 1 if replayed.episode.turns else 1)
    if not simulated or replayed.why_not:
        return course
    new = as_compared(replayed.episode, talk, setting, whole=True)
    recorded = recorded_episode(talk, len(talk.turns), key_of(talk, Level.CONTINUE, cast), setting)
    said = {message.turn: message.text for message in new.messages if message.role == "user"}
    more = [
        ReplayedTurn(number, said[number], Fit(number, fits=True), None, side(new, {number}), simulated=True)
        for number in simulated
    ]
    last = max(len(talk.turns), simulated[-1])
    finding = held_against(recorded, new, range(1, last + 1), talk, setting)
    return Course(replace(course.result, turns=(*course.result.turns, *more), finding=finding), course.episodes)


class _GoingOn:
    """The recorded user for as long as its turns fit, then the scripted one. `recorded`: how many turns it said."""

    def __init__(self, talk: RecordedTalk, turns: Sequence[RecordedTurn], setting: Setting) -> None:
        self._talk = talk
        self._setting = setting
        self._user = RecordedUser(talk, turns, setting.acts, fitting(talk, setting))
        self._scripted: ScriptedUser | None = None
        self._left = _MOST

    @property
    def fits(self) -> list[Fit]:
        """What was found out of the recorded turns."""
        return self._user.fits

    @property
    def recorded(self) -> int:
        """How many recorded turns were said."""
        return sum(fit.fits for fit in self.fits)

    @property
    def knows(self) -> Mapping[str, str | None]:
        """The facts that the user gave."""
        return self._talk.knows

    def recognise(self, text: str) -> Recognition:
        """What a message of the agent asks."""
        return self._user.recognise(text)

    def approve(self, payload: Json) -> tuple[bool, Json]:
        """What the scenario approves."""
        return self._user.approve(payload)

    def next(self, view: View) -> Say | Done:
        """The next recorded message if it fits, else what the scripted user says."""
        if self._scripted is None:
            move = self._user.next(view)
            if isinstance(move, Say) or not self.fits or self.fits[-1].fits:
                return move
            self._scripted = ScriptedUser(_script(self._talk, self.fits[-1], self._setting))
        if not self._left:
            return Done(self._scripted.unsaid())
        self._left -= 1
        return self._scripted.next(view)


def _script(talk: RecordedTalk, unfit: Fit, setting: Setting) -> Script:
    """What the user still wants, and knows. Of the turns that are left, requests of their own are said when nothing is
    asked; what was done in the recording is agreed to.
    """
    left = talk.turns[unfit.turn - (unfit.reason != "already_done") :]
    texts = [turn.said.text for turn in left if _is_request(turn, talk)]
    lines = [Line.model_validate(text) for text in texts or ["…"]]
    user = talk.material.scenario.user.model_copy(update={"knows": talk.knows, "turns": lines})
    if not talk.expected:
        user = user.model_copy(update={"wants": [Stance.model_validate(tool) for tool in _done(talk, setting)]})
    scenario = talk.material.scenario.model_copy(update={"user": user})
    script = Script.of(scenario, setting.schema, setting.acts)
    return script if texts else replace(script, lines=())


def _is_request(turn: RecordedTurn, talk: RecordedTalk) -> bool:
    """Whether a message asks for something by itself, and does not only answer what was asked then."""
    text = turn.said.text
    if is_short_answer(text) or asks_for_nothing(text):
        return False
    before = talk.turns[turn.number - 2].replies if turn.number > 1 else talk.greeting
    return "?" in text or "？" in text or not any(message.asks for message in before)


def _done(talk: RecordedTalk, setting: Setting) -> Iterator[str]:
    """The tools that changed something that counts, each once."""
    return iter(dict.fromkeys(call.tool for call in talk.calls(len(talk.turns)) if call.alters(setting.free)))
