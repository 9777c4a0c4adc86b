"""The class that people derive their sandbox from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NoReturn

from tools_sandbox.problem import SandboxProblem
from tools_sandbox.rows import Row
from tools_sandbox.table import Table

StartRows = Mapping[str, Iterable[Row | Mapping[str, Any]] | Mapping[str, Row | Mapping[str, Any]]]
"""For each table its rows: a list, or a mapping by key."""

_SHARED = (list, dict, set, bytearray)


class Sandbox:
    """State and tools of a simulated backend. Tables are annotations (`orders: Table[Order]`), tools are methods marked
    with `@tool`, checks methods marked with `@invariant`.

    Every episode gets an instance of its own. All that may change is in the tables: attributes can't be set, and a
    class attribute that can be changed is refused, since all episodes would share it. `clock` is the time that the
    scenario plays at; never ask the machine for it.
    """

    clock: datetime

    @classmethod
    def start(cls) -> StartRows:
        """The rows that every episode starts from. Called once a process; must give the same rows each time."""
        return {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        problems = [
            f"{cls.__name__}.{name}: all episodes would share this {type(value).__name__}; make it a table, or, if it "
            "never changes, a tuple or frozenset"
            for name, value in vars(cls).items()
            if isinstance(value, _SHARED) and not name.startswith("__")
        ]
        if "__init__" in vars(cls):
            problems.append(f"{cls.__name__}.__init__: a sandbox is opened from its tables; give their rows in `start`")
        if problems:
            raise SandboxProblem(problems)

    def __init__(self) -> None:
        raise SandboxProblem([f"open a sandbox with StartState.of({type(self).__name__}).open({{}}, clock)"])

    def new_id(self, prefix: str) -> str:
        """The next free id, such as `R-1`: counted within the episode, whatever its seed; never a key of a table."""
        issued: dict[str, int] = self.__dict__["_issued"]
        while True:
            issued[prefix] = issued.get(prefix, 0) + 1
            made = f"{prefix}-{issued[prefix]}"
            if not any(made in table for table in tables_of(self).values()):
                return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise TypeError(f"self.{name} can't be set: what a tool changes belongs in a table")

    def __delattr__(self, name: str) -> NoReturn:
        raise TypeError(f"self.{name} can't be deleted")


def new_sandbox(cls: type[Sandbox], tables: Mapping[str, Table[Any]], clock: datetime) -> Sandbox:
    """An instance of a sandbox class over these tables."""
    sandbox = object.__new__(cls)
    sandbox.__dict__.update(tables, clock=clock, _tables=tables, _issued={})
    return sandbox


def tables_of(sandbox: Sandbox) -> Mapping[str, Table[Any]]:
    """The tables of an opened sandbox, by name."""
    tables: Mapping[str, Table[Any]] = sandbox.__dict__["_tables"]
    return tables


RESERVED = frozenset({"clock", "start", "new_id"})
"""Names that a sandbox's tables and tools can't have."""
