"""Expectations of the state: what must be there, and that everything else is as it was."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from harness.model.material import Ground
from harness.model.source import Where
from harness.scoring.checks import Check, Miss
from harness.scoring.prepared import prepared
from harness.scoring.window import Window
from tools_sandbox.call import Change
from tools_sandbox.matching import Mismatch, describe, mismatches, pair
from tools_sandbox.patterns import Listed, Pattern, Subset
from tools_sandbox.schema import ANY, FieldType
from tools_sandbox.values import same, show


def state_checks(state: Sequence[tuple[str, Pattern]], window: Window, where: Where | None) -> Iterator[Check]:
    """One check a path; a list that stands for a table is held against the rows that the episode added or changed. Of a
    whole conversation, one more: that all which no path names is as it was.
    """
    if window.episode.stateless:
        yield from (Check("state", unjudged=f"state {path}: a trace has no state") for path, _ in state)
        return
    named: set[str] = set()
    for path, pattern in state:
        if isinstance(pattern, Listed) and path in window.material.schema.tables:
            misses = _rows(path, pattern, window, where, named)
        else:
            misses = _value(path, pattern, window, where)
            named.update(_named(path, pattern))
        yield Check("state", tuple(misses))
    if window.final:
        yield Check("unasked", tuple(_nothing_else(named, window, where)))


def _value(path: str, pattern: Pattern, window: Window, where: Where | None) -> list[Miss]:
    table, key, rest = _split(path, window)
    kind = _kind(_record(table, window), key, rest)
    return [
        _wrong(Mismatch(miss.path, miss.expected, miss.actual), *_split(miss.path, window), window, where)
        for miss in mismatches(pattern, window.state.value(path), kind, path)
    ]


def _wrong(
    miss: Mismatch, table: str, key: str | None, rest: tuple[str, ...], window: Window, where: Where | None
) -> Miss:
    field = rest[0].partition("[")[0] if rest else None
    made = window.changed_by(table, key, field) if key is not None else None
    return Miss(
        "state",
        f"state {miss.path}: expected {miss.expected}, is {miss.actual}",
        made[0] if made else window.missed,
        made=made,
        path=miss.path,
        expected=miss.expected,
        actual=miss.actual,
        where=where,
    )


def _rows(table: str, listed: Listed, window: Window, where: Where | None, named: set[str]) -> list[Miss]:
    """Hold a list against a table's touched rows, and add what it names to `named`. What it leaves over is reported
    here and counts as named, so that it isn't reported twice.
    """
    touched = [change for change in window.changes if change.table == table and change.after is not None]
    pairing = pair(listed.items, [change.after for change in touched], _record(table, window))
    misses = []
    for one in pairing.pairs:
        change = touched[one.value]
        row = f"{table}.{change.key}"
        named.update(_named(row, listed.items[one.pattern]) if change.before is not None else (row,))
        for wrong in one.mismatches:
            at = Mismatch(f"{row}.{wrong.path}" if wrong.path else row, wrong.expected, wrong.actual)
            rest = tuple(wrong.path.split(".")) if wrong.path else ()
            misses.append(_wrong(at, table, change.key, rest, window, where))
    for index in pairing.patterns_left:
        wanted = describe(listed.items[index])
        text = f"no row of {table} that was added or changed is {wanted}"
        misses.append(Miss("state", text, window.missed, path=table, expected=wanted, actual="nothing", where=where))
    for index in pairing.values_left:
        change = touched[index]
        named.add(f"{table}.{change.key}")
        # What a turn expects of the state is a subset; what else happened is held against the end.
        if window.final and not listed.contains and (fields := _unfree(change, window)):
            misses.append(_unasked(change, fields, window, where))
    return misses


def _nothing_else(named: set[str], window: Window, where: Where | None) -> Iterator[Miss]:
    """The changes that nothing names. The unit is the field of a changed row; of a new row that something names all
    fields are free.
    """
    for change in window.changes:
        row = f"{change.table}.{change.key}"
        if change.before is None and any(_related(path, row) for path in named):
            continue
        if fields := _unfree(change, window, named):
            yield _unasked(change, fields, window, where)


def _unfree(change: Change, window: Window, named: Collection[str] = ()) -> list[str]:
    """The fields of a change that differ in meaning and that neither `may_change` nor a named path covers."""
    row = f"{change.table}.{change.key}"
    fields = [
        name for name in change.beyond(window.material.workflow.may_change) if not _is_named(f"{row}.{name}", named)
    ]
    before, after = change.before, change.after
    if before is None or after is None or not fields:
        return fields
    types = _record(change.table, window).fields
    return [name for name in fields if not same(before.get(name), after.get(name), types.get(name, ANY))]


def _unasked(change: Change, fields: list[str], window: Window, where: Where | None) -> Miss:
    path = f"{change.table}.{change.key}"
    made = window.changed_by(change.table, change.key, fields[0])
    if change.before is None or change.after is None:
        text = f"{path} was {'added' if change.before is None else 'deleted'}, and nothing expects it"
        expected, actual = change.before, change.after
    else:
        text = f"{path}: {', '.join(fields)} changed, and nothing expects it"
        path = f"{path}.{fields[0]}"
        expected, actual = change.before.get(fields[0]), change.after.get(fields[0])
    return Miss(
        "unasked",
        text,
        made[0] if made else window.missed,
        made=made,
        path=path,
        expected=show(expected),
        actual=show(actual),
        where=where,
    )


def _named(path: str, pattern: Pattern) -> Iterator[str]:
    """Every state path that a pattern at `path` speaks of."""
    if isinstance(pattern, Subset):
        for name, member in pattern.members.items():
            yield from _named(f"{path}.{name}", member)
    else:
        yield path


def _is_named(path: str, named: Collection[str]) -> bool:
    return path in named or any(_related(path, one) for one in named)


def _related(one: str, other: str) -> bool:
    """Whether one path is the other or lies in it."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _split(path: str, window: Window) -> tuple[str, str | None, tuple[str, ...]]:
    """Table, key and what lies below of a state path. A key may have dots in it, so known keys are looked for."""
    table, _, below = path.partition(".")
    if not below:
        return table, None, ()
    known = {change.key for change in window.changes if change.table == table}
    start = window.material.start.get(table, {})
    parts = below.split(".")
    for count in range(1, len(parts) + 1):
        key = ".".join(parts[:count])
        if key in known or key in start:
            return table, key, tuple(parts[count:])
    return table, parts[0], tuple(parts[1:])


def _kind(record: FieldType, key: str | None, rest: tuple[str, ...]) -> FieldType:
    """The type of the value at a place of a table of such rows."""
    kind = FieldType("map", of=record) if key is None else record
    for name in rest:
        kind = kind.fields.get(name, kind.of or ANY)
    return kind


def _record(table: str, window: Window) -> FieldType:
    """The type of a table's rows."""
    return prepared(window.material.ground, _records).get(table, _FREE)


_FREE = FieldType("record")
"""The type of rows that nothing is known of."""


def _records(ground: Ground) -> dict[str, FieldType]:
    return {
        name: FieldType("record", fields={name: field.type for name, field in table.fields.items()})
        for name, table in ground.schema.tables.items()
    }
