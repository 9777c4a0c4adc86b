"""A table of one episode: shared rows below, the rows that this episode added, changed or removed above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast

from tools_sandbox.call import Change, Json
from tools_sandbox.nearest import hint
from tools_sandbox.rows import Row, free_row
from tools_sandbox.shared import SharedRows, value_of
from tools_sandbox.values import to_json

R = TypeVar("R")


class _Untouched:
    """Says that this episode's layer holds nothing for a key (None there means: removed)."""


_UNTOUCHED = _Untouched()


class Journal:
    """What the running tool call has changed, so that it can be taken back. Closed unless a tool that writes runs."""

    __slots__ = ("_entries", "_open")

    def __init__(self) -> None:
        self._entries: list[tuple[Table[Any], str, Any]] = []
        self._open = False

    def begin(self, *, writes: bool) -> None:
        """Start a call; its changes are refused unless it may write."""
        self._entries.clear()
        self._open = writes

    def close(self) -> None:
        """Refuse changes from now on, keeping what was noted."""
        self._open = False

    def note(self, table: Table[Any], key: str, before: Any) -> None:
        """Remember what this episode's layer held. Raises TypeError while nothing may be changed."""
        if not self._open:
            raise TypeError(f"{table.name} can only be changed by a tool marked `writes`, while it is called")
        self._entries.append((table, key, before))

    def roll_back(self) -> None:
        """Take every change of this call back, the last first."""
        for table, key, before in reversed(self._entries):
            table.restore(key, before)
        self._entries.clear()
        self._open = False

    def changes(self) -> list[Change]:
        """What this call changed, row by row, in the order of the first touch."""
        first: dict[tuple[str, str], tuple[Table[Any], Any]] = {}
        for table, key, before in self._entries:
            first.setdefault((table.name, key), (table, before))
        found = []
        for (_, key), (table, before) in first.items():
            if (change := table.change(key, table.under(key, before))) is not None:
                found.append(change)
        return found


class Table(Mapping[str, R], Generic[R]):
    """Rows by key, as a mapping; rows themselves can't be changed, so give the table a new one.

    `rows` (and `given` over them: this scenario's own rows, None for one that it removes) are shared by all episodes
    and never written to. A table without `model` holds free JSON rows. Opening one copies no row.
    """

    __slots__ = ("_given", "_journal", "_mine", "_model", "_rows", "_written", "name")

    def __init__(
        self,
        name: str,
        model: type[Row] | None,
        rows: SharedRows[R],
        given: Mapping[str, R | None],
        journal: Journal,
    ) -> None:
        self.name = name
        self._model = model
        self._rows = rows
        self._given = given
        self._mine: dict[str, R | None] = dict(given)
        self._journal = journal
        self._written: dict[int, tuple[R, Json]] = {}

    def __getitem__(self, key: str) -> R:
        row = self._mine.get(key, _UNTOUCHED)
        if isinstance(row, _Untouched):
            return self._rows[key]
        if row is None:
            raise KeyError(key)
        return row

    def __contains__(self, key: object) -> bool:
        row = self._mine.get(key, _UNTOUCHED) if isinstance(key, str) else None
        return key in self._rows if row is _UNTOUCHED else row is not None

    def __iter__(self) -> Iterator[str]:
        mine = self._mine
        if not mine:
            yield from self._rows
            return
        for key in self._rows:
            if mine.get(key, _UNTOUCHED) is not None:
                yield key
        for key, row in list(mine.items()):
            if row is not None and key not in self._rows:
                yield key

    def __len__(self) -> int:
        added = sum(row is not None and key not in self._rows for key, row in self._mine.items())
        removed = sum(row is None and key in self._rows for key, row in self._mine.items())
        return len(self._rows) + added - removed

    def where(self, **fields: Any) -> list[R]:
        """The rows whose fields equal all of these. Raises TypeError for a field that rows don't have."""
        if self._model is not None:
            for name in fields:
                if name not in self._model.model_fields:
                    raise TypeError(f"{self.name} has no field `{name}`; {hint(name, self._model.model_fields)}")
        return [row for row in self._candidates(fields) if all(value_of(row, name) == fields[name] for name in fields)]

    def _candidates(self, fields: Mapping[str, Any]) -> Iterable[R]:
        """Rows that may have these values, in the order of the table; the index of the first field helps."""
        first = next(iter(fields.items()), None)
        found = None if first is None else self._rows.having(*first)
        if found is None:
            return self.values()
        if self._mine:
            found = [place for place in found if place[1] not in self._mine]
            found += [(self._rows.position(key), key) for key, row in self._mine.items() if row is not None]
            found.sort(key=itemgetter(0))
        return [self[key] for _, key in found]

    def insert(self, row: R) -> R:
        """Add a row, under the key in its first field. Raises KeyError if the key is taken."""
        if self._model is None or not isinstance(row, self._model):
            raise TypeError(f"{self.name} takes rows of {getattr(self._model, '__name__', 'JSON, by `put`')}")
        key = row_key(row)
        if key in self:
            raise KeyError(f"{self.name} has a row {key} already")
        self._set(key, row)
        return row

    def update(self, key: str, **fields: Any) -> R:
        """Give a row new values for some fields, and return it. Raises KeyError if there is no such row, and
        pydantic.ValidationError if the values don't fit.
        """
        row = self[key]
        return self.put(key, {**(row.__dict__ if isinstance(row, Row) else cast("Mapping[str, Any]", row)), **fields})

    def delete(self, key: str) -> None:
        """Remove a row. Raises KeyError if there is none."""
        if key not in self:
            raise KeyError(key)
        self._set(key, None)

    def put(self, key: str, fields: Mapping[str, Any]) -> R:
        """Add or replace the row of this key, from all its fields."""
        row: Any = free_row(fields) if self._model is None else self._model.model_validate(fields)
        if isinstance(row, Row) and row_key(row) != key:
            name = next(iter(type(row).model_fields))
            raise ValueError(f"{self.name}.{key}: `{name}` is the key of the row and can't be {row_key(row)}")
        self._set(key, row)
        return row  # type: ignore[no-any-return]

    @property
    def model(self) -> type[Row] | None:
        """The class of the rows; None for free JSON rows."""
        return self._model

    @property
    def layer(self) -> Mapping[str, R | None]:
        """This episode's own rows; None for one that is removed."""
        return self._mine

    def changes(self) -> Iterator[Change]:
        """What is different from the start of the episode, by key."""
        for key in sorted(self._mine):
            change = self.change(key, self.under(key, self._given.get(key, _UNTOUCHED)))
            if change is not None:
                yield change

    def change(self, key: str, before: R | None) -> Change | None:
        """How a row differs from what it was; None if it does not."""
        after = self.under(key, self._mine.get(key, _UNTOUCHED))
        if after is before:
            return None
        was = None if before is None else self._json(before)
        now = None if after is None else self._json(after)
        return None if was == now else Change(self.name, key, was, now)

    def _json(self, row: R) -> Json:
        """A row as JSON, written once: what one call leaves the next one finds, and the end of the episode too. Its id
        is that of no other row for as long as it is kept with it.
        """
        if (found := self._written.get(id(row))) is None:
            found = self._written[id(row)] = row, to_json(row)
        return found[1]

    def under(self, key: str, layered: R | _Untouched | None) -> R | None:
        """The row that an entry of a layer stands for: itself, or the shared row that shows through."""
        return self._rows.get(key) if isinstance(layered, _Untouched) else layered

    def restore(self, key: str, before: R | _Untouched | None) -> None:
        """Put back what this episode's layer held for a key."""
        if isinstance(before, _Untouched):
            del self._mine[key]
        else:
            self._mine[key] = before

    def _set(self, key: str, row: R | None) -> None:
        self._journal.note(self, key, self._mine.get(key, _UNTOUCHED))
        self._mine[key] = row


def row_key(row: Row) -> str:
    """The key of a row: its first field, as text."""
    return str(next(iter(row.__dict__.values())))
