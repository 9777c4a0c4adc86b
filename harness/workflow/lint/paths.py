"""Whether state paths lead anywhere: to rows and fields that are there from the start, or that a tool may add.

Nothing here is an error: a tool written in Python may add any row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from harness.model.source import Where
from harness.model.workflow import StubReturn
from harness.workflow.lint.reach import ARGUMENT, Reach, answers
from harness.workflow.lint.subject import Report, Subject, Written
from tools_sandbox.given import split_key
from tools_sandbox.nearest import nearest
from tools_sandbox.patterns import Listed, Matcher, Pattern, Subset

_ANY = Matcher({"any": True})


def check_expected_paths(written: Written, subject: Subject, report: Report) -> None:
    """Rows and fields that a scenario expects, or waits for, though nothing has them."""
    given = written.scenario.given
    if subject.start.check_given(given):
        return
    paths = PathCheck(Reach(subject.start.tables(given), subject), report)
    for expect, path in written.expectations():
        for key, pattern in (expect.state or {}).items():
            paths.read(key, pattern, written.key_at(*path, "state", key))
    for number, line in enumerate(written.scenario.user.turns):
        for key, pattern in line.when.state.items() if line.when else ():
            paths.read(key, pattern, written.key_at("user", "turns", number, "when", "state", key))


def check_given_paths(written: Written, subject: Subject, report: Report) -> None:
    """Fields that a scenario is given under a name that is like another one's, and that no row has without it."""
    paths = PathCheck(Reach(subject.start.tables({}), subject), report)
    for key, value in written.scenario.given.items():
        paths.written(key, value, written.key_at("given", key), "before it is given")


def check_tool_paths(subject: Subject, reach: Reach, report: Report) -> None:
    """Rows and fields that the tools of the file read or set, though neither the start state nor any scenario has them;
    and `from` misspelt, which makes a value of the path.
    """
    paths = PathCheck(reach, report)
    for tool, path in answers(subject.workflow.tools):
        for key in tool.set:
            paths.set(key, subject.key_at(*path, "set", key))
        answer = tool.return_
        if answer is not None and answer.from_ is not None:
            paths.read(answer.from_, _ANY, subject.at(*path, "return", "from"))
        elif answer is not None and (word := _misspelt_from(answer, reach.rows)):
            where = subject.key_at(*path, "return", word)
            report.warn(where, f"`{word}` is returned as it stands here", meant="from")


def _misspelt_from(answer: StubReturn, tables: Mapping[str, Any]) -> str | None:
    """The only key of what is returned, if it is like `from` and a state path stands behind it."""
    if not (isinstance(answer.value, dict) and len(answer.value) == 1):
        return None
    ((word, path),) = answer.value.items()
    leads = isinstance(path, str) and path.split(".")[0] in tables and "." in path
    return word if leads and nearest(word, ["from"]) else None


class PathCheck:
    """Holds paths against what they may lead to. Tables that aren't there are told elsewhere."""

    def __init__(self, reach: Reach, report: Report) -> None:
        self._reach = reach
        self._report = report

    def read(self, dotted: str, pattern: Pattern, where: Where) -> None:
        """A path that is read, with what is expected there. What can never be there is always `absent`."""
        table, *steps = dotted.split(".")
        gone = isinstance(pattern, Matcher) and "absent" in pattern.tests
        if table not in self._reach.rows or (gone and not self._reach.closed):
            return
        if steps:
            key, rest = split_key(self._reach.rows[table], steps)
            if self._row(table, key, where):
                self._known(table, rest[:1] or _members(pattern), where)
        elif isinstance(pattern, Subset):
            for key, row in pattern.members.items():
                self.read(f"{table}.{key}", row, where)
        elif isinstance(pattern, Listed):
            for item in pattern.items:
                self._known(table, _members(item), where)

    def set(self, dotted: str, where: Where) -> None:
        """A path that a tool sets. It may make a field that was not there: only one like another is doubtful."""
        table, *steps = dotted.split(".")
        if table in self._reach.rows and len(steps) > 1:
            key, (field, *_) = split_key(self._reach.rows[table], steps)
            if self._row(table, key, where):
                self._new(table, [field], where, "before it is set")

    def written(self, dotted: str, value: Any, where: Where, before: str) -> None:
        """A path with rows or fields that are written there; what is new and like another is doubtful."""
        table, *steps = dotted.split(".")
        if table not in self._reach.rows:
            return
        if steps:
            _, fields = split_key(self._reach.rows[table], steps)
            self._new(table, fields[:1] or (value if isinstance(value, Mapping) else ()), where, before)
        elif isinstance(value, Mapping):
            for key, row in value.items():
                self.written(f"{table}.{key}", row, where, before)

    def _new(self, table: str, fields: Iterable[str], where: Where, before: str) -> None:
        known = self._reach.present(table)
        for field in fields:
            if field not in known and (meant := nearest(field, known)):
                self._report.warn(where, f"no row of `{table}` has a field `{field}` {before}", meant=meant)

    def _row(self, table: str, key: str, where: Where) -> bool:
        """Whether there is, or may be, such a row; a warning if not."""
        if self._reach.has(table, key):
            return True
        if self._reach.is_field(table, key):
            what = f"`{key}` is a field of `{table}`, and a path names the row before it"
            self._report.warn(where, what, f"`{table}.KEY.{key}`")
            return False
        meant = nearest(key, self._reach.rows[table])
        if self._reach.closed:
            self._report.warn(where, f"no row of `{table}` has the key `{key}`, and no tool adds it", meant=meant)
        elif meant is not None:
            what = f"no row of `{table}` has the key `{key}` at the start"
            self._report.warn(where, what, "right if a tool adds it", meant)
        return False

    def _known(self, table: str, names: Iterable[str], where: Where) -> None:
        known = self._reach.fields(table)
        for name in names:
            if known and name not in known and not ARGUMENT.search(name):
                self._report.warn(where, f"no row of `{table}` has a field `{name}`", meant=nearest(name, known))


def _members(pattern: Pattern) -> Iterable[str]:
    return pattern.members if isinstance(pattern, Subset) else ()
