"""Hand-made episodes of a small shop, and what they are scored against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from harness.model.episode import (
    AgentVersion,
    Because,
    Digests,
    End,
    Episode,
    EpisodeKey,
    Message,
    ModelCall,
    Turn,
    Unsaid,
    Usage,
)
from harness.model.material import Document, Material, Price
from harness.model.scenario import Scenario
from harness.model.workflow import Workflow
from tools_sandbox.call import Call, CallError, Change, ErrorKind, Json, Passage, Proof
from tools_sandbox.schema import FieldSchema, FieldType, SandboxSchema, TableSchema, ToolSpec

TEXT = FieldType("text")
MAYBE_TEXT = FieldType("text", nullable=True)
DECIMAL = FieldType("decimal")
DATE = FieldType("date", nullable=True)


def _tool(name: str, kind: str, /, *, marks: dict[str, Any] | None = None, **arguments: FieldType) -> ToolSpec:
    return ToolSpec(name, name.replace("_", " "), kind, {}, arguments, **(marks or {}))  # type: ignore[arg-type]


SHOP = SandboxSchema(
    tables={
        "customers": TableSchema(
            {
                "customer_id": FieldSchema(TEXT),
                "name": FieldSchema(TEXT, owner="customer_id"),
                "email": FieldSchema(TEXT, owner="customer_id"),
                "address": FieldSchema(TEXT, owner="customer_id"),
            },
            account="customer_id",
        ),
        "orders": TableSchema(
            {
                "order_id": FieldSchema(TEXT),
                "customer_id": FieldSchema(TEXT),
                "status": FieldSchema(TEXT),
                "total": FieldSchema(DECIMAL),
                "delivered_on": FieldSchema(DATE),
                "address": FieldSchema(MAYBE_TEXT, owner="customer_id"),
            },
            account="customer_id",
        ),
        "refunds": TableSchema(
            {
                "refund_id": FieldSchema(TEXT),
                "order_id": FieldSchema(TEXT),
                "amount": FieldSchema(DECIMAL),
                "method": FieldSchema(TEXT),
            }
        ),
        "notes": TableSchema({"text": FieldSchema(TEXT)}),
        "tickets": TableSchema({"summary": FieldSchema(TEXT)}),
    },
    tools={
        tool.name: tool
        for tool in (
            _tool("verify_identity", "reads", marks={"proves": "customer_id"}, email=TEXT),
            _tool("get_order", "reads", order_id=TEXT),
            _tool("get_customer", "reads", customer_id=TEXT),
            _tool("search_policy", "reads", marks={"retrieves": True}, query=TEXT),
            _tool(
                "issue_refund",
                "writes",
                marks={"needs": ("identity", "consent")},
                order_id=TEXT,
                amount=DECIMAL,
                method=MAYBE_TEXT,
            ),
            _tool("cancel_order", "writes", marks={"needs": ("identity", "consent")}, order_id=TEXT),
            _tool("change_address", "writes", marks={"needs": ("identity",)}, order_id=TEXT, address=TEXT),
            _tool("add_note", "writes", text=TEXT),
            _tool("escalate_to_human", "writes", marks={"ends": "escalated"}, summary=TEXT),
        )
    },
)

START: dict[str, dict[str, dict[str, Json]]] = {
    "customers": {
        "C-7": {"customer_id": "C-7", "name": "Ana Ruiz", "email": "ana@example.com", "address": "Calle Mayor 1"},
        "C-8": {"customer_id": "C-8", "name": "Ben Ode", "email": "ben@example.com", "address": "Hill Road 2"},
    },
    "orders": {
        "O-1001": {
            "order_id": "O-1001",
            "customer_id": "C-7",
            "status": "delivered",
            "total": "49.90",
            "delivered_on": "2026-11-12",
            "address": "Calle Mayor 1",
        },
        "O-2002": {
            "order_id": "O-2002",
            "customer_id": "C-8",
            "status": "shipped",
            "total": "15.00",
            "delivered_on": None,
            "address": "Hill Road 2",
        },
    },
    "refunds": {},
    "notes": {},
    "tickets": {},
}


def changed(table: str, key: str, before: dict[str, Json] | None, after: dict[str, Json] | None) -> Change:
    """One row's change."""
    return Change(table, key, before, after)


def altered(table: str, key: str, **fields: Json) -> Change:
    """A change of some fields of a row of the start state."""
    before = START[table][key]
    return Change(table, key, dict(before), {**before, **fields})


def added(table: str, key: str, **fields: Json) -> Change:
    """A new row."""
    return Change(table, key, None, fields)


def call(
    tool: str,
    arguments: dict[str, Json] | None = None,
    /,
    *,
    result: Json = None,
    error: str | CallError | None = None,
    kind: ErrorKind = "refused",
    changes: tuple[Change, ...] = (),
    proves: str | None = None,
    raw: str | None = None,
    passages: tuple[Passage, ...] = (),
    broken: tuple[str, ...] = (),
    fault: str | None = None,
) -> Call:
    """A tool call; turn, id and times are set by `episode`. `proves`: the account that a success established."""
    spec = SHOP.tools.get(tool)
    given = arguments if arguments is not None or raw is not None else {}
    failure = CallError(kind, error) if isinstance(error, str) else error
    return Call(
        id="",
        turn=0,
        tool=tool,
        raw=raw,
        arguments=given,
        kind=spec.kind if spec else None,
        result=result,
        error=failure,
        changes=list(changes),
        broken=list(broken),
        proof=Proof(spec.proves or "customer_id", proves, dict(given or {})) if spec and proves else None,
        ends=spec.ends if spec and failure is None else None,
        passages=list(passages),
        fault=fault,
    )


def verify(email: str = "ana@example.com", account: str = "C-7") -> Call:
    """A successful verify_identity."""
    return call("verify_identity", {"email": email}, result={"customer_id": account}, proves=account)


def refund(order: str = "O-1001", amount: str = "49.90", key: str = "R-1") -> Call:
    """A successful issue_refund with both changes that it makes."""
    return call(
        "issue_refund",
        {"order_id": order, "amount": amount},
        result={"refund_id": key},
        changes=(
            altered("orders", order, status="refunded"),
            added("refunds", key, refund_id=key, order_id=order, amount=amount, method="card"),
        ),
    )


def said(text: str, *asks: Any, refusal: bool = False) -> Message:
    """A message of the agent, with the asks recognised in it."""
    return Message("agent", text, 0, asks=tuple(asks), refusal=refusal)


def user(text: str, *, line: int | None = None, **because: Any) -> Message:
    """A message of the user: a scripted line if `line` is given, else an answer; other fields are those of Because."""
    reason = because.pop("reason", "line" if line is not None else "asks")
    return Message("user", text, 0, because=Because(reason, line=line, **because))


def episode(
    *events: str | Message | Call,
    speaker: str = "C-7",
    end: End | None = None,
    outcome: str = "resolved",
    unsaid: tuple[Unsaid, ...] = (),
    usage: Usage | None = None,
    knows: Mapping[str, str | None] | None = None,
    **fields: Any,
) -> Episode:
    """An episode from what happened, in order: a text is the user's next scripted line (counted from 0), every user
    message opens a turn, and every event takes one second from 2026-11-20 on. `usage` is that of one model call a turn.
    """
    now = 1795132800.0
    messages: list[Message] = []
    calls: list[Call] = []
    turns: list[Turn] = []
    models: list[ModelCall] = []
    line: int | None = None
    for event in events:
        now += 1
        if isinstance(event, str):
            event = user(event, line=0 if line is None else line + 1)
        if isinstance(event, Message) and event.role == "user":
            if event.because is not None and event.because.line is not None:
                line = event.because.line
            turns.append(Turn(len(turns) + 1, now, now, dict(knows or {}), line))
            if usage is not None:
                models.append(ModelCall(len(turns), "tiny-1", usage, started=now, ended=now))
        if isinstance(event, Message):
            made = sum(made.turn == len(turns) for made in calls)
            messages.append(replace(event, turn=len(turns), at=now, after=made if event.role == "agent" else None))
        else:
            calls.append(
                replace(event, turn=len(turns), id=event.id or f"c{len(calls) + 1}", started=now, ended=now + 0.5)
            )
        if turns:
            turns[-1] = replace(turns[-1], ended=now + 0.5)
    values: dict[str, Any] = {
        "key": EpisodeKey("run", "agent@1", "scenario", 0),
        "attempt": 1,
        "seed": 7,
        "clock": "2026-11-20T10:00:00+01:00",
        "digests": Digests("a", "b", "c", "d", "e", "f"),
        "agent": AgentVersion("agent", "1", "digest", model="tiny-1"),
        "speaker": speaker,
        "conversation_id": "talk",
        "messages": messages,
        "turns": turns,
        "calls": calls,
        "model_calls": models,
        "pauses": [],
        "state_changes": net(calls),
        "end": end or End("script_done"),
        "unsaid": list(unsaid),
        "outcome": outcome,
        "started": 1795132800.0,
        "ended": now + 1,
    }
    return Episode(**{**values, **fields})


def net(calls: list[Call]) -> list[Change]:
    """The difference between start and end state that the calls' changes add up to."""
    merged: dict[tuple[str, str], Change] = {}
    for made in calls:
        for change in made.changes:
            first = merged.get((change.table, change.key))
            merged[change.table, change.key] = replace(change, before=first.before if first else change.before)
    return [change for change in merged.values() if change.before != change.after]


def workflow(**fields: Any) -> Workflow:
    """The shop's workflow with one family, `refunds`."""
    family = {
        "about": "Refunds",
        "source": ["authored"],
        "measures": ["task_success"],
        "failures": ["TO1"],
        "gate": [{"rule": "works", "metric": "task_success", "at_least": 0.9}],
        "review": {},
    }
    return Workflow.model_validate({"workflow": "shop", "scenario_map": {"refunds": family}, **fields})


def material(
    expect: dict[str, Any] | None = None,
    *,
    user: dict[str, Any] | None = None,
    rules: list[dict[str, Any]] | None = None,
    start: Mapping[str, Mapping[str, Mapping[str, Json]]] | None = None,
    measures: list[str] | None = None,
    knowledge: tuple[Document, ...] = (),
    faulty: str | None = None,
    scenario: dict[str, Any] | None = None,
    **fields: Any,
) -> Material:
    """What to score against: the shop, with these expectations, user, rules and further workflow fields."""
    team = workflow(rules=rules or [], **fields)
    if measures is not None:
        row = team.scenario_map["refunds"].model_copy(update={"measures": measures})
        team = team.model_copy(update={"scenario_map": {"refunds": row}})
    return Material(
        team,
        Scenario.model_validate(
            {
                "id": "scenario",
                "family": "refunds",
                "speaker": "C-7",
                "user": {"turns": ["Hello."], **(user or {})},
                "expect": expect or {},
                **(scenario or {}),
            }
        ),
        SHOP,
        start if start is not None else START,
        knowledge,
        (Price("tiny-1", date(2026, 1, 1), Decimal("1"), Decimal("2"), Decimal("0.5")),),
        faulty,
    )
