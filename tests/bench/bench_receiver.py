"""How many spans a second the receiver takes in, and what of one core that costs.

Run it with `python tests/bench/bench_receiver.py [SECONDS]`. The receiver has this process to itself and keeps what
comes as a run does of traces that no episode has begun: the newest of it. A process beside it sends, over four
connections, what was prepared before the clock started. A span is like one of a tool call: ten attributes, a resource,
a parent. `a core takes` is the number of spans for each second of this process's CPU time: what a receiver that is
never waiting would take.
"""

from __future__ import annotations

import gzip
import http.client
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from traces.json_text import dumps
from traces.otlp.encode import traces_data as in_json
from traces.otlp.protobuf import traces_data as in_protobuf
from traces.receiver import Joining, Receiver
from traces.span import Span

CONNECTIONS = 4
LEAST = 5_000
"""Spans a second that a core has to take in the batches that exporters send by default."""

FORMS = {
    "protobuf, 512 spans a request": ("application/x-protobuf", 512, False),
    "protobuf in gzip, 512 spans": ("application/x-protobuf", 512, True),
    "JSON, 512 spans a request": ("application/json", 512, False),
    "JSON in gzip, 512 spans": ("application/json", 512, True),
    "protobuf, 16 spans a request": ("application/x-protobuf", 16, False),
    "protobuf, 1 span a request": ("application/x-protobuf", 1, False),
}

RESOURCE = {"service.name": "agent", "service.version": "1.2.3", "telemetry.sdk.language": "python"}


def spans(count: int) -> list[Span]:
    now = time.time_ns()
    return [
        Span(
            trace_id=f"{number // 16 + 1:032x}",
            span_id=f"{number + 1:016x}",
            parent_id=f"{number // 16 + 1:016x}",
            name="execute_tool get_order",
            kind="internal",
            start=now,
            end=now + 1_000_000,
            attributes={
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "get_order",
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.id": f"call_{number}",
                "gen_ai.tool.call.arguments": json.dumps({"order_id": f"O-{number}"}),
                "gen_ai.tool.call.result": json.dumps({"status": "shipped", "total": "49.90", "note": "x" * 120}),
                "gen_ai.conversation.id": f"conversation-{number // 16}",
                "attempt": 1,
                "share": 0.25,
                "cached": False,
            },
            scope="bench",
            resource=RESOURCE,
        )
        for number in range(count)
    ]


def send(port: int, kind: str, batch: int, packed: bool, seconds: float) -> None:
    """The sender: prints how many spans it sent and in how many seconds."""
    every = spans(batch)
    body = in_protobuf(every) if kind.endswith("protobuf") else dumps(in_json(every))
    headers = {"Content-Type": kind}
    if packed:
        body, headers["Content-Encoding"] = gzip.compress(body, 6), "gzip"
    sent = [0] * CONNECTIONS
    until = time.monotonic() + seconds

    def run(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while time.monotonic() < until:
            connection.request("POST", "/v1/traces", body, headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status == 429:
                time.sleep(0.01)
            else:
                assert answer.status == 200, answer.status
                sent[number] += batch

    threads = [threading.Thread(target=run, args=(number,)) for number in range(CONNECTIONS)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps([sum(sent), time.monotonic() - began]))


def measured(kind: str, batch: int, packed: bool, seconds: float) -> tuple[float, float]:
    """Spans a second, and spans for each second of this process's CPU."""
    with Receiver(Joining().take, port=0) as receiver:
        given = [sys.executable, __file__, "send", str(receiver.port), kind, str(batch), str(packed), str(seconds)]
        began = time.process_time()
        sender = subprocess.Popen(given, stdout=subprocess.PIPE, text=True)
        sent, took = json.loads(sender.communicate()[0])
        spent = time.process_time() - began
    return sent / took, sent / spent


def main(seconds: float) -> None:
    failed = False
    print(f"{'':34}{'taken':>14}{'a core takes':>16}")
    for name, form in FORMS.items():
        rate, core = measured(*form, seconds)
        print(f"{name:34}{rate:>10,.0f} a s{core:>12,.0f} a s")
        failed = failed or (form[1] == 512 and core < LEAST)
    if failed:
        raise SystemExit(f"less than {LEAST:,} spans a second on one core")


if __name__ == "__main__":
    if sys.argv[1:2] == ["send"]:
        _, _, port, kind, batch, packed, seconds = sys.argv
        send(int(port), kind, int(batch), packed == "True", float(seconds))
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
