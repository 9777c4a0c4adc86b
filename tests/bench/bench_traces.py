"""What reading telemetry costs, beside bare `json.loads` of the same lines: `python -m tests.bench.bench_traces`."""

from __future__ import annotations

import gc
import hashlib
import json
import multiprocessing
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from tests.reference import data
from traces.genai import CONVERSATION_ID
from traces.log_record import LogRecord
from traces.otlp import BadLine, lines, protobuf, read_file
from traces.otlp.spool import Spool
from traces.reading import stream
from traces.span import Span

SPANS = 100_000
COPIES = 60
"""Of each real sample."""
T = TypeVar("T")
RESOURCE = {"service.name": "agent", "telemetry.sdk.language": "python", "telemetry.sdk.name": "opentelemetry"}


def spans(count: int = SPANS) -> Iterator[Span]:
    """Conversations of three traces, each a turn: an agent's span, two model calls with their messages, a tool call."""
    rng = random.Random(7)
    said = "I have looked at your order and it will be with you on Monday. "
    for number in range(count // 4):
        trace, turn = f"{rng.getrandbits(128):032x}", number % 3
        root = f"{rng.getrandbits(64):016x}"
        history = [
            {"role": role, "parts": [{"type": "text", "content": said * 2}]}
            for role in ("user", "assistant") * (turn + 1)
        ]
        shared = {CONVERSATION_ID: f"conversation-{number // 3}", "gen_ai.agent.name": "support", "server.port": 443}
        start = 1_795_990_683_604_000_000 + number * 10**9
        yield _span(trace, root, None, "invoke_agent", start, 9, shared, "app")
        for call in range(2):
            model = shared | _chat(f"chatcmpl-{rng.getrandbits(64):x}", history, history[-1:])
            own = f"{rng.getrandbits(64):016x}"
            yield _span(trace, own, root, "chat gpt-4o-mini", start + call, 5 - call, model, "openai")
        tool = {
            **shared,
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "get_order",
            "gen_ai.tool.call.id": f"call_{rng.getrandbits(64):x}",
            "gen_ai.tool.call.arguments": '{"order_id": "O-1001"}',
            "gen_ai.tool.call.result": '{"status": "delivered", "total": "49.90"}',
        }
        own = f"{rng.getrandbits(64):016x}"
        yield _span(trace, own, root, "execute_tool", start + 2, 1, tool, "app")


def loops(count: int = SPANS, turns: int = 3) -> Iterator[Span]:
    """The same of an agent's loops, with words of their own: the first call of a turn asks for the tool, the second is
    told what it gave, and every history goes on from the one before. `turns`: of each conversation.
    """
    rng = random.Random(7)
    history: list[dict[str, Any]] = []
    for number in range(count // 4):
        trace, turn = f"{rng.getrandbits(128):032x}", number % turns
        root, order, call_id = f"{rng.getrandbits(64):016x}", f"O-{number}", f"call_{rng.getrandbits(64):x}"
        shared = {
            CONVERSATION_ID: f"conversation-{number // turns}",
            "gen_ai.agent.name": "support",
            "server.port": 443,
        }
        start = 1_795_990_683_604_000_000 + number * 10**9
        asked = {"type": "tool_call", "id": call_id, "name": "get_order", "arguments": {"order_id": order}}
        result = json.dumps({"order_id": order, "status": "delivered", "total": "49.90"})
        user = _said("user", f"I am still waiting for {order}, and nobody tells me where it is. When will it come?")
        asks = {"role": "assistant", "parts": [asked]}
        told = {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": result}]}
        reply = _said("assistant", f"I have looked at {order}, and it was delivered on Monday. Is there anything else?")
        history = [*(history if turn else ()), user]
        yield _span(trace, root, None, "invoke_agent", start, 9, shared, "app")
        for call, (given, output) in enumerate(((history, asks), ([*history, asks, told], reply))):
            model = shared | _chat(f"chatcmpl-{rng.getrandbits(64):x}", given, [output])
            own = f"{rng.getrandbits(64):016x}"
            yield _span(trace, own, root, "chat gpt-4o-mini", start + 4 * call, 2, model, "openai")
        tool = {
            **shared,
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "get_order",
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.call.arguments": json.dumps({"order_id": order}),
            "gen_ai.tool.call.result": result,
        }
        yield _span(trace, f"{rng.getrandbits(64):016x}", root, "execute_tool get_order", start + 2, 1, tool, "app")
        history = [*history, asks, told, reply]


def _chat(response: str, history: list[dict[str, Any]], output: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.response.id": response,
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 812,
        "gen_ai.usage.output_tokens": 41,
        "gen_ai.input.messages": json.dumps(history),
        "gen_ai.output.messages": json.dumps(output),
    }


def _said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _span(
    trace: str,
    own: str,
    parent: str | None,
    name: str,
    start: int,
    lasting: int,
    attributes: dict[str, Any],
    scope: str,
) -> Span:
    kind = "client" if name.startswith("chat") else "internal"
    return Span(trace, own, parent, name, kind, start, start + lasting, attributes, resource=RESOURCE, scope=scope)


def without_ids(found: Iterable[Span]) -> Iterator[Span]:
    """The same from an application that gives no conversation's id: only what they say can join them."""
    for span in found:
        attributes = {name: value for name, value in span.attributes.items() if name != CONVERSATION_ID}
        yield replace(span, attributes=attributes)


_IDS = re.compile(r'"(?:traceId|spanId|parentSpanId)": ?"([^"]+)"')
_TOLD_IDS = re.compile(
    r"\b(?:chatcmpl|call|resp|msg|fc|toolu|run|item|gen)[-_][\w-]{4,}"
    r"|\bconv-[a-z]+-[0-9a-f]+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){4}[0-9a-f]{8}"
)
_TIMES = re.compile(r'"(\d{19})"')


def samples(copies: int) -> Iterator[str]:
    """Real telemetry of many frameworks, again and again: each copy a conversation of its own, later than those before.

    Every id in it is another in each copy: of traces and spans, of conversations, responses and tool calls. None of the
    reference data, no lines.
    """
    files = sorted(path for path in (data() / "otel_samples").glob("*.jsonl") if not path.name.endswith(".logs.jsonl"))
    for number, file in enumerate(files * copies):
        text = file.read_text()
        renamed = {name: _digest(name, number)[: len(name)] for name in _IDS.findall(text)}
        renamed |= {name: name[:-6] + _digest(name, number)[:6] for name in _TOLD_IDS.findall(text) if len(name) > 10}
        known = re.compile("|".join(map(re.escape, sorted(renamed, key=len, reverse=True))))
        text = known.sub(lambda found, renamed=renamed: renamed[found.group()], text)
        later = number * 600 * 10**9
        yield _TIMES.sub(lambda found, later=later: f'"{int(found.group(1)) + later}"', text)


def _digest(name: str, number: int) -> str:
    return hashlib.sha256(f"{name}/{number}".encode()).hexdigest()


def keys(record: Span | LogRecord) -> Iterable[str]:
    """Joined by conversation id alone."""
    found = record.attributes.get(CONVERSATION_ID)
    return () if found is None else (found,)


def bare(path: Path) -> int:
    """The yardstick."""
    with open(path, "rb") as file:
        return sum(1 for line in file if json.loads(line))


def decoded(path: Path) -> int:
    """Spans, one at a time."""
    return sum(1 for record in read_file(path) if not isinstance(record, BadLine))


def grouped(path: Path) -> int:
    """Spans, brought together by conversation."""
    with Spool(keys) as spool:
        for record in read_file(path):
            if not isinstance(record, BadLine):
                spool.add(record)
        return sum(len(cluster.spans) for cluster in spool.clusters())


def conversations(path: Path) -> int:
    """All of it: conversations."""
    return sum(1 for _ in stream(record for record in read_file(path) if not isinstance(record, BadLine)))


def unpacked(bodies: list[bytes]) -> int:
    """Spans of protobuf, request by request."""
    return sum(1 for body in bodies for _ in protobuf.spans(body))


def as_lines(found: list[Span]) -> int:
    """Bytes of JSON lines."""
    return sum(map(len, lines(found)))


def as_protobuf(found: list[Span]) -> int:
    """Bytes of a request."""
    return len(protobuf.traces_data(found))


def written(folder: Path) -> dict[str, Path]:
    """The files that are read, by what is in them."""
    order = list(spans())
    mixed = random.Random(1).sample(order, len(order))
    found: dict[str, Iterable[bytes]] = {
        "in order": lines(order),
        "agents' loops": lines(loops()),
        "loops of 20 turns, a fifth of them": lines(loops(SPANS // 5, turns=20)),
        "shuffled": lines(mixed),
        "without ids": lines(without_ids(order)),
        "a span a line, a tenth of them": (line for span in spans(SPANS // 10) for line in lines([span])),
        "real samples, again and again": (text.encode() for text in samples(COPIES)),
    }
    files = {name: folder / f"{number}.jsonl" for number, name in enumerate(found)}
    for name, some in found.items():
        with open(files[name], "wb") as file:
            file.writelines(some)
    return files


def alone(work: Callable[..., T], *arguments: Any) -> T:
    """What it gives in a fresh process: one that made and freed a great many objects before is slower at all it does,
    and not at everything alike.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
        return fresh.submit(work, *arguments).result()


def timed(work: Callable[[Any], object], given: Any) -> float:
    """Seconds of CPU that a fresh process takes, the least of three times."""
    return alone(_best, work, given)


def _best(work: Callable[[Any], object], given: Any) -> float:
    best = float("inf")
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        work(given)
        best = min(best, time.process_time() - start)
    return best


def _peak(work: Callable[[Path], object], path: Path) -> tuple[float, float]:
    before = _resident()
    work(path)
    return before, _resident()


def _resident() -> float:
    """The most memory that this process has held, in MiB; what Linux tells of a process itself, not of its parents."""
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        files = alone(written, Path(folder))
        size = files["in order"].stat().st_size
        print(f"{SPANS} spans in OTLP JSON lines of up to 512, {size / 2**20:.0f} MiB, {size / SPANS:.0f} bytes a span")
        for name, path in files.items():
            if not path.stat().st_size:
                print(f"no reference data, so nothing about {name}: set TURNGATE_DATA")
                continue
            yardstick = timed(bare, path)
            print(f"json.loads, {name:<32} {yardstick:8.2f} s CPU")
            for work in (decoded, grouped, conversations):
                taken = timed(work, path)
                print(f"{work.__name__ + ', ' + name:<44} {taken:8.2f} s CPU {taken / yardstick:6.2f} x json.loads")
        some = list(spans(SPANS // 10))
        bodies = [protobuf.traces_data(some[n : n + 512]) for n in range(0, len(some), 512)]
        others: tuple[tuple[str, Callable[[Any], int], Any], ...] = (
            ("decoded from protobuf", unpacked, bodies),
            ("encoded as JSON lines", as_lines, some),
            ("encoded as protobuf", as_protobuf, some),
        )
        for what, turn, given in others:
            taken = timed(turn, given)
            print(f"{what + ', a tenth of them':<44} {taken:8.2f} s CPU {len(some) / taken:8.0f} spans a second")
        for work, name in (
            (decoded, "in order"),
            (grouped, "shuffled"),
            (conversations, "in order"),
            (conversations, "shuffled"),
            (conversations, "without ids"),
        ):
            before, most = alone(_peak, work, files[name])
            print(f"{work.__name__ + ', ' + name:<44} {most:8.0f} MiB at most, {before:.0f} of them before it began")


if __name__ == "__main__":
    main()
