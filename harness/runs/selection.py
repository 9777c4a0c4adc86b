"""Which scenarios of a workflow are played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from harness.model.scenario import Scenario
from tools_sandbox.nearest import hint


class NothingSelectedError(Exception):
    """No scenario fits; the text names what was asked for and the nearest names there are."""


class TooManyEpisodesError(Exception):
    """What is planned would never come to its end; the text says how much it is and what to do."""


@dataclass(frozen=True, slots=True)
class Selection:
    """`only`: scenario ids or families, or patterns of them (`refund-*`); any may fit. `slices`: values that must all
    fit. Nothing given: everything.
    """

    only: tuple[str, ...] = ()
    slices: tuple[tuple[str, str], ...] = ()

    @property
    def partial(self) -> str | None:
        """In words, what makes this only a part of the workflow; None if it is all of it."""
        parts = [f"--only {pattern}" for pattern in self.only] + [f"--slice {k}={v}" for k, v in self.slices]
        return " ".join(parts) or None

    def of(self, scenarios: Iterable[Scenario]) -> list[Scenario]:
        """The scenarios that fit, in their order.

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


def _fits(pattern: str, scenario: Scenario) -> bool:
    return fnmatchcase(scenario.id, pattern) or fnmatchcase(scenario.family, pattern)
