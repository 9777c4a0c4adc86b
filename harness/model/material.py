"""What an episode is scored against: everything but the episode, as plain data, from files or from the store alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from harness.model.scenario import Scenario
from harness.model.workflow import Workflow
from tools_sandbox.call import Json
from tools_sandbox.schema import SandboxSchema
from traces.genai import Usage

Row = Mapping[str, Json]

Tables = Mapping[str, Mapping[str, Row]]
"""State as JSON: table, key, row."""

GivenRows = Mapping[str, Mapping[str, Row | None]]
"""Rows that a scenario's `given` adds or changes, as JSON by table and key; None: removed."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered clause of the knowledge: `## Refund window {#R2}` and the text below it."""

    id: str
    title: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Document:
    """One knowledge file: its path as written, its text and the clauses in it."""

    source: str
    text: str
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens of one model, in US dollars, from a day on."""

    model: str
    since: date
    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    note: str = ""

    def of(self, usage: Usage) -> Decimal:
        """What tokens cost, in US dollars; cached ones as much as others where there is no price for them."""
        cached = self.input if self.cached is None else self.cached
        total = (usage.input - usage.cached) * self.input + usage.cached * cached + usage.output * self.output
        return total / 1_000_000


class LaidRows(Mapping[str, Row]):
    """The rows of a table with a scenario's own over them. Copies none."""

    def __init__(self, rows: Mapping[str, Row], over: Mapping[str, Row | None]) -> None:
        self._rows = rows
        self._over = over
        self._gone = sum(row is None and key in rows for key, row in over.items())
        self._new = [key for key, row in over.items() if row is not None and key not in rows]

    def __getitem__(self, key: str) -> Row:
        row = self._over[key] if key in self._over else self._rows[key]
        if row is None:
            raise KeyError(key)
        return row

    def __contains__(self, key: object) -> bool:
        return self._over[key] is not None if key in self._over else key in self._rows  # type: ignore[index]

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._rows if self._over.get(key, ...) is not None)
        yield from self._new

    def __len__(self) -> int:
        return len(self._rows) - self._gone + len(self._new)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What all scenarios of a workflow have in common: sandbox shape, start state before any `given`, knowledge."""

    schema: SandboxSchema
    start: Tables
    knowledge: tuple[Document, ...] = ()
    prepared: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)
    """What scorers have worked out from it once for all scenarios; see `harness.scoring.prepared`."""

    def laid_over(self, given: GivenRows) -> Tables:
        """The start state with a scenario's own rows over it."""
        if not given:
            return self.start
        return {**self.start, **{name: LaidRows(self.start.get(name, {}), rows) for name, rows in given.items()}}

    def bears(self, material: Material) -> bool:
        """Whether this is what a material shares with others, and no longer what another had that it was made from."""
        laid = material.start is self.start or bool(material.given)
        return laid and material.schema is self.schema and material.knowledge is self.knowledge


@dataclass(frozen=True, slots=True)
class Material:
    """Scenario, workflow, sandbox shape, start state (with `given` merged in), knowledge and prices of one episode."""

    workflow: Workflow
    scenario: Scenario
    schema: SandboxSchema
    start: Tables
    knowledge: tuple[Document, ...] = ()
    prices: tuple[Price, ...] = ()
    faulty: str | None = field(default=None)
    """Why the scenario itself is broken (its gold path fails): then the agent can't be blamed for task failures."""
    prepared: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What scorers have worked out from this material once for all its episodes; see `harness.scoring.prepared`."""
    given: GivenRows = field(default_factory=dict, compare=False, repr=False)
    """The rows that `start` has over that of `ground`."""
    ground: Ground = field(default=None, compare=False, repr=False)  # type: ignore[assignment]
    """What it shares with the other scenarios; by default it shares nothing."""

    def __post_init__(self) -> None:
        if self.ground is None or not self.ground.bears(self):
            object.__setattr__(self, "ground", Ground(self.schema, self.start, self.knowledge))
