"""State as JSON: rows by table and key, read by dotted path; and an episode's end state, from its start and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools_sandbox.call import Change, Json
from tools_sandbox.values import ABSENT, Absent, to_json

JsonRow = Mapping[str, Json]


class JsonRows(Mapping[str, JsonRow]):
    """The rows of a table as JSON, each written out when it is first asked for. Not to be changed."""

    def __init__(self, rows: Mapping[str, Any]) -> None:
        self._rows = rows
        self._written: dict[str, JsonRow] = {}

    def __getitem__(self, key: str) -> JsonRow:
        if key not in self._written:
            self._written[key] = to_json(self._rows[key])
        return self._written[key]

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def lookup(value: Any, steps: Sequence[str]) -> Json | Absent:
    """What stands at a path below a value, or ABSENT. Steps are keys of mappings or positions in lists; a key that has
    dots in it is found too, its parts being steps in a row.
    """
    if not steps:
        return value
    if isinstance(value, Mapping):
        for end in range(1, len(steps) + 1):
            key = ".".join(steps[:end])
            if key in value:
                found = lookup(value[key], steps[end:])
                if found is not ABSENT:
                    return found
    elif isinstance(value, list) and steps[0].isdecimal() and int(steps[0]) < len(value):
        return lookup(value[int(steps[0])], steps[1:])
    return ABSENT


class EndState:
    """The state at the end of an episode: the start state with the changed rows over it. Plain data is all it needs."""

    def __init__(self, start: Mapping[str, Mapping[str, JsonRow]], changes: Sequence[Change]) -> None:
        self._start = start
        self._after: dict[str, dict[str, JsonRow | None]] = {}
        for change in changes:
            self._after.setdefault(change.table, {})[change.key] = change.after

    def value(self, path: str) -> Json | Absent:
        """What stands at a dotted path such as `orders.O-1001.status`, or ABSENT."""
        table, *steps = path.split(".")
        if table not in self._start and table not in self._after:
            return ABSENT
        if not steps:
            return dict(self.rows(table))
        after = self._after.get(table, {})
        for end in range(1, len(steps) + 1):
            key = ".".join(steps[:end])
            row = after[key] if key in after else self._start.get(table, {}).get(key)
            found = ABSENT if row is None else lookup(row, steps[end:])
            if found is not ABSENT:
                return found
        return ABSENT

    def rows(self, table: str) -> dict[str, JsonRow]:
        """All rows of a table, by key."""
        merged: dict[str, JsonRow | None] = {**self._start.get(table, {}), **self._after.get(table, {})}
        return {key: row for key, row in merged.items() if row is not None}

    def touched(self, table: str) -> dict[str, JsonRow]:
        """The rows of a table that the episode added or changed, as they are at the end, by key."""
        return {key: row for key, row in self._after.get(table, {}).items() if row is not None}
