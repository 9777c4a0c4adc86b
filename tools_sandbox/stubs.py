"""A sandbox from plain data, for people who don't write it in Python: tables of free rows, and tools with fixed cases.

In paths, `{argument}` stands for the value of an argument, as one step whatever is in it. In values, text that is just
`{argument}` is replaced by the argument's value, and within other text by its text; braces around any other word stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from tools_sandbox.arguments import Argument, Arguments
from tools_sandbox.call import Json
from tools_sandbox.given import merge, split_key
from tools_sandbox.marks import ToolError
from tools_sandbox.matching import mismatches
from tools_sandbox.nearest import hint
from tools_sandbox.opened import SimulatedTool
from tools_sandbox.patterns import Pattern, Subset
from tools_sandbox.problem import SandboxProblem
from tools_sandbox.rows import free_row
from tools_sandbox.sandbox import Sandbox, tables_of
from tools_sandbox.schema import ANY, FieldSchema, FieldType, Need, Outcome, SandboxSchema, TableSchema, ToolSpec
from tools_sandbox.shape import account_of
from tools_sandbox.start import StartState
from tools_sandbox.state import JsonRows, lookup
from tools_sandbox.values import ABSENT, show, to_json, with_numbers

_TYPES: Mapping[str, Any] = {
    "text": str,
    "integer": int,
    "number": float,
    "decimal": Decimal,
    "boolean": bool,
    "date": date,
    "datetime": datetime,
    "any": Any,
}
_NAME = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class StubReturn:
    """What a case gives back: what stands at the state path `source` once the case has `set`, or else `value`."""

    value: Json = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class StubCase:
    """The answer to arguments that `when` fits (empty: to any): an error, or values to set by state path (null deletes)
    and what to return. A path into a row that isn't there is refused; the path of a row adds it.
    """

    when: dict[str, Pattern] = field(default_factory=dict)
    set: dict[str, Json] = field(default_factory=dict)
    answer: StubReturn = StubReturn()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StubTool:
    """A tool; the first case that fits answers. Without cases it is not simulated and only its marks count.

    `args`: type by name, one of text, integer, number, decimal, boolean, date, datetime, any; `text?` may be left out.
    """

    kind: Literal["reads", "writes"]
    about: str = ""
    args: dict[str, str] = field(default_factory=dict)
    cases: tuple[StubCase, ...] = ()
    proves: str | None = None
    needs: tuple[Need, ...] = ()
    ends: Outcome | None = None
    retrieves: bool = False


def stub_sandbox(
    state: Mapping[str, Mapping[str, Mapping[str, Json]]],
    private: Mapping[str, Mapping[str, str]],
    tools: Mapping[str, StubTool],
) -> StartState:
    """A start state from rows by table and key, private fields with their owners by table, and tools.

    Raises SandboxProblem with everything that does not fit together.
    """
    problems = [f"private.{name}: no such table; {hint(name, state)}" for name in private if name not in state]
    for name, stub in tools.items():
        problems += [f"{name}: {text}" for _, text in misfits(stub, state)]
    if problems:
        raise SandboxProblem(problems)
    tables: dict[str, TableSchema] = {}
    for name in state:
        fields = {field: FieldSchema(ANY, owner) for field, owner in private.get(name, {}).items()}
        tables[name] = TableSchema(fields, account_of(fields))
    simulated = {name: _simulated(name, stub) for name, stub in tools.items() if stub.cases}
    specs = {name: simulated[name].spec if name in simulated else stub_spec(name, stub) for name, stub in tools.items()}
    return StartState(
        Sandbox,
        dict.fromkeys(state),
        {name: {key: free_row(row) for key, row in rows.items()} for name, rows in state.items()},
        simulated,
        {},
        SandboxSchema(tables, specs),
    )


def stub_spec(name: str, stub: StubTool) -> ToolSpec:
    """The tool as checks and agents see it."""
    return _spec(name, stub, _arguments(name, stub))


def _spec(name: str, stub: StubTool, arguments: Arguments) -> ToolSpec:
    return ToolSpec(
        name,
        stub.about,
        stub.kind,
        arguments.parameters,
        arguments.types,
        stub.proves,
        stub.needs,
        stub.ends,
        stub.retrieves,
    )


def _arguments(name: str, stub: StubTool) -> Arguments:
    arguments = []
    for argument, written in stub.args.items():
        kind = written.removesuffix("?")
        if kind not in _TYPES:
            raise SandboxProblem([f"{name}.{argument}: no type is called {show(written)}; {hint(kind, _TYPES)}"])
        optional = kind != written
        arguments.append(Argument(argument, _TYPES[kind] | None if optional else _TYPES[kind], required=not optional))
    return Arguments(name, arguments)


def _simulated(name: str, stub: StubTool) -> SimulatedTool:
    arguments = _arguments(name, stub)
    kind = FieldType("record", fields=arguments.types)
    cases = [(Subset(case.when), case) for case in stub.cases]

    def run(sandbox: Sandbox, values: dict[str, Any]) -> Json:
        sent = to_json(values)
        for when, case in cases:
            if not mismatches(when, sent, kind):
                return _play(case, sandbox, {**dict.fromkeys(stub.args), **sent})
        raise LookupError(f"no case of {name} fits the arguments {show(sent, limit=400)}")

    return SimulatedTool(_spec(name, stub, arguments), arguments, run)


def _play(case: StubCase, sandbox: Sandbox, sent: Mapping[str, Json]) -> Json:
    if case.error is not None:
        raise ToolError(_filled(case.error, sent))
    tables = tables_of(sandbox)
    given = [(_steps(path, sent), _filled(value, sent)) for path, value in case.set.items()]
    for (table, *steps), _ in given:
        if len(steps) > 1 and split_key(tables[table], steps)[0] not in tables[table]:
            raise ToolError(f"not found: {steps[0]}")
    problems = merge(tables, given)
    if problems:
        raise ValueError("; ".join(problems))
    if case.answer.source is None:
        return with_numbers(_filled(case.answer.value, sent))
    table, *steps = _steps(case.answer.source, sent)
    found = lookup(JsonRows(tables[table]), steps)
    if found is ABSENT:
        raise ToolError(f"not found: {'.'.join(steps)}")
    return found


def _steps(path: str, sent: Mapping[str, Json]) -> list[str]:
    return [_within(step, sent) for step in path.split(".")]


def _filled(value: Any, sent: Mapping[str, Json]) -> Any:
    if isinstance(value, str):
        alone = _NAME.fullmatch(value)
        return sent[alone[1]] if alone and alone[1] in sent else _within(value, sent)
    if isinstance(value, Mapping):
        return {_within(key, sent): _filled(member, sent) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled(member, sent) for member in value]
    return value


def _within(text: str, sent: Mapping[str, Json]) -> str:
    def put(found: re.Match[str]) -> str:
        if found[1] not in sent:
            return found[0]
        value = sent[found[1]]
        return value if isinstance(value, str) else "" if value is None else show(value, limit=10_000)

    return _NAME.sub(put, text)


def misfits(stub: StubTool, state: Mapping[str, Any]) -> Iterator[tuple[tuple[int, str, str], str]]:
    """What does not fit together in a tool, each with its place: the number of the case, `set`, `from` or `when`, and
    the path or argument.
    """
    for number, case in enumerate(stub.cases):
        sources = [] if case.answer.source is None else [case.answer.source]
        for word, paths in (("set", list(case.set)), ("from", sources)):
            for path in paths:
                place = (number, word, path)
                table = path.split(".")[0]
                if table not in state:
                    yield place, f"{path}: no table `{table}` in the state; {hint(table, state)}"
                for argument in _NAME.findall(path):
                    if argument not in stub.args:
                        yield place, f"{path}: no argument `{argument}`; {hint(argument, stub.args)}"
        value = case.answer.value
        if isinstance(value, Mapping) and len(value) > 1 and str(value.get("from")).split(".")[0] in state:
            others = ", ".join(f"`{key}`" for key in value if key != "from")
            yield (
                (number, "from", str(value["from"])),
                f"`from` a state path stands alone, and here is {others} beside it: it gives back the one row or field "
                "at that path; a tool that looks for rows is written in Python (`sandbox:`)",
            )
        for argument in case.when:
            if argument not in stub.args:
                yield (number, "when", argument), f"when: no argument `{argument}`; {hint(argument, stub.args)}"
        if case.set and stub.kind != "writes":
            first = next(iter(case.set))
            yield (number, "set", first), f"sets {first}, so its kind is `writes`"
