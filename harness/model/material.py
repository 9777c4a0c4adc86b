"""What an episode is scored against: everything but the episode, as plain data, from files or from the store alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from harness.model.scenario import Scenario
from harness.model.workflow import Workflow
from tools_sandbox.schema import SandboxSchema

Tables = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""State as JSON: table, key, row."""


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
