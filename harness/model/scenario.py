"""A scenario: one scripted conversation and what must come of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from harness.model.expect import Expect, Outcome, StatePattern
from harness.model.source import Flag, Free, Item, Raw, Scalar, Text, Whole

Tier = Annotated[Literal["critical", "core", "explore"], Raw]

Phrases = Annotated[list[Text], BeforeValidator(lambda node: node if isinstance(node, list) else [node])]
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
        return None if node.plain and node.raw in ("null", "") else node.raw
    return node


Fact = Annotated[str | None, BeforeValidator(_fact)]
"""Text as written, or null: the user does not have it."""


class Line(Item):
    """One scripted line of the user. Several messages are as many turns.

    `now`: goes out as soon as its condition holds, before any ask is answered, and changes what the user knows from
    then on.
    """

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
        place = {"$at": node.at} if hasattr(node, "at") else {}
        return {**place, "say": node}


class Answer(Item):
    """How an ask for a slot is recognised beyond the built-in ways, and what the user then says."""

    asked: Phrases = []
    say: Text | None = None


class Stance(Item):
    """An act by name (a tool, or words such as `store_credit`), and phrases that an agent proposes it with."""

    name: Text
    phrases: Phrases = []

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        place = {"$at": node.at} if hasattr(node, "at") else {}
        if not isinstance(node, dict):
            return {**place, "name": node}
        if "name" in node:
            return node
        names = [key for key in node if key != "$at"]
        if len(names) != 1:
            raise ValueError("write a name, or one name with its phrases: `{store_credit: [shop voucher]}`")
        return {**place, "name": names[0], "phrases": node[names[0]]}


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

    reply: Text | None = None
    outcome: Outcome | None = None
    tool: Text | None = None
    arguments: dict[str, Free] = {}

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if not isinstance(node, dict) or "tool" in node:
            return node
        place = {"$at": node.at} if hasattr(node, "at") else {}
        if "reply" in node:
            reply = node["reply"]
            said = (
                {"reply": reply["text"], "outcome": reply.get("outcome")}
                if isinstance(reply, dict) and "text" in reply
                else {}
            )
            return {**place, **node, **said}
        tools = [key for key in node if key != "$at"]
        if len(tools) != 1:
            raise ValueError("a gold step is `reply: text` or one tool with its arguments")
        return {**place, "tool": tools[0], "arguments": node[tools[0]] or {}}


class Scenario(Item):
    """One scripted conversation, resolved: variants are merged, `clock - 8 days` is computed."""

    id: Text
    family: Text
    title: Text = ""
    source: Annotated[Literal["authored", "production", "generated", "recorded"], Raw] = "authored"
    tier: Tier = "core"
    clauses: list[Text] = []
    slices: dict[str, Text] = {}
    given: dict[str, Free] = {}
    speaker: Text = "unknown"
    user: User
    expect: Expect
    gold: list[Step] = []
    variant_of: Text | None = None
