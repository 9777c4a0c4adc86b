"""A small shop's tools, scenarios for it, and a conversation that a scripted user takes part in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from harness.model.episode import Ask, AskKind, Message
from harness.model.scenario import Scenario
from harness.users.scripted import Script, ScriptedUser
from harness.users.view import Done, Say
from tools_sandbox.call import Call, CallError, Change
from tools_sandbox.matching import ABSENT
from tools_sandbox.schema import FieldSchema, FieldType, SandboxSchema, TableSchema, ToolSpec

ORDER_ID = {"order_id": FieldType("text")}
MONEY = {**ORDER_ID, "amount": FieldType("decimal")}


def spec(
    name: str, kind: Any, about: str = "", arguments: dict[str, FieldType] | None = None, **marks: Any
) -> ToolSpec:
    return ToolSpec(name, about, kind, {}, arguments or {}, **marks)


SHOP = SandboxSchema(
    {"orders": TableSchema({"total": FieldSchema(FieldType("decimal")), "status": FieldSchema(FieldType("text"))})},
    {
        tool.name: tool
        for tool in (
            spec("verify_identity", "writes", "Check who the customer is.", proves="customer_id"),
            spec("get_order", "reads", "Look an order up.", ORDER_ID),
            spec("search_policy", "reads", "Passages of the policy.", {"query": FieldType("text")}, retrieves=True),
            spec("issue_refund", "writes", "Give the money back to the card that the order was paid with.", MONEY),
            spec("issue_store_credit", "writes", "Give the amount as credit for the shop.", MONEY),
            spec("cancel_order", "writes", "Cancel an order that was not shipped.", ORDER_ID),
            spec("change_address", "writes", "Change where an order goes.", {**ORDER_ID, "address": FieldType("text")}),
            spec("schedule_pickup", "writes", "Let a courier fetch it.", {**ORDER_ID, "day": FieldType("date")}),
            spec("escalate_to_human", "writes", "Hand the conversation over to a person.", ends="escalated"),
        )
    },
)
REFUND = {"issue_refund": {"order_id": "O-1001", "amount": "49.90"}}
KNOWS = {"order_id": "O-1001", "email": "ana@example.com", "phone": None}


def scenario(turns: list[Any] | None = None, expect: Any = None, **rest: Any) -> Scenario:
    """A refund scenario; `user` keys among `rest` are merged into the user."""
    top = {key: rest.pop(key) for key in ("slices", "gold") if key in rest}
    user = {"knows": KNOWS, "turns": turns or ["My blender arrived broken."], **rest}
    expect = {"calls": {"required": ["verify_identity", REFUND]}} if expect is None else expect
    return Scenario.model_validate({"id": "s", "family": "refunds", "user": user, "expect": expect, **top})


@dataclass
class Talk:
    """What the user sees. `hears` gives it a reply and returns what it does then."""

    user: ScriptedUser
    replies: list[Message] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    outcome: str | None = None
    state: dict[str, Any] = field(default_factory=dict)

    def value(self, path: str) -> Any:
        return self.state.get(path, ABSENT)

    def begins(self) -> Say | Done:
        return self.user.next(self)

    def hears(self, *texts: str, asks: list[Ask] | None = None, refusal: bool = False) -> Say | Done:
        """Without `asks`, what the texts ask is recognised."""
        heard = [self.user.recognise(text) for text in texts]
        self.replies = [
            Message("agent", text, 1, 0.0, None, found.asks if asks is None else (), found.refusal or refusal)
            for text, found in zip(texts, heard, strict=True)
        ]
        if asks is not None:
            self.replies[-1].asks = tuple(asks)
        return self.user.next(self)

    def says(self, *texts: str, **how: Any) -> str:
        """The text of the user's answer."""
        answer = self.hears(*texts, **how)
        assert isinstance(answer, Say), answer
        return answer.text

    def called(self, tool: str, error: str | None = None, change: Change | None = None, **arguments: Any) -> None:
        problem = CallError("refused", error) if error else None
        kind = SHOP.tools[tool].kind
        call = Call(f"c{len(self.calls)}", 1, tool, None, arguments, kind, error=problem)
        self.calls.append(call)
        if change:
            call.changes.append(change)


def talk(of: Scenario | None = None, schema: SandboxSchema = SHOP) -> Talk:
    """A conversation that has not begun."""
    return Talk(ScriptedUser(Script.of(of or scenario(), schema)))


def begun(of: Scenario | None = None, schema: SandboxSchema = SHOP) -> Talk:
    """A conversation after the user's first line."""
    started = talk(of, schema)
    started.begins()
    return started


def slot(name: str, quote: str = "What is it?") -> Ask:
    return Ask(AskKind.SLOT, quote, name)


def readback(name: str | None, value: str) -> Ask:
    return Ask(AskKind.READBACK, f"Is it {value}?", name, value)


def proposal(quote: str) -> Ask:
    return Ask(AskKind.PROPOSAL, quote)


def choice(quote: str, *options: str) -> Ask:
    return Ask(AskKind.CHOICE, quote, options=options)


def other(quote: str) -> Ask:
    return Ask(AskKind.OTHER, quote)
