"""What a scorer is: a named function of an episode and what it is scored against, and what becomes of its answer."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from harness.model.episode import Episode
from harness.model.failure import Finding
from harness.model.material import Material
from harness.model.score import Dimension, Score
from harness.model.status import Judgement, Measure, Status, not_judged
from harness.model.workflow import Workflow
from harness.scoring.reading import Reading
from tools_sandbox.like import SlowPattern

Answer = Score | Judgement | Measure | Decimal | int | float | Iterable[Score]
"""What a scorer may give back. A bare number is a measure in the scorer's unit."""

Function = Callable[[Episode, Material], Answer]
ReadingFunction = Callable[[Reading], Answer]


class NotJudged(Exception):
    """Raised by a scorer that lacks what it needs; the text says what."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A named scorer. `unit` is that of a measure, None for a judgement. `metrics` names the metrics that it gives for
    a workflow: its own name, unless it scores several.
    """

    name: str
    dimension: Dimension
    version: str
    function: ReadingFunction
    unit: str | None
    metrics: Callable[[Workflow], Iterable[str]]

    def score(self, episode: Episode, material: Material) -> dict[str, Score]:
        """The scores of one episode by metric; see `of`."""
        return self.of(Reading(episode, material))

    def of(self, reading: Reading) -> dict[str, Score]:
        """The scores by metric. A scorer that raises, or that leaves one of its metrics out, never passes for it: the
        metric is not judged, with the reason and, unless the scorer raised NotJudged itself, an X5 finding; X3 where a
        pattern that was written down takes too long.
        """
        names = tuple(self.metrics(reading.material.workflow))
        try:
            given = self._read(self.function(reading))
        except NotJudged as lack:
            return {name: Score(name, self.version, self._missing(str(lack))) for name in names}
        except SlowPattern as slow:
            return {name: self._broken(name, str(slow), "X3") for name in names}
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 a scorer is anybody's code, and one must not end the others
            return {name: self._broken(name, f"the scorer raised {_told(error)}", "X5") for name in names}
        if names == tuple(given):
            return given
        return {
            name: given[name] if name in given else self._broken(name, "the scorer gave no such score", "X5")
            for name in dict.fromkeys((*names, *given))
        }

    def _read(self, answer: Answer) -> dict[str, Score]:
        if isinstance(answer, Score):
            return {answer.metric: answer}
        if isinstance(answer, (int, float, Decimal)) and not isinstance(answer, bool):
            if self.unit is None:
                raise TypeError("a number, but the scorer has no unit")
            answer = Measure(self.unit, answer)
        if isinstance(answer, (Judgement, Measure)):
            return {self.name: Score(self.name, self.version, answer)}
        if not isinstance(answer, Iterable):
            raise TypeError(f"{type(answer).__name__}: a scorer gives a Score, a Judgement, a Measure or a number")
        return {score.metric: score for score in answer}

    def _missing(self, reason: str) -> Judgement | Measure:
        return not_judged(reason) if self.unit is None else Measure(self.unit, None, Status.NOT_JUDGED, reason)

    def _broken(self, name: str, reason: str, code: str) -> Score:
        finding = Finding(f"{name}: {reason}", code, (0, 0))
        return Score(name, self.version, self._missing(reason), (finding,))


def scorer(
    name: str,
    *,
    dimension: Dimension,
    version: str = "1",
    unit: str | None = None,
    metrics: Callable[[Workflow], Iterable[str]] | None = None,
) -> Callable[[Function], Scorer]:
    """Make a function of an episode and its material a scorer. Nothing is registered by the side: a scorer counts where
    it is listed, in `harness.scoring.builtin.SCORERS` or in what `score` is given.
    """

    def named(function: Function) -> Scorer:
        of_reading = reading_scorer(name, dimension=dimension, version=version, unit=unit, metrics=metrics)
        return of_reading(lambda reading: function(reading.episode, reading.material))

    return named


def reading_scorer(
    name: str,
    *,
    dimension: Dimension,
    version: str = "1",
    unit: str | None = None,
    metrics: Callable[[Workflow], Iterable[str]] | None = None,
) -> Callable[[ReadingFunction], Scorer]:
    """The same of a function of a reading, for scorers that need what others have read out of the episode too."""
    own = (name,)

    def named(function: ReadingFunction) -> Scorer:
        return Scorer(name, dimension, version, function, unit, metrics or (lambda _: own))

    return named


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    # An exception's text may be broken too; the standard library gets by.
    return f"{traceback.format_exception_only(error)[-1].strip()}{where}"
