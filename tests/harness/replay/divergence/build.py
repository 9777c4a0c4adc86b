"""Hand-made sides of a replay, of a shop whose tools are told by their names."""

from __future__ import annotations

from typing import Any

from harness.model.replay import Side
from harness.model.status import PASSED, Judgement, failed
from tools_sandbox.call import Call, CallError, Change
from tools_sandbox.schema import FieldType, SandboxSchema, ToolSpec

READS = ("get_order", "get_customer", "search")
WRITES = ("refund", "cancel", "note")
SHOP = SandboxSchema(
    tools={
        **{name: ToolSpec(name, "", "reads", {}) for name in READS},
        **{name: ToolSpec(name, "", "writes", {}) for name in WRITES},
        "refund": ToolSpec("refund", "", "writes", {}, {"id": FieldType("text"), "amount": FieldType("decimal")}),
    }
)
"""`amount` is money: "49.90" and 49.9 are one."""


def call(tool: str, /, *, turn: int = 1, error: str | None = None, result: Any = "ok", **arguments: Any) -> Call:
    """A call that succeeded, or failed with this text."""
    told = None if error is None else CallError("refused", error)
    return Call("c", turn, tool, None, arguments, None, result=None if told else result, error=told)


def changing(made: Call, *changes: Change) -> Call:
    """The call, seen to change these rows."""
    made.changes = list(changes)
    return made


def row(table: str, key: str, **after: Any) -> Change:
    """A row that was added."""
    return Change(table, key, None, after)


def side(
    *calls: Call, replies: tuple[tuple[int, str], ...] = (), critical: tuple[str, ...] = (), **judged: Any
) -> Side:
    """A side with these calls; judgements by name: True, False, or a judgement."""
    judgements: dict[str, Judgement] = {
        name: (PASSED if value else failed("it broke")) if isinstance(value, bool) else value
        for name, value in judged.items()
    }
    return Side(calls, replies, judgements=judgements, critical=frozenset(critical))
