"""What a conversation has brought to light so far, read anew from its messages at every step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from .understanding import ORDER_ID, Intent, Understood, language, understand

TASKS = frozenset(
    {
        Intent.CANCEL,
        Intent.CHANGE_ADDRESS,
        Intent.REFUND,
        Intent.RETURN,
        Intent.STORE_CREDIT,
        Intent.TRACK,
        Intent.OWN_DETAILS,
    }
)
"""What takes several turns: it stays the task until another one is named."""


@dataclass(frozen=True, slots=True)
class Made:
    """A tool call that was made, and what it gave: `result` on success, else `error`."""

    tool: str
    arguments: dict[str, Any]
    result: Any = None
    error: str | None = None


@dataclass(slots=True)
class Case:
    """The state of one conversation."""

    language: str
    last: Understood
    task: Intent | None = None
    request: str = ""
    """The message that named the task."""
    order_id: str | None = None
    email: str | None = None
    address: str | None = None
    said: str = ""
    """The agent's last words before the customer's last message."""
    made: list[Made] = field(default_factory=list)
    fresh: list[Made] = field(default_factory=list)
    """Calls since the customer's last message."""

    def result(self, tool: str, **arguments: Any) -> Made | None:
        """The last call of a tool with these arguments."""
        wanted = arguments.items()
        return next((m for m in reversed(self.made) if m.tool == tool and wanted <= m.arguments.items()), None)

    def failed_now(self, tool: str) -> str | None:
        """The error of a call that was made since the customer's last message."""
        return next((made.error for made in self.fresh if made.tool == tool and made.error), None)

    @property
    def account(self) -> str | None:
        """The account that was verified last."""
        verified = [
            made.result["customer_id"] for made in self.made if made.tool == "verify_identity" and not made.error
        ]
        return verified[-1] if verified else None


def read_case(messages: Sequence[BaseMessage], memory_turns: int | None = None) -> Case:
    """Read the messages; with `memory_turns`, only the last so many turns of the customer."""
    starts = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    kept = messages if memory_turns is None else messages[starts[-memory_turns:][0] :]
    texts = [message.text for message in messages if isinstance(message, HumanMessage)]
    case = Case(language=language(texts), last=understand(texts[-1]))
    # What is asked for is remembered longer than the facts are: that is how a short memory asks again.
    for text in texts:
        if (heard := understand(text)).intent in TASKS:
            case.task, case.request = heard.intent, text
    calls: dict[str, dict[str, Any]] = {}
    for message in kept:
        if isinstance(message, HumanMessage):
            heard = understand(message.text)
            case.order_id = heard.order_id or case.order_id
            case.email = heard.email or case.email
            case.address = heard.address or case.address
            case.fresh = []
        elif isinstance(message, AIMessage):
            calls |= {str(call["id"]): {"tool": call["name"], "arguments": call["args"]} for call in message.tool_calls}
            if message.text:
                case.said = message.text
                if named := ORDER_ID.findall(message.text):
                    case.order_id = f"O-{named[-1]}"
        elif isinstance(message, ToolMessage) and message.tool_call_id in calls:
            made = _made(calls[message.tool_call_id], message)
            case.made.append(made)
            case.fresh.append(made)
    return case


def _made(call: dict[str, Any], message: ToolMessage) -> Made:
    if message.status == "error":
        return Made(call["tool"], call["arguments"], error=message.text)
    try:
        return Made(call["tool"], call["arguments"], result=json.loads(message.text))
    except ValueError:
        return Made(call["tool"], call["arguments"], result=message.text)
