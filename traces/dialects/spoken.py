"""The words in what an agent was given and what it gave, whatever a decorator or a framework put around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from traces.dialects.content.exchange import history, response
from traces.dialects.content.parts import text_of
from traces.dialects.content.values import constructed, is_record, read, record
from traces.dialects.otel_genai import last_text


def spoken(value: Any) -> str | None:
    """The one text in a value: itself, a message's, or the only one in an envelope; None if it is unclear which."""
    found = read(value)
    if isinstance(found, str):
        return found.strip() or None
    if isinstance(found, list):
        return text_of(found) or None
    found = constructed(found) or found
    if not is_record(found):
        return None
    if "content" in found or "parts" in found:
        return text_of(found.get("content", found.get("parts"))) or None
    texts = [item.strip() for item in _inside(found) if isinstance(item, str) and item.strip()]
    return texts[0] if len(texts) == 1 else None


def said(value: Any) -> str | None:
    """The user's last words in what an agent was given: of the messages in it, else the one text."""
    return last_text(history(_opened(value, "inputs")), "user") or spoken(value)


def replied(value: Any) -> str | None:
    """The agent's last words in what it gave: of a team's or its own messages in it, else the one text."""
    told = record(_opened(value, "outputs")).get("messages")
    if isinstance(told, list) and told and all(is_record(one) and "source" in one for one in told):  # AutoGen
        return next((one["content"] for one in reversed(told) if isinstance(one.get("content"), str)), None)
    return last_text(response(_opened(value, "outputs")).messages, "assistant") or spoken(value)


def _opened(value: Any, name: str) -> Any:
    found = read(value)
    return found[name] if is_record(found) and is_record(found.get(name)) else found


def _inside(envelope: dict[str, Any]) -> Iterable[Any]:
    if set(envelope) == {"args", "kwargs"} and isinstance(envelope["args"], list) and is_record(envelope["kwargs"]):
        return (*envelope["args"], *envelope["kwargs"].values())
    return envelope.values()
