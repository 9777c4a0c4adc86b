"""Which scenarios of a workflow are played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeVar

from harness.model.scenario import Scenario
from tools_sandbox.nearest import hint

T = TypeVar("T")


class NothingSelectedError(Exception):
    """No scenario fits; the text names what was asked for and the nearest names there are."""


class TooManyEpisodesError(Exception):
    """What is planned would never come to its end; the text says how much it is and what to do."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `of` parts of a run that are played apart. The scenarios are dealt out in turn, in the order in which they
    are written, so that every shard has as many of them as any other, or one less, of all families.
    """

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def part(self, scenarios: Sequence[T]) -> list[T]:
        """Those of the scenarios that it plays, in their order."""
        return list(scenarios[self.number - 1 :: self.of])


@dataclass(frozen=True, slots=True)
class Selection:
    """`only`: scenario ids or families, or patterns of them (`refund-*`); any may fit. `slices`: values that must all
    fit. Nothing given: everything. `shard`: of what is selected so, only this part.
    """

    only: tuple[str, ...] = ()
    slices: tuple[tuple[str, str], ...] = ()
    shard: Shard | None = None

    @property
    def partial(self) -> str | None:
        """In words, what makes this only a part of the workflow; None if it is all of it."""
        parts = [f"--only {pattern}" for pattern in self.only] + [f"--slice {k}={v}" for k, v in self.slices]
        return " ".join([*parts, *([] if self.shard is None else [f"--shard {self.shard}"])]) or None

    def of(self, scenarios: Iterable[Scenario]) -> list[Scenario]:
        """The scenarios that fit, in their order.

        Raises NothingSelectedError as `whole` does, and for a shard that has none.
        """
        chosen = self.whole(scenarios)
        if self.shard is None:
            return chosen
        if not (part := self.shard.part(chosen)):
            raise NothingSelectedError(
                f"--shard {self.shard} selects nothing: there are {len(chosen)} scenarios, and as many shards at most"
            )
        return part

    def whole(self, scenarios: Iterable[Scenario]) -> list[Scenario]:
        """The scenarios that fit in all shards together, in their order.

        Raises NothingSelectedError if there are none, or if one of `only` fits nothing: a typo must not shrink a run.
        """
        every = list(scenarios)
        for pattern in self.only:
            if not any(_fits(pattern, scenario) for scenario in every):
                names = {scenario.id for scenario in every} | {scenario.family for scenario in every}
                raise NothingSelectedError(f"--only {pattern} selects nothing; {hint(pattern, names)}")
        for name, value in self.slices:
            values = {scenario.slices[name] for scenario in every if name in scenario.slices}
            if value not in values:
                names = {key for scenario in every for key in scenario.slices}
                near = hint(value, values) if values else hint(name, names)
                raise NothingSelectedError(f"--slice {name}={value} selects nothing; {near}")
        chosen = [scenario for scenario in every if self._chooses(scenario)]
        if not chosen:
            raise NothingSelectedError(f"no scenario fits {self.partial} together" if self.partial else "no scenarios")
        return chosen

    def _chooses(self, scenario: Scenario) -> bool:
        return (not self.only or any(_fits(pattern, scenario) for pattern in self.only)) and all(
            scenario.slices.get(name) == value for name, value in self.slices
        )


def parse_slices(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """`language=es` as a pair. Raises ValueError for anything else."""
    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise ValueError(f"--slice takes name=value, not {text!r}")
        pairs.append((name, value))
    return tuple(pairs)


def parse_shard(text: str) -> Shard:
    """`2/5` as a shard. Raises ValueError for anything else."""
    number, _, of = text.partition("/")
    if not (number.isascii() and of.isascii() and number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise ValueError(f"--shard takes I/N, as 2/5 for the second of five, not {text!r}")
    return Shard(int(number), int(of))


def _fits(pattern: str, scenario: Scenario) -> bool:
    return fnmatchcase(scenario.id, pattern) or fnmatchcase(scenario.family, pattern)
