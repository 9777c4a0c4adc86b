"""What came of a scenario, in the words of a test report: every trial, and the turn in which one went wrong."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console

from harness.model.episode import Episode, EpisodeKey
from harness.model.score import Scored
from harness.model.status import Status
from harness.reports.conversation import episode_page
from harness.reports.printable import commandless, one_line, printable, short
from harness.reports.run_view import title_of, turn_of
from harness.reports.wording import PASTE

_WIDTH = 120
_OPENED = 3
"""Trials whose turn is shown, at most: one for each way to fail."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial as the store has it. `scored`: None if it was not played; `episode`: unless it passed."""

    key: EpisodeKey
    scored: Scored | None
    episode: Episode | None

    @property
    def status(self) -> str:
        """`passed`, `failed`, `not judged` or `missing`."""
        return "missing" if self.scored is None else self.scored.verdict.status.value.replace("_", " ")

    @property
    def code(self) -> str | None:
        """The code that it goes under; None if it has none."""
        return None if self.scored is None or self.scored.primary is None else self.scored.primary.code


@dataclass(frozen=True, slots=True)
class Came:
    """The trials of a scenario in one run. `options`: what a command needs to find it; `excuse`: why it decides nothing
    if the agent fails, None where it does.
    """

    run: str
    trials: tuple[Trial, ...]
    options: tuple[str, ...]
    excuse: str | None

    @property
    def failed(self) -> bool:
        """Whether the agent failed in any."""
        return any(trial.status == Status.FAILED for trial in self.trials)

    @property
    def passed(self) -> bool:
        """Whether it passed in all of them."""
        return all(trial.status == Status.PASSED for trial in self.trials)

    @property
    def statuses(self) -> str:
        """How each trial ended, in order."""
        return ", ".join(trial.status for trial in self.trials)

    @property
    def text(self) -> str:
        """The lines of the report; nothing in them can steer a terminal or GitHub's runner, or break XML."""
        bad = [trial for trial in self.trials if trial.status != Status.PASSED]
        counts = Counter(trial.status for trial in bad)
        codes = dict.fromkeys(code for trial in bad if (code := trial.code) is not None)
        counted = ", ".join(f"{count} of {len(self.trials)} trials {status}" for status, count in counts.items())
        lines = [
            (f"{', '.join(codes)}: " if codes else "") + counted,  # pytest's short summary has the beginning
            *_lines(self.trials),
        ]
        for trial in _ways(bad):
            lines += ["", *self._opened(trial)]
        return commandless("\n".join(lines))

    def _opened(self, trial: Trial) -> Iterator[str]:
        if trial.episode is None or trial.scored is None:
            return
        turn = turn_of(trial.scored.primary)
        if turn not in {known.number for known in trial.episode.turns}:
            turn = None
        yield from _page(trial.episode, trial.scored, turn)
        if trial.scored.paste and turn is not None:  # the page of a whole episode has it
            yield PASTE
            yield from (f"  {printable(line)}" for line in trial.scored.paste.splitlines())
        opening = ["turngate", "show", short(trial.key.id), *(["--turn", str(turn)] if turn else []), *self.options]
        yield shlex.join(opening)


def _lines(trials: Sequence[Trial]) -> Iterator[str]:
    """How they ended, those that ended alike on one line."""
    alike: dict[str, list[str]] = {}
    for trial in trials:
        alike.setdefault(f"{trial.status}  {_why(trial)}".rstrip(), []).append(str(trial.key.trial))
    for ended, numbers in alike.items():
        yield f"  trial{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}  {ended}"


def _why(trial: Trial) -> str:
    if trial.scored is None:
        return "planned, but not played"
    primary = trial.scored.primary
    if primary is None:
        return one_line(trial.scored.verdict.reason, 240)
    place = None if trial.episode is None else trial.episode.end.place  # in the agent, ahead of the whole traceback
    return one_line(f"{primary.code} {title_of(primary.code)}: {primary.text}", 240) + (
        f" · {printable(place)}" if place else ""
    )


def _ways(bad: Sequence[Trial]) -> list[Trial]:
    """The first trial of each way not to pass."""
    first: dict[tuple[str, str], Trial] = {}
    for trial in bad:
        primary = trial.scored.primary if trial.scored is not None else None
        first.setdefault((trial.status, "" if primary is None else primary.code), trial)
    return list(first.values())[:_OPENED]


def _page(episode: Episode, scored: Scored, turn: int | None) -> list[str]:
    """The lines of `turngate show --turn`."""
    out = StringIO()
    console = Console(file=out, width=_WIDTH, markup=False, emoji=False, highlight=False, color_system=None)
    console.print(episode_page(episode, scored, turn))
    return [line.rstrip() for line in out.getvalue().splitlines()]
