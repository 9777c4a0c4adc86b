"""A scenario: one scripted conversation and what must come of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from harness.model.expect import ONE_CALL, Expect, Outcome, StatePattern
from harness.model.source import (
    ONE_OR_MANY,
    SCALAR_SCHEMA,
    Flag,
    Free,
    Item,
    Raw,
    Scalar,
    Text,
    Whole,
    is_null,
    members,
    place,
)
from tools_sandbox.nearest import nearest

Source = Literal["authored", "production", "generated", "recorded"]
"""Where a scenario comes from."""

Tier = Annotated[Literal["critical", "core", "explore"], Raw]

Phrases = Annotated[list[Text], *ONE_OR_MANY]
"""A phrase or a list of phrases."""


class Condition(Item):
    """When a line may be said; everything named must hold. `reply`: one of the phrases is in the agent's last reply;
    `called`, `not_called`: tools with (without) a successful call so far; `refused`: the last reply is a refusal.
    """

    reply: Phrases = []
    called: Phrases = []
    not_called: Phrases = []
    state: dict[str, StatePattern] = {}
    outcome: Outcome | None = None
    refused: Flag | None = None


def _fact(node: Any) -> Any:
    if isinstance(node, Scalar):
        return None if is_null(node) else node.raw
    return node


Fact = Annotated[str | None, BeforeValidator(_fact), WithJsonSchema(SCALAR_SCHEMA)]
"""Text as written, or null: the user does not have it."""


class Line(Item):
    """One scripted line of the user. Several messages are as many turns.

    `now`: goes out as soon as its condition holds, before any ask is answered, and changes what the user knows from
    then on.
    """

    short_forms = (SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA})

    say: Phrases = Field(min_length=1)
    after: Phrases = []
    before: Phrases = []
    when: Condition | None = None
    now: dict[str, Fact] | None = None
    expect: Expect | None = None

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if isinstance(node, dict):
            return node
        return {**place(node), "say": node}


class Answer(Item):
    """How an ask for a slot is recognised beyond the built-in ways, and what the user then says."""

    asked: Phrases = []
    say: Text | None = None


class Stance(Item):
    """An act by name (a tool, or words such as `store_credit`), and phrases that an agent proposes it with."""

    short_forms = (SCALAR_SCHEMA, {"type": "object", "minProperties": 1, "maxProperties": 1})

    name: Text
    phrases: Phrases = []

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if not isinstance(node, dict):
            return {**place(node), "name": node}
        if "name" in node:
            return node
        names = [key for key in node if key != "$at"]
        if len(names) != 1:
            raise ValueError("write a name, or one name with its phrases: `{store_credit: [shop voucher]}`")
        return {**place(node), "name": names[0], "phrases": node[names[0]]}


class Approval(Item):
    """The answer to a pause of the agent whose payload has at least these members."""

    match: dict[str, StatePattern] = {}
    answer: Free


class User(Item):
    """Who talks to the agent: a person with facts and a mind, and deterministic."""

    knows: dict[str, Fact] = {}
    answers: dict[str, Answer] = {}
    wants: list[Stance] = []
    agrees_to: list[Stance] = []
    declines: list[Stance] = []
    otherwise: Text | None = None
    language: Text | None = None
    turns: list[Line] = Field(min_length=1)
    approvals: list[Approval] = []
    max_turns: Whole = Field(20, ge=1)


class Step(Item):
    """One step of a gold path: a reply (with the outcome it states, if any) or a tool call."""

    short_forms = ONE_CALL

    reply: Text | None = None
    outcome: Outcome | None = None
    tool: Text | None = None
    arguments: dict[str, Free] = {}

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if isinstance(node, Scalar):
            return {**place(node), "tool": node}
        if not isinstance(node, dict) or "tool" in node or "reply" in node:
            return node
        tools = [key for key in node if key != "$at"]
        if len(tools) != 1:
            raise ValueError("a gold step is `reply: text` or one tool with its arguments")
        arguments = members(node[tools[0]])
        if isinstance(arguments, Scalar):
            guess = "; did you mean `reply`?" if nearest(tools[0], ["reply"]) else ""
            raise ValueError(f"`{tools[0]}` is followed by text, and only `reply` may be{guess}")
        return {**place(node), "tool": tools[0], "arguments": arguments}

    @model_validator(mode="after")
    def _one_form(self) -> Step:
        if (self.reply is None) == (self.tool is None):
            raise ValueError("a gold step is either a reply or a tool call")
        return self


class Scenario(Item):
    """One scripted conversation, resolved: variants are merged, `clock - 8 days` is computed."""

    id: Text
    family: Text
    title: Text = ""
    source: Annotated[Source, Raw] = "authored"
    tier: Tier = "core"
    clauses: list[Text] = []
    slices: dict[str, Text] = {}
    given: dict[str, Free] = {}
    speaker: Text = "unknown"
    user: User
    expect: Expect
    gold: list[Step] = []
    variant_of: Text | None = None
