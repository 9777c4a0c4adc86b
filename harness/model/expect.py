"""Expectations and matchers: one grammar for a turn, for the end of a scenario, and for a rule's limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, InstanceOf, PlainSerializer, WithJsonSchema, model_validator

from harness.model.failure import CODES
from harness.model.source import (
    ONE_OR_MANY,
    SCALAR_SCHEMA,
    Item,
    Number,
    Raw,
    Scalar,
    Text,
    Whole,
    free,
    kind_of,
    members,
    place,
    portable,
)
from tools_sandbox import schema
from tools_sandbox.patterns import WORDS, Listed, Matcher, Pattern, Subset

Outcome = Annotated[schema.Outcome, Raw]


def _text(node: Any) -> str:
    if isinstance(node, Scalar):
        return node.raw
    if isinstance(node, str):
        return node
    raise ValueError(f"expected text, not {kind_of(node)}")


def _operand(word: str, node: Any) -> Any:
    if word in ("mentions", "like"):
        return _text(node)
    value = free(node)
    if word == "between" and not (isinstance(value, list) and len(value) == 2):
        raise ValueError("between takes a list of two values, lowest first")
    if word == "one_of" and not (isinstance(value, list) and value):
        raise ValueError("one_of takes a list of values")
    if word in ("any", "absent") and value is not True:
        raise ValueError(f"write `{word}` or `{word}: true`")
    return value


def _matcher(node: Any, bare: Literal["equals", "mentions"]) -> Matcher:
    if isinstance(node, Matcher):
        return node
    if isinstance(node, dict):
        if not node:
            raise ValueError("an empty mapping tests nothing")
        for word in node:
            if word not in WORDS:
                raise ValueError(f"unknown matcher `{word}`; known: {', '.join(WORDS)}")
        return Matcher({word: _operand(word, operand) for word, operand in node.items()})
    if bare == "mentions":
        return Matcher({"mentions": _text(node)})
    if isinstance(node, Scalar) and node.plain and node.raw in ("any", "absent"):
        return Matcher({node.raw: True})  # type: ignore[dict-item]
    return Matcher({"equals": free(node)})


def pattern(node: Any, *, ordered: bool) -> Pattern:
    """The pattern that a node describes. A mapping of matcher words is a matcher, `contains: […]` a list with others
    allowed, any other mapping a subset; a list is matched one to one, by position where `ordered`.
    """
    if isinstance(node, Matcher | Subset | Listed):
        return node
    if isinstance(node, dict):
        if node.keys() == {"contains"}:
            if not isinstance(node["contains"], list):
                raise ValueError("contains takes a list")
            return Listed(tuple(pattern(item, ordered=ordered) for item in node["contains"]), contains=True)
        if node and all(word in WORDS for word in node):
            return _matcher(node, "equals")
        return Subset({key: pattern(member, ordered=ordered) for key, member in node.items() if key != "$at"})
    if isinstance(node, list):
        return Listed(tuple(pattern(item, ordered=ordered) for item in node), ordered=ordered)
    return _matcher(node, "equals")


def literally(value: Any) -> Pattern:
    """The pattern of a value that is no pattern itself: what reads like a matcher is a key like any other. A mapping is
    a subset, a list is matched in order.
    """
    if isinstance(value, dict):
        return Subset({key: literally(member) for key, member in value.items()})
    if isinstance(value, list):
        return Listed(tuple(map(literally, value)), ordered=True)
    return Matcher({"equals": value})


def written(value: Pattern) -> Any:
    """A pattern as JSON, in the form it is written in."""
    if isinstance(value, Matcher):
        return {word: portable(operand) for word, operand in value.tests.items()}
    if isinstance(value, Subset):
        return {key: written(member) for key, member in value.members.items()}
    items = [written(item) for item in value.items]
    return {"contains": items} if value.contains else items


_MATCHER_SCHEMA: dict[str, Any] = {
    "description": "a value (equal), any, absent, or a mapping of: " + ", ".join(WORDS),
}

Match = Annotated[
    InstanceOf[Matcher],
    BeforeValidator(lambda node: _matcher(node, "equals")),
    PlainSerializer(written),
    WithJsonSchema(_MATCHER_SCHEMA),
]
StatePattern = Annotated[
    InstanceOf[Matcher] | InstanceOf[Subset] | InstanceOf[Listed],
    BeforeValidator(lambda node: pattern(node, ordered=False)),
    PlainSerializer(written),
    WithJsonSchema(
        {"description": "a value or matcher; a mapping (subset); a list (one to one, any order); {contains: […]}"}
    ),
]
ArgumentPattern = Annotated[
    InstanceOf[Matcher] | InstanceOf[Subset] | InstanceOf[Listed],
    BeforeValidator(lambda node: pattern(node, ordered=True)),
    PlainSerializer(written),
    WithJsonSchema({"description": "a value or matcher; a mapping (subset); a list (in order); {contains: […]}"}),
]


def _known_code(code: Any) -> Any:
    raw = _text(code)
    if raw not in CODES:
        raise ValueError(f"unknown failure code `{raw}`; known: {', '.join(CODES)}")
    return raw


Code = Annotated[str, BeforeValidator(_known_code), WithJsonSchema({"type": "string", "enum": list(CODES)})]


ONE_CALL: tuple[dict[str, Any], ...] = (
    {"type": "string"},
    {"type": "object", "minProperties": 1, "maxProperties": 2, "description": "one tool with its arguments"},
)
"""JSON Schemas of the short forms of a call: a tool, or one tool with its arguments."""


class Words(Item):
    """Text that must (or must not) stand in one message: bare text is `mentions`."""

    short_forms = (
        SCALAR_SCHEMA,
        {
            "type": "object",
            "properties": {"mentions": SCALAR_SCHEMA, "like": SCALAR_SCHEMA, "code": {"enum": list(CODES)}},
            "additionalProperties": False,
        },
    )

    match: Match
    code: Code | None = None

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if isinstance(node, dict) and "match" not in node:
            tests = {word: operand for word, operand in node.items() if word not in ("code", "$at")}
            for word in tests:
                if word not in ("mentions", "like"):
                    raise ValueError(f"a reply is held against `mentions` or `like`, not `{word}`")
            rest = {key: node[key] for key in ("code", "$at") if key in node}
            return {**place(node), **rest, "match": _matcher(tests, "mentions")}
        return node if isinstance(node, dict) else {**place(node), "match": _matcher(node, "mentions")}


class CallItem(Item):
    """One tool call that is expected or forbidden: a tool, and patterns for some of its arguments."""

    short_forms = ONE_CALL

    tool: Text
    arguments: dict[str, ArgumentPattern] = {}
    code: Code | None = None

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if not isinstance(node, dict):
            return {**place(node), "tool": _text(node)}
        if "tool" in node and not isinstance(node["tool"], dict):
            return node
        tools = [key for key in node if key not in ("code", "$at")]
        if len(tools) != 1:
            raise ValueError("write a tool, or one tool with its arguments: `{issue_refund: {order_id: O-1}}`")
        rest = {key: node[key] for key in ("code", "$at") if key in node}
        return {**place(node), **rest, "tool": tools[0], "arguments": members(node[tools[0]])}


_LIMITS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": 0},
    "description": "most calls by tool: `{issue_refund: 1}`",
}


class Limit(Item):
    """At most so many calls that fit."""

    call: CallItem
    times: Whole = Field(ge=0)


def _pair(node: Any) -> Any:
    if not (isinstance(node, list | tuple) and len(node) == 2):
        raise ValueError("expected a pair of calls, the earlier first: `[verify_identity, issue_refund]`")
    return node


def _limits(node: Any) -> Any:
    if isinstance(node, dict) and not isinstance(node, Limit):
        return [{"call": tool, "times": times} for tool, times in node.items() if tool != "$at"]
    return node


class Calls(Item):
    """What must be called, in which order, and what must not. `required` pairs items with calls one to one; `in_order`
    is a subsequence; each pair of `before` says that a first success of the first precedes every call of the second.
    """

    required: list[CallItem] = []
    in_order: list[CallItem] = []
    before: list[Annotated[tuple[CallItem, CallItem], BeforeValidator(_pair)]] = []
    never: list[CallItem] = []
    at_most: Annotated[list[Limit], BeforeValidator(_limits), WithJsonSchema(_LIMITS_SCHEMA)] = []

    @property
    def asks(self) -> bool:
        """Whether it asks for anything."""
        return bool(self.required or self.in_order or self.before or self.never or self.at_most)


class Budget(Item):
    """Upper limits on one episode. Seconds for times, the price table's currency for money."""

    turns: Whole | None = Field(None, ge=1)
    tool_calls: Whole | None = Field(None, ge=0)
    tokens: Whole | None = Field(None, ge=0)
    cost: Number | None = Field(None, ge=0)
    seconds: Number | None = Field(None, ge=0)

    @property
    def asks(self) -> bool:
        """Whether it sets any limit."""
        limits = (self.turns, self.tool_calls, self.tokens, self.cost, self.seconds)
        return any(limit is not None for limit in limits)


WordsList = Annotated[list[Words], *ONE_OR_MANY]


class Expect(Item):
    """What must have come of a turn or of the whole conversation. Everything named must hold; with `any_of`, everything
    named and one of the branches.
    """

    short_forms = ({"type": "array", "description": "short for `says`"},)

    outcome: Outcome | None = None
    by_turn: Whole | None = Field(None, ge=1)
    state: dict[str, StatePattern] | None = None
    calls: Calls | None = None
    says: WordsList = []
    never_says: WordsList = []
    asks_before: dict[str, list[Text]] = {}
    retained: list[Text] = []
    budget: Budget | None = None
    any_of: list[Expect] = []

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        if isinstance(node, list):
            return {**place(node), "says": node}
        return node

    @property
    def can_fail(self) -> bool:
        """Whether anything is asked for. A branch of `any_of` that asks for nothing holds whatever happens."""
        asked = (self.outcome, self.state, self.says, self.never_says, self.retained, any(self.asks_before.values()))
        within = (one is not None and one.asks for one in (self.calls, self.budget))
        return any(map(bool, asked)) or any(within) or (bool(self.any_of) and all(one.can_fail for one in self.any_of))
