"""Reading a sandbox class: its tables, tools, invariants and start rows, with everything that is wrong with them."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, get_args, get_origin

from pydantic import ValidationError

from tools_sandbox.arguments import Arguments, signature_of
from tools_sandbox.docstring import read_docstring
from tools_sandbox.marks import Marks, is_invariant, marks_of
from tools_sandbox.nearest import hint
from tools_sandbox.opened import SimulatedTool
from tools_sandbox.problem import SandboxProblem, explain
from tools_sandbox.rows import Row
from tools_sandbox.sandbox import RESERVED, Sandbox
from tools_sandbox.schema import TableSchema, ToolSpec
from tools_sandbox.shape import field_type, table_schema
from tools_sandbox.table import Table, row_key
from tools_sandbox.values import show

Models = dict[str, type[Row]]


class Definition:
    """What a sandbox class defines, in the order it is written in. Raises SandboxProblem with all that is wrong."""

    def __init__(self, sandbox: type[Sandbox]) -> None:
        problems: list[str] = []
        self.models = _models(sandbox, problems)
        self.schemas: dict[str, TableSchema] = {}
        self.tools: dict[str, SimulatedTool] = {}
        self.invariants: dict[str, Callable[[Any], Any]] = {}
        for name, model in self.models.items():
            try:
                self.schemas[name] = table_schema(model)
            except SandboxProblem as found:
                problems += found.problems
        for name, member in _members(sandbox).items():
            marks = marks_of(member)
            if (marks is not None or is_invariant(member)) and (name in RESERVED or name in self.models):
                problems.append(f"{sandbox.__name__}.{name}: this name is taken")
            elif is_invariant(member):
                self.invariants[name] = member
            elif marks is not None:
                try:
                    self.tools[name] = _tool(name, member, marks)
                except SandboxProblem as found:
                    problems += found.problems
        self.rows = {} if problems else _start_rows(sandbox, self.models, problems)
        if problems:
            raise SandboxProblem(problems)


def _models(sandbox: type[Sandbox], problems: list[str]) -> Models:
    try:
        hints = typing.get_type_hints(sandbox)
    except NameError as problem:
        raise SandboxProblem(
            [f"{sandbox.__name__}: an annotation names `{problem.name}`, which its module does not define"]
        ) from None
    models: Models = {}
    for name, hint_ in hints.items():
        if get_origin(hint_) is Table:
            (model,) = get_args(hint_)
            if not (isinstance(model, type) and issubclass(model, Row)):
                problems.append(
                    f"{sandbox.__name__}.{name}: a table holds rows of one class derived from Row, not {model}"
                )
            elif name in RESERVED:
                problems.append(f"{sandbox.__name__}.{name}: this name is taken")
            else:
                models[name] = model
        elif name not in RESERVED and get_origin(hint_) is not ClassVar and not hasattr(sandbox, name):
            problems.append(
                f"{sandbox.__name__}.{name}: is no table; write `{name}: Table[…]` with a class derived from Row"
            )
    return models


def _members(sandbox: type[Sandbox]) -> dict[str, Any]:
    """Class members by name, a derived class's over its base's."""
    return {name: member for base in reversed(sandbox.__mro__) for name, member in vars(base).items()}


def _tool(name: str, method: Callable[..., Any], marks: Marks) -> SimulatedTool:
    about, described = read_docstring(method.__doc__)
    if not about:
        raise SandboxProblem([f"{method.__qualname__}: a tool needs a docstring, which tells the agent what it does"])
    arguments = Arguments(name, signature_of(method, described))
    returned = typing.get_type_hints(method).get("return")
    if isinstance(marks.proves, str) and marks.proves not in arguments.types:
        fields = field_type(returned).fields
        if fields and marks.proves not in fields:
            what = f"{method.__qualname__}: proves={marks.proves!r} is no field of its result and no argument"
            raise SandboxProblem([f"{what}; {hint(marks.proves, {*fields, *arguments.types})}"])
    spec = ToolSpec(
        name,
        about,
        marks.kind,
        arguments.parameters,
        arguments.types,
        marks.proves,
        marks.needs,
        marks.ends,
        marks.retrieves,
    )
    return SimulatedTool(spec, arguments, lambda sandbox, values: method(sandbox, **values))


def _start_rows(sandbox: type[Sandbox], models: Models, problems: list[str]) -> dict[str, dict[str, Row]]:
    started = sandbox.start()
    where = f"{sandbox.__name__}.start"
    if not isinstance(started, Mapping):
        problems.append(f"{where}: gives {type(started).__name__}, not a mapping of tables to their rows")
        return {}
    problems += [f"{where}: no table `{name}`; {hint(name, models)}" for name in started if name not in models]
    return {
        name: _rows_of_table(f"{where}: {name}", model, started.get(name, ()), problems)
        for name, model in models.items()
    }


def _rows_of_table(
    where: str, model: type[Row], given: Iterable[Any] | Mapping[str, Any], problems: list[str]
) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    key_field = next(iter(model.model_fields))
    keyed = given.items() if isinstance(given, Mapping) else ((None, row) for row in given)
    for index, (key, fields) in enumerate(keyed):
        place = f"{where}[{index}]" if key is None else f"{where}.{key}"
        if isinstance(fields, Mapping):
            try:
                row = model.model_validate(fields if key is None else {key_field: key, **fields})
            except ValidationError as error:
                problems += [f"{place}.{line}" for line in explain(error, model.model_fields, "field")]
                continue
        elif isinstance(fields, model):
            row = fields
        else:
            problems.append(f"{place}: a row is a {model.__name__} or a mapping of its fields, not {show(fields)}")
            continue
        found = row_key(row)
        if found in rows:
            problems.append(f"{place}: there are two rows {found}")
        elif key is not None and found != str(key):
            problems.append(f"{place}: its `{key_field}`, the key, is {found}")
        rows[found] = row
    return rows
