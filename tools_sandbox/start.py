"""The start state: a sandbox's shared rows, tools and schema, built once a process; and opening an episode's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from opentelemetry.trace import Tracer

from tools_sandbox.definition import Definition
from tools_sandbox.given import merge
from tools_sandbox.opened import Invariant, OpenSandbox, SimulatedTool, broken_invariants
from tools_sandbox.problem import SandboxProblem
from tools_sandbox.rows import Row
from tools_sandbox.sandbox import Sandbox, new_sandbox
from tools_sandbox.schema import SandboxSchema, ToolSpec
from tools_sandbox.shared import SharedRows
from tools_sandbox.state import JsonRows
from tools_sandbox.table import Journal, Table
from tools_sandbox.values import digest_of_rows, to_json

MAX_RESULT_BYTES = 100_000
"""How long a tool's result may be as JSON text, unless told otherwise."""

_KEPT = 1000
"""How many of what scenarios are given are kept worked out; of recordings there may be any number."""


@dataclass(frozen=True, slots=True)
class _Given:
    """A scenario's `given`, worked out once: its own rows by table (None: removed), what is wrong with it, its start
    state as JSON, and the invariants that don't hold from the start, by clock.
    """

    layers: dict[str, dict[str, Any]]
    problems: list[str]
    tables: dict[str, JsonRows]
    broken: dict[datetime, frozenset[str]] = field(default_factory=dict)


class StartState:
    """What all episodes of a sandbox share; nothing here is written to by any of them.

    `rows` by table and key, `models` the class of each table's rows (None: free JSON), `schema` the sandbox as plain
    data. `of` builds it from a Sandbox class, `stubs.stub_sandbox` from plain data.
    """

    def __init__(
        self,
        sandbox: type[Sandbox],
        models: Mapping[str, type[Row] | None],
        rows: Mapping[str, Mapping[str, Any]],
        tools: Mapping[str, SimulatedTool],
        invariants: Mapping[str, Invariant],
        schema: SandboxSchema,
    ) -> None:
        self.schema = schema
        self.rows = {name: SharedRows(table) for name, table in rows.items()}
        self._sandbox = sandbox
        self._models = models
        self._tools = tools
        self._invariants = invariants
        self._prepared: dict[str, _Given] = {}

    @classmethod
    def of(cls, sandbox: type[Sandbox]) -> StartState:
        """The start state of a sandbox class. Raises SandboxProblem with everything that is wrong with the class or its
        start rows.
        """
        found = Definition(sandbox)
        schema = SandboxSchema(found.schemas, {name: tool.spec for name, tool in found.tools.items()})
        return cls(sandbox, found.models, found.rows, found.tools, found.invariants, schema)

    @cached_property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools that are simulated, in the order they are defined in: what an agent is told of."""
        return tuple(tool.spec for tool in self._tools.values())

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of all start rows, whatever their order."""
        return digest_of_rows(self.rows)

    def check_given(self, given: Mapping[str, Any]) -> list[str]:
        """What is wrong with a scenario's `given`, one line each, path first; empty if nothing is."""
        return list(self._given(given).problems)

    def given_rows(self, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The rows that `given` adds or changes, as JSON by table and key; None stands for a row that it removes.

        Raises SandboxProblem if `given` does not fit.
        """
        layers = self._fitting(given).layers
        return {table: {key: to_json(row) for key, row in rows.items()} for table, rows in layers.items()}

    def tables(self, given: Mapping[str, Any]) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """The start state as JSON with `given` merged in: table, key, row. Rows are written out when asked for.

        Raises SandboxProblem if `given` does not fit.
        """
        return self._fitting(given).tables

    def open(
        self,
        given: Mapping[str, Any],
        clock: datetime,
        *,
        tracer: Tracer | None = None,
        max_result_bytes: int = MAX_RESULT_BYTES,
    ) -> OpenSandbox:
        """An episode's own sandbox. Copies no row: the cost does not depend on the size of the state.

        Raises SandboxProblem if `given` does not fit.
        """
        prepared = self._fitting(given)
        journal = Journal()
        tables = self._layered(prepared.layers, journal)
        state = new_sandbox(self._sandbox, tables, clock)
        if clock not in prepared.broken:
            prepared.broken[clock] = self._broken_at_start(state)
        return OpenSandbox(
            state, tables, self._tools, journal, self._invariants, prepared.broken[clock], tracer, max_result_bytes
        )

    def _broken_at_start(self, state: Sandbox) -> frozenset[str]:
        try:
            return broken_invariants(self._invariants, state)
        except Exception as problem:
            raise SandboxProblem([f"an invariant can't be told on the start state: {problem!r}"]) from problem

    def _layered(self, layers: Mapping[str, Mapping[str, Any]], journal: Journal) -> dict[str, Table[Any]]:
        return {
            name: Table(name, model, self.rows[name], layers.get(name, {}), journal)
            for name, model in self._models.items()
        }

    def _fitting(self, given: Mapping[str, Any]) -> _Given:
        prepared = self._given(given)
        if prepared.problems:
            raise SandboxProblem(prepared.problems)
        return prepared

    def _given(self, given: Mapping[str, Any]) -> _Given:
        name = json.dumps(given, sort_keys=True, default=repr)
        if name not in self._prepared:
            if len(self._prepared) >= _KEPT:
                del self._prepared[next(iter(self._prepared))]
            self._prepared[name] = self._prepare(given)
        return self._prepared[name]

    def _prepare(self, given: Mapping[str, Any]) -> _Given:
        journal = Journal()
        journal.begin(writes=True)
        tables = self._layered({}, journal)
        problems = merge(tables, ((path.split("."), value) for path, value in given.items()))
        journal.close()
        layers = {name: dict(table.layer) for name, table in tables.items() if table.layer}
        return _Given(layers, problems, {name: JsonRows(table) for name, table in tables.items()})
