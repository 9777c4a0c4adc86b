"""The least that such a rehearsal can cost: a bare loop with the spans of OpenTelemetry's SDK and a row in SQLite.

No scripted user, no sandbox, no store of evidence: the same 10 model calls, 5 tool calls and 5 checks written out by
hand, 21 spans an episode opened and closed in the cheapest way that the SDK has, written as JSON lines, and one row an
episode, a hundred to a transaction.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from pathlib import Path
from typing import TextIO

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import Tracer, set_span_in_context
from workload import CHAT, END, EXCHANGES, FORBIDDEN, MOST_TURNS, REFERENCE, START, order_id

_ROWS = 100


class _Kept(SpanProcessor):
    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(span)


def run(episodes: int, concurrency: int, folder: Path, latency: float) -> int:
    """Play so many episodes, with models that take so many seconds; how many passed."""
    return asyncio.run(_run(episodes, concurrency, folder, latency))


async def _run(episodes: int, concurrency: int, folder: Path, latency: float) -> int:
    kept = _Kept()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(kept)
    tracer = provider.get_tracer("floor")
    database = sqlite3.connect(folder / "floor.db", isolation_level=None)
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = normal")
    database.execute("create table episodes (number integer primary key, passed integer, checks text)")
    rows: list[tuple[int, bool, str]] = []
    numbers = iter(range(episodes))
    passed = 0

    def save() -> None:
        database.execute("begin")
        database.executemany("insert into episodes values (?, ?, ?)", rows)
        database.execute("commit")
        rows.clear()

    with (folder / "spans.jsonl").open("w", encoding="utf-8") as lines:

        async def worker() -> None:
            nonlocal passed
            for number in numbers:
                checks = await _episode(number, tracer, latency)
                _write(kept, lines)
                passed += all(checks.values())
                rows.append((number, all(checks.values()), json.dumps(checks)))
                if len(rows) >= _ROWS:
                    save()

        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
        save()
    database.close()
    return passed


async def _model(latency: float) -> None:
    """A model that answers at once, or after so many seconds."""
    if latency:
        await asyncio.sleep(latency)


async def _episode(number: int, tracer: Tracer, latency: float) -> dict[str, bool]:
    order = order_id(number)
    shop = {"orders": {order: {"id": order, "total": 42.5, **START}}}
    replies, tools = [], []
    root = tracer.start_span("episode", Context(), attributes={"gen_ai.conversation.id": order})
    below_root = set_span_in_context(root, Context())
    for index, exchange in enumerate(EXCHANGES):
        turn = tracer.start_span("turn", below_root, attributes={"turn": index})
        below = set_span_in_context(turn, Context())
        chat = tracer.start_span("chat none", below, attributes=CHAT)
        await _model(latency)
        chat.end()
        arguments = {"order_id": order, **exchange.arguments}
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": exchange.tool,
            "gen_ai.tool.call.id": f"call-{index}",
            "gen_ai.tool.call.arguments": json.dumps(arguments),
        }
        call = tracer.start_span("execute_tool", below, attributes=attributes)
        result = _tool(exchange.tool, shop["orders"][order], exchange.arguments)
        call.set_attribute("gen_ai.tool.call.result", json.dumps(result))
        call.end()
        tools.append(exchange.tool)
        chat = tracer.start_span("chat none", below, attributes=CHAT)
        await _model(latency)
        chat.end()
        replies.append(exchange.reply.format(order=order, number=f"{number:06d}"))
        turn.end()
    checks = {
        "tools": tools == [exchange.tool for exchange in EXCHANGES],
        "state": shop == {"orders": {order: {"id": order, "total": 42.5, **END}}},
        "reference": re.search(REFERENCE, replies[-1]) is not None,
        "forbidden": not any(FORBIDDEN in reply.lower() for reply in replies),
        "turns": len(replies) <= MOST_TURNS,
    }
    root.set_attribute("passed", all(checks.values()))
    root.end()
    return checks


def _tool(name: str, order: dict[str, object], arguments: dict[str, str]) -> dict[str, object]:
    match name:
        case "get_order":
            return dict(order)
        case "set_address":
            order["address"] = arguments["address"]
        case "set_note":
            order["note"] = arguments["note"]
        case "set_shipping":
            order["shipping"] = arguments["method"]
        case "confirm_order":
            order["status"] = "confirmed"
    return {"ok": True}


def _write(kept: _Kept, lines: TextIO) -> None:
    spans, kept.spans = kept.spans, []
    lines.write("".join(json.dumps(_plain(span)) + "\n" for span in spans))
    lines.flush()


def _plain(span: ReadableSpan) -> dict[str, object]:
    context, parent = span.context, span.parent
    return {
        "name": span.name,
        "trace": f"{context.trace_id:032x}",
        "span": f"{context.span_id:016x}",
        "parent": f"{parent.span_id:016x}" if parent else None,
        "start": span.start_time,
        "end": span.end_time,
        "status": span.status.status_code.value,
        "attributes": dict(span.attributes or {}),
    }
