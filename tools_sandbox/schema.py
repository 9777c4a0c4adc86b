"""The shape of a sandbox as plain data: its tables, field types, tools and their marks.

It is stored with every run, so that an episode can be scored again without the sandbox's code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

TypeName = Literal[
    "text", "integer", "number", "decimal", "boolean", "date", "datetime", "list", "record", "map", "any"
]


@dataclass(frozen=True, slots=True)
class FieldType:
    """How values of one field are read and compared. `of`: the items of a list or the values of a map;
    `fields`: the members of a record; `choices`: the only texts allowed (an enum or Literal).
    """

    name: TypeName
    nullable: bool = False
    of: FieldType | None = None
    fields: dict[str, FieldType] = field(default_factory=dict)
    choices: tuple[str, ...] = ()


ANY = FieldType("any", nullable=True)


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """A field of a table's rows. `owner`: the field of the same row that names the account whose private datum it
    is (None: not private).
    """

    type: FieldType
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table: its fields (empty for a table of free rows) and the field that names the account a row belongs to
    (the `owner` that its private marks agree on, else None).
    """

    fields: dict[str, FieldSchema] = field(default_factory=dict)
    account: str | None = None


Need = Literal["identity", "consent"]

Outcome = Literal["resolved", "escalated", "refused", "open"]
"""How a conversation came out."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool, as an agent is told of it and as the checks need it.

    `parameters` is the JSON Schema of the arguments object, `arguments` the same as types to compare by; those of a
    sandbox are shared by all episodes and can't be changed (`copy.deepcopy` gives what can). Marks:
    `proves` names the field of the result (or argument) that holds the account a success identifies, `needs` what must
    come before a call, `ends` the outcome that a success stands for, `retrieves` that its results are knowledge.
    """

    name: str
    description: str
    kind: Literal["reads", "writes"]
    parameters: dict[str, Any]
    arguments: dict[str, FieldType] = field(default_factory=dict)
    proves: str | None = None
    needs: tuple[Need, ...] = ()
    ends: Outcome | None = None
    retrieves: bool = False


@dataclass(frozen=True, slots=True)
class SandboxSchema:
    """Everything about a sandbox that scoring needs. JSON round trip: `pydantic.TypeAdapter(SandboxSchema)`.

    `sources`: digests of what its tools do, which tell whether two runs had the same: fixed cases by their tool, Python
    by its file.
    """

    tables: dict[str, TableSchema] = field(default_factory=dict)
    tools: dict[str, ToolSpec] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
