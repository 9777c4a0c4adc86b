"""Whether expected states and arguments can be: tables and fields that are there, values that their types can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.workflow.lint.subject import Report, Subject, Written, expected_calls
from harness.workflow.lint.wording import check_pattern
from harness.workflow.validate import Path
from tools_sandbox.patterns import WORDS, Listed, Matcher, Pattern, Subset
from tools_sandbox.schema import ANY, FieldType, SandboxSchema
from tools_sandbox.values import read

_COMPARED = ("equals", "at_most", "at_least")
_HOLDS: Mapping[type, frozenset[str]] = {
    Subset: frozenset({"record", "map", "any"}),
    Listed: frozenset({"list", "any"}),
}
"""Which types have values that a mapping or a list describes."""


def check_values(written: Written, subject: Subject, report: Report) -> None:
    """State paths and expected values against the sandbox's schema."""
    check = ValueCheck(written, subject.schema, report)
    for expect, path in written.expectations():
        for key, pattern in (expect.state or {}).items():
            check.state(key, pattern, (*path, "state", key))
        for item, below in expected_calls(expect.calls) if expect.calls else ():
            spec = subject.schema.tools.get(item.tool)
            for name, pattern in item.arguments.items():
                kind = spec.arguments.get(name, ANY) if spec else ANY
                check.value(pattern, kind, (*path, "calls", *below, item.tool, name))
    for number, approval in enumerate(written.scenario.user.approvals):
        for key, pattern in approval.match.items():
            check.value(pattern, ANY, ("user", "approvals", number, "match", key))
    for number, line in enumerate(written.scenario.user.turns):
        for key, pattern in line.when.state.items() if line.when else ():
            check.state(key, pattern, ("user", "turns", number, "when", "state", key))


@dataclass(frozen=True, slots=True)
class ValueCheck:
    """Checks patterns against types."""

    places: Written | Subject
    schema: SandboxSchema
    report: Report

    def state(self, dotted: str, pattern: Pattern, path: Path) -> None:
        """A pattern for what a dotted path leads to: a table, a row, or a field of a row."""
        name, *rest = dotted.split(".")
        table = self.schema.tables.get(name)
        if table is None:
            self.report.unknown(
                self.places.key_at(*path), "table", name, self.schema.tables, "the sandbox has no state"
            )
            return
        # Of free rows, nothing is known of their fields.
        free = all(field.type == ANY for field in table.fields.values())
        fields = {field: schema.type for field, schema in table.fields.items()}
        row = ANY if free else FieldType("record", fields=fields)
        if not rest and isinstance(pattern, Matcher):
            what = f"the table `{name}` is no single value, and all its rows would be free to change"
            advice = f"name a row (`{name}.KEY: any`), list what is added or changed, or see `may_change`"
            self.report.error(self.places.at(*path), what, advice)
            return
        if not rest:
            rows = FieldType("map", of=row) if isinstance(pattern, Subset) else FieldType("list", of=row)
            self.value(pattern, rows, path)
            return
        # A row's key may hold dots itself: the field is the first name behind it that the table has.
        known = [place for place, part in enumerate(rest) if place and part in table.fields]
        steps = rest[known[0] :] if known else rest[1:]
        self.value(pattern, row, path, steps)

    def value(self, pattern: Pattern, kind: FieldType, path: Path, steps: list[str] | None = None) -> None:
        """A pattern for a value of a type, or for what `steps` lead to within it."""
        for step in steps or ():
            below = self._member(kind, step, path)
            if below is None:
                return
            kind = below
        if isinstance(pattern, Matcher):
            self._matcher(pattern, kind, path)
        elif kind.name not in _HOLDS[type(pattern)]:
            self._shapeless(pattern, kind, path)
        elif isinstance(pattern, Listed):
            if pattern.contains and not pattern.items:
                what = "`contains` of nothing asks for nothing, and leaves all else free"
                self.report.error(self.places.at(*path), what, "write what must be there, or `[]` for an empty list")
            for number, item in enumerate(pattern.items):
                self.value(item, kind.of or ANY, (*path, "contains", number))
        else:
            for name, member in pattern.members.items():
                below = self._member(kind, name, (*path, name))
                if below is not None:
                    self.value(member, below, (*path, name))

    def _shapeless(self, pattern: Subset | Listed, kind: FieldType, path: Path) -> None:
        """A mapping or a list where a single value stands: most likely a matcher that is misspelt."""
        if isinstance(pattern, Listed):
            self.report.error(self.places.at(*path), f"a list is no {kind.name}", "`one_of: […]` is any of several")
            return
        for word in pattern.members:
            self.report.unknown(self.places.key_at(*path, word), "matcher", word, WORDS, "")

    def _member(self, kind: FieldType, name: str, path: Path) -> FieldType | None:
        if kind.name == "record" and kind.fields:
            if name not in kind.fields:
                self.report.unknown(self.places.key_at(*path), "field", name, kind.fields, "")
            return kind.fields.get(name)
        return kind.of or ANY

    def _matcher(self, matcher: Matcher, kind: FieldType, path: Path) -> None:
        for operand in _operands(matcher):
            try:
                read(operand, kind)
            except ValueError as error:
                if operand is not None:
                    self.report.error(self.places.at(*path), str(error), "it could never be equal")
        if "like" in matcher.tests:
            check_pattern(matcher.tests["like"], self.places.at(*path), self.report)


def _operands(matcher: Matcher) -> Iterator[object]:
    for word, operand in matcher.tests.items():
        if word in _COMPARED:
            yield operand
        elif word in ("between", "one_of"):
            yield from operand
