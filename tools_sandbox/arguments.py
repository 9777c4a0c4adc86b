"""The arguments of a tool: their JSON Schema, and reading what an agent sent."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from typing_extensions import TypedDict

from tools_sandbox.call import Json
from tools_sandbox.frozen import freeze
from tools_sandbox.nearest import hint
from tools_sandbox.problem import SandboxProblem, explain
from tools_sandbox.schema import FieldType
from tools_sandbox.shape import field_type
from tools_sandbox.values import to_json

_typed_dict: Any = TypedDict
"""Unlike a model's, its fields may have any name (`copy`, `schema`), and those left out stay out."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument. `default` is shown in the schema; the tool itself fills it in."""

    name: str
    annotation: Any
    about: str = ""
    required: bool = True
    default: Any = None


class BadArguments(ValueError):
    """What an agent sent can't be read; the text is meant for the agent."""


class Arguments:
    """The arguments of one tool. Built once; `read` is the hot path.

    `parameters`: JSON Schema of the arguments object. `types`: what each is compared by.
    """

    def __init__(self, tool: str, arguments: Sequence[Argument]) -> None:
        members = {one.name: _annotation(one) if one.required else NotRequired[_annotation(one)] for one in arguments}
        shape = _typed_dict(tool, members)
        shape.__pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)
        try:
            adapter: TypeAdapter[dict[str, Any]] = TypeAdapter(shape)
            schema = adapter.json_schema()
        except PydanticUserError as problem:
            raise SandboxProblem([f"{tool}: its arguments have no JSON form: {problem.message}"]) from None
        self._validate = adapter.validator.validate_python
        self.parameters: dict[str, Any] = freeze({"properties": {}, **_untitled(schema)})
        self.types: dict[str, FieldType] = freeze({one.name: field_type(one.annotation) for one in arguments})

    def read(self, sent: Mapping[str, Json]) -> dict[str, Any]:
        """The arguments as Python values; those left out are not in it. Raises BadArguments."""
        try:
            values: dict[str, Any] = self._validate(sent)
        except ValidationError as error:
            raise BadArguments("; ".join(explain(error, self.types, "argument"))) from None
        return values


def signature_of(method: Callable[..., Any], about: Mapping[str, str]) -> list[Argument]:
    """The arguments of a tool method, `self` aside. Raises SandboxProblem for a signature that no agent could call."""
    name = method.__qualname__
    try:
        hints = typing.get_type_hints(method, include_extras=True)
    except NameError as problem:
        raise SandboxProblem(
            [f"{name}: a type hint names `{problem.name}`, which its module does not define"]
        ) from None
    problems: list[str] = []
    arguments: list[Argument] = []
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            problems.append(f"{name}: an agent passes arguments by name, so `{parameter}` can't be filled")
        elif parameter.name not in hints:
            problems.append(f"{name}: `{parameter.name}` has no type hint")
        else:
            required = parameter.default is parameter.empty
            default = None if required else parameter.default
            described = about.get(parameter.name, "")
            arguments.append(Argument(parameter.name, hints[parameter.name], described, required, default))
    known = [argument.name for argument in arguments]
    problems += [
        f"{name}: the docstring describes `{described}`, which is no argument; {hint(described, known)}"
        for described in about
        if described not in known and not problems
    ]
    if problems:
        raise SandboxProblem(problems)
    return arguments


def _annotation(argument: Argument) -> Any:
    extra = {} if argument.required or argument.default is None else {"default": to_json(argument.default)}
    if not extra and not argument.about:
        return argument.annotation
    return Annotated[argument.annotation, Field(description=argument.about or None, json_schema_extra=extra or None)]


def _untitled(schema: Any) -> Any:
    """The schema without the titles that pydantic makes up from names."""
    if isinstance(schema, list):
        return [_untitled(member) for member in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: member if key in ("default", "enum", "const", "examples") else _untitled(member)
        for key, member in schema.items()
        if key != "title" or not isinstance(member, str)
    }
