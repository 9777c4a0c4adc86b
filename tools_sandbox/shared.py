"""The start rows of a table, shared by all episodes and never changed, with an index for every field asked by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

R = TypeVar("R")

_Places = dict[Any, list[tuple[int, str]]]


class SharedRows(dict[str, R], Generic[R]):
    """Rows by key. Indexes are built when first needed and then serve every episode of the process."""

    __slots__ = ("_indexes", "_positions")

    def __init__(self, rows: Mapping[str, R]) -> None:
        super().__init__(rows)
        self._indexes: dict[str, _Places | None] = {}
        self._positions: dict[str, int] | None = None

    def position(self, key: str) -> int:
        """Where in the table a row stands; for a key that is none of these, after all of them."""
        if self._positions is None:
            self._positions = {key: index for index, key in enumerate(self)}
        return self._positions.get(key, len(self))

    def having(self, field: str, value: Any) -> list[tuple[int, str]] | None:
        """Position and key of the rows whose field equals a value; None where only looking at every row can tell."""
        if field not in self._indexes:
            self._indexes[field] = self._index(field)
        places = self._indexes[field]
        try:
            return None if places is None else places.get(value, [])
        except TypeError:  # a value that can't be hashed
            return None

    def _index(self, field: str) -> _Places | None:
        places: _Places = {}
        try:
            for position, (key, row) in enumerate(self.items()):
                places.setdefault(value_of(row, field), []).append((position, key))
        except TypeError:  # lists and mappings can't be looked up
            return None
        return places


def value_of(row: Any, field: str) -> Any:
    """A field of a row; of a free row that lacks it, None."""
    return row.get(field) if isinstance(row, Mapping) else getattr(row, field)
