"""What a state path may lead to: rows and fields that are there from the start, or that a tool may add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.model.material import Tables
from harness.model.workflow import StubCase, Tool
from harness.workflow.lint.subject import Subject
from harness.workflow.validate import Path

ARGUMENT = re.compile(r"\{\w+\}")
"""Where an argument is filled into a path of a tool of the file."""


class Reach:
    """These rows, and what tools of the file add to them."""

    def __init__(self, rows: Tables, subject: Subject) -> None:
        self.rows = rows
        self.closed = subject.workflow.sandbox is None
        """Whether all that tools do is told in the file, and fields by the rows alone."""
        self._schema = subject.schema
        self._fields: dict[str, set[str]] = {}
        self._added_keys: dict[str, list[re.Pattern[str]]] = {}
        self._added_fields: dict[str, set[str]] = {}
        if self.closed:
            self._fields = {name: {field for row in table.values() for field in row} for name, table in rows.items()}
            for table, key, fields in _added(subject.workflow.tools):
                self._added_fields.setdefault(table, set()).update(fields)
                if key is not None:
                    pattern = ".+".join(map(re.escape, ARGUMENT.split(key)))
                    self._added_keys.setdefault(table, []).append(re.compile(pattern))

    @classmethod
    def everywhere(cls, subject: Subject) -> Reach:
        """With the rows of every scenario's `given`."""
        rows: dict[str, dict[str, Any]] = {name: dict(table) for name, table in subject.start.tables({}).items()}
        for written in subject.scenarios:
            if not subject.start.check_given(written.scenario.given):
                for name, table in subject.start.given_rows(written.scenario.given).items():
                    rows[name].update({key: row for key, row in table.items() if row is not None})
        return cls(rows, subject)

    def has(self, table: str, key: str) -> bool:
        """Whether there is, or may be, such a row."""
        added = self._added_keys.get(table, ())
        return bool(ARGUMENT.search(key)) or key in self.rows[table] or any(one.fullmatch(key) for one in added)

    def is_field(self, table: str, name: str) -> bool:
        """Whether rows of a table have such a field."""
        return name in self._schema.tables[table].fields or name in self.present(table)

    def present(self, table: str) -> set[str]:
        """The fields of the rows as they are; empty where nothing can be told."""
        return self._fields.get(table, set())

    def fields(self, table: str) -> set[str]:
        """Those, and the fields that tools add; empty where nothing can be told, or a tool makes up a field's name."""
        known = self.present(table) | self._added_fields.get(table, set())
        return set() if any(map(ARGUMENT.search, known)) else known


def answers(tools: Mapping[str, Tool]) -> Iterator[tuple[Tool | StubCase, Path]]:
    """Whatever sets and returns, with its path: a tool, or each of its cases."""
    for name, tool in tools.items():
        yield tool, ("tools", name)
        for number, case in enumerate(tool.cases):
            yield case, ("tools", name, "cases", number)


def _added(tools: Mapping[str, Tool]) -> Iterator[tuple[str, str | None, Iterable[str]]]:
    """What tools of the file may add: table, key of the row (None: only a field of one that is there), fields."""
    for answer, _ in answers(tools):
        for path, value in answer.set.items():
            table, *steps = path.split(".")
            if len(steps) > 1:
                yield table, None, steps[1:2]
                continue
            rows = {steps[0]: value} if steps else value
            for key, row in rows.items() if isinstance(rows, Mapping) else ():
                if isinstance(row, Mapping):
                    yield table, key, row
