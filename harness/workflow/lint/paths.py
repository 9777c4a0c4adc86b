"""Whether state paths lead anywhere: to rows and fields that are there from the start, or that a tool may add.

Nothing here is an error: a tool written in Python may add any row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.model.material import Tables
from harness.model.source import Where
from harness.model.workflow import StubCase, StubReturn, Tool
from harness.workflow.lint.subject import Report, Subject, Written
from harness.workflow.validate import Path
from tools_sandbox.given import split_key
from tools_sandbox.nearest import nearest
from tools_sandbox.patterns import Listed, Matcher, Pattern, Subset

_ARGUMENT = re.compile(r"\{\w+\}")
_ANY = Matcher({"any": True})


def check_expected_paths(written: Written, subject: Subject, report: Report) -> None:
    """Rows and fields that a scenario expects, or waits for, though nothing has them."""
    given = written.scenario.given
    if subject.start.check_given(given):
        return
    reach = _Reach(subject.start.tables(given), subject)
    for expect, path in written.expectations():
        for key, pattern in (expect.state or {}).items():
            reach.check(key, pattern, written.key_at(*path, "state", key), report)
    for number, line in enumerate(written.scenario.user.turns):
        for key, pattern in line.when.state.items() if line.when else ():
            reach.check(key, pattern, written.key_at("user", "turns", number, "when", "state", key), report)


def check_tool_paths(subject: Subject, report: Report) -> None:
    """Rows and fields that the tools of the file read or set, though neither the start state nor any scenario has them;
    and `from` misspelt, which makes a value of the path.
    """
    rows: dict[str, dict[str, Any]] = {name: dict(table) for name, table in subject.start.tables({}).items()}
    for written in subject.scenarios:
        if not subject.start.check_given(written.scenario.given):
            for name, table in subject.start.given_rows(written.scenario.given).items():
                rows[name].update({key: row for key, row in table.items() if row is not None})
    reach = _Reach(rows, subject)
    for tool, path in _answers(subject.workflow.tools):
        for key in tool.set:
            reach.check_set(key, subject.key_at(*path, "set", key), report)
        answer = tool.return_
        if answer is not None and answer.from_ is not None:
            reach.check(answer.from_, _ANY, subject.at(*path, "return", "from"), report)
        elif answer is not None and (word := _misspelt_from(answer, rows)):
            where = subject.key_at(*path, "return", word)
            report.warn(where, f"`{word}` is returned as it stands here", meant="from")


def _answers(tools: Mapping[str, Tool]) -> Iterator[tuple[Tool | StubCase, Path]]:
    """Whatever sets and returns, with its path: a tool, or each of its cases."""
    for name, tool in tools.items():
        yield tool, ("tools", name)
        for number, case in enumerate(tool.cases):
            yield case, ("tools", name, "cases", number)


def _misspelt_from(answer: StubReturn, tables: Mapping[str, Any]) -> str | None:
    """The only key of what is returned, if it is like `from` and a state path stands behind it."""
    if not (isinstance(answer.value, dict) and len(answer.value) == 1):
        return None
    ((word, path),) = answer.value.items()
    leads = isinstance(path, str) and path.split(".")[0] in tables and "." in path
    return word if leads and nearest(word, ["from"]) else None


class _Reach:
    """What a state path may lead to: these rows, and what tools of the file add to them."""

    def __init__(self, rows: Tables, subject: Subject) -> None:
        self._rows = rows
        self._closed = subject.workflow.sandbox is None
        """Whether all that tools do is told in the file, and fields by the rows alone."""
        self._fields: dict[str, set[str]] = {}
        self._added_keys: dict[str, list[re.Pattern[str]]] = {}
        self._added_fields: dict[str, set[str]] = {}
        if self._closed:
            self._fields = {name: {field for row in table.values() for field in row} for name, table in rows.items()}
            for table, key, fields in _added(subject.workflow.tools):
                self._added_fields.setdefault(table, set()).update(fields)
                if key is not None:
                    pattern = ".+".join(map(re.escape, _ARGUMENT.split(key)))
                    self._added_keys.setdefault(table, []).append(re.compile(pattern))

    def check(self, dotted: str, pattern: Pattern, where: Where, report: Report) -> None:
        """A path that is read, with what is expected there."""
        table, *steps = dotted.split(".")
        if table not in self._rows or (isinstance(pattern, Matcher) and "absent" in pattern.tests):
            return
        if steps:
            key, rest = split_key(self._rows[table], steps)
            if self._row(table, key, where, report):
                self._known(table, rest[:1] or _members(pattern), where, report)
        elif isinstance(pattern, Subset):
            for key, row in pattern.members.items():
                self.check(f"{table}.{key}", row, where, report)
        elif isinstance(pattern, Listed):
            for item in pattern.items:
                self._known(table, _members(item), where, report)

    def check_set(self, dotted: str, where: Where, report: Report) -> None:
        """A path that is set. It may make a field that was not there: only one like another is doubtful."""
        table, *steps = dotted.split(".")
        if table not in self._rows or len(steps) < 2:
            return
        key, (field, *_) = split_key(self._rows[table], steps)
        known = self._fields.get(table, set())
        if self._row(table, key, where, report) and field not in known and (meant := nearest(field, known)):
            report.warn(where, f"no row of `{table}` has a field `{field}` before it is set", meant=meant)

    def _row(self, table: str, key: str, where: Where, report: Report) -> bool:
        """Whether there is, or may be, such a row; a warning if not."""
        if _ARGUMENT.search(key) or key in self._rows[table]:
            return True
        if any(added.fullmatch(key) for added in self._added_keys.get(table, ())):
            return True
        meant = nearest(key, self._rows[table])
        if self._closed:
            report.warn(where, f"no row of `{table}` has the key `{key}`, and no tool adds it", meant=meant)
        elif meant is not None:
            report.warn(
                where, f"no row of `{table}` has the key `{key}` at the start", "right if a tool adds it", meant
            )
        return False

    def _known(self, table: str, names: Iterable[str], where: Where, report: Report) -> None:
        known = self._fields.get(table, set()) | self._added_fields.get(table, set())
        if any(map(_ARGUMENT.search, known)):
            return
        for name in names:
            if known and name not in known and not _ARGUMENT.search(name):
                report.warn(where, f"no row of `{table}` has a field `{name}`", meant=nearest(name, known))


def _members(pattern: Pattern) -> Iterable[str]:
    return pattern.members if isinstance(pattern, Subset) else ()


def _added(tools: Mapping[str, Tool]) -> Iterator[tuple[str, str | None, Iterable[str]]]:
    """What tools of the file may add: table, key of the row (None: only a field of one that is there), fields."""
    for answer, _ in _answers(tools):
        for path, value in answer.set.items():
            table, *steps = path.split(".")
            if len(steps) > 1:
                yield table, None, steps[1:2]
                continue
            rows = {steps[0]: value} if steps else value
            for key, row in rows.items() if isinstance(rows, Mapping) else ():
                if isinstance(row, Mapping):
                    yield table, key, row
