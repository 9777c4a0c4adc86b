"""What a sandbox costs: opening an episode's own over a state of 10 MB, against a deep copy; and calls.

Run it with `python tests/bench/bench_sandbox.py`. CPU time of this process, the best of several rounds.
"""

import copy
import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from opentelemetry.sdk.trace import TracerProvider

from tools_sandbox import Row, Sandbox, StartState, Table, reads, tool, writes

CLOCK = datetime(2026, 11, 20, tzinfo=UTC)
GIVEN = {"orders.O-1": {"status": "delivered", "total": "49.90"}}


class Order(Row):
    order_id: str
    status: str
    total: Decimal
    lines: list[dict[str, str]] = []


class Shop(Sandbox):
    orders: Table[Order]

    @classmethod
    def start(cls):
        lines = [{"sku": f"S-{number}", "about": "x" * 60} for number in range(8)]
        return {
            "orders": [
                {"order_id": f"O-{number}", "status": "placed", "total": number, "lines": lines}
                for number in range(14_000)
            ]
        }

    @tool(reads)
    def get_order(self, order_id: str) -> Order:
        """Look an order up."""
        return self.orders[order_id]

    @tool(writes)
    def refund(self, order_id: str) -> Order:
        """Refund an order."""
        return self.orders.update(order_id, status="refunded")


def cost(action: Callable[[], object], times: int, rounds: int = 7) -> float:
    """Microseconds of CPU time of one go, in the best round."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(times):
            action()
        best = min(best, (time.process_time() - started) / times)
    return best * 1e6


def main() -> None:
    start = StartState.of(Shop)
    state = {name: dict(rows) for name, rows in start.tables({}).items()}
    shop = start.open(GIVEN, CLOCK)
    traced = start.open(GIVEN, CLOCK, tracer=TracerProvider(shutdown_on_exit=False).get_tracer("bench"))
    sent = '{"order_id": "O-1"}'
    copied = cost(lambda: copy.deepcopy(state), 1, rounds=2)
    opened = cost(lambda: start.open(GIVEN, CLOCK), 500)
    reading = cost(lambda: shop.call("get_order", sent, turn=1), 500)
    in_a_span = cost(lambda: traced.call("get_order", sent, turn=1), 500)
    writing = cost(lambda: start.open(GIVEN, CLOCK).call("refund", sent, turn=1), 500) - opened
    lines = [
        f"state                        {len(json.dumps(state)) / 1e6:8.1f} MB in {len(start.rows['orders'])} rows",
        f"deep copy of it              {copied / 1e3:8.1f} ms",
        f"an episode's own sandbox     {opened / 1e3:8.4f} ms, 1/{copied / opened:,.0f} of the copy",
        f"a call that reads            {reading:8.1f} µs",
        f"a call that reads, in a span {in_a_span:8.1f} µs",
        f"a call that writes           {writing:8.1f} µs",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
