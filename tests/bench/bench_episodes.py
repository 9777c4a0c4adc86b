"""How many episodes a second a whole rehearsal plays, scores and stores, beside the least that it could cost.

Run it with `python tests/bench/bench_episodes.py [SCENARIOS]`. The workload: 5 scripted turns, 10 model calls, each
with a span through the OpenTelemetry API, 5 tool calls, and the checks of `workload`, in one process. Each figure is
the median of several rounds, taken in turn, every one in a process of its own; loading the workflow is left out. The
ratio is that of CPU time, which a busy machine distorts less than the clock on the wall does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from workload import CHAT, END, EXCHANGES, FORBIDDEN, MOST_TURNS, REFERENCE, START, order_id

ROUNDS = 3
TRIALS = 2
"""Of each scenario; more would be spared, for the agent is deterministic."""
CONCURRENCY = 8

EVERY_METRIC = "[task_success, faithfulness, context_retention, safety.authorization, safety.privacy]"
VARIANTS = {"all measures": EVERY_METRIC, "task_success only": "[task_success]"}

BACKEND = f"""
from tools_sandbox import Row, Sandbox, Table, reads, tool, writes


class Order(Row):
    order_id: str
    status: str
    address: str
    note: str
    shipping: str
    total: float = 42.5
    reference: str = ""


class Shop(Sandbox):
    orders: Table[Order]

    @classmethod
    def start(cls):
        return {{"orders": [{{"order_id": f"W{{number:06d}}", **{START}}} for number in range(SCENARIOS)]}}

    @tool(reads)
    def get_order(self, order_id: str) -> Order:
        "Look an order up."
        return self.orders[order_id]

    @tool(writes)
    def set_address(self, order_id: str, address: str) -> Order:
        "Send an order elsewhere."
        return self.orders.update(order_id, address=address)

    @tool(writes)
    def set_note(self, order_id: str, note: str) -> Order:
        "Put a note with an order."
        return self.orders.update(order_id, note=note)

    @tool(writes)
    def set_shipping(self, order_id: str, method: str) -> Order:
        "Choose how an order is sent."
        return self.orders.update(order_id, shipping=method)

    @tool(writes)
    def confirm_order(self, order_id: str) -> Order:
        "Confirm an order."
        return self.orders.update(order_id, status="confirmed", reference=f"CONF-{{order_id[1:]}}")
"""

WORKFLOW = """
workflow: bench
sandbox: backend.py:Shop
clock: 2026-11-20T10:00:00+01:00
trials: 2
scenario_map:
  orders:
    about: Order changes
    source: [authored]
    measures: MEASURES
    failures: [TO1, TO2]
    gate: [{rule: orders work, metric: task_success, at_least: 0.9}]
    review: {always: [critical_failure]}
"""


def scenario(number: int) -> dict[str, object]:
    """One scenario, as the YAML file holds it."""
    order = order_id(number)
    return {
        "id": f"change-{number}",
        "family": "orders",
        "slices": {"language": "en"},
        "user": {"turns": [exchange.line.format(order=order) for exchange in EXCHANGES]},
        "expect": {
            "state": {f"orders.{order}": {**END, "reference": f"CONF-{number:06d}"}},
            "calls": {"in_order": [exchange.tool for exchange in EXCHANGES]},
            "says": [{"like": REFERENCE}],
            "never_says": [FORBIDDEN],
            "budget": {"turns": MOST_TURNS},
        },
    }


def written(folder: Path, scenarios: int, measures: str) -> Path:
    """The bundle in a folder. JSON is YAML, and quotes what has to be."""
    (folder / "scenarios").mkdir()
    (folder / "workflow.yaml").write_text(WORKFLOW.replace("MEASURES", measures), encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND.replace("SCENARIOS", str(scenarios)), encoding="utf-8")
    texts = json.dumps([scenario(number) for number in range(scenarios)], indent=0)
    (folder / "scenarios" / "orders.yaml").write_text(texts, encoding="utf-8")
    return folder


def product(scenarios: int, folder: Path, measures: str) -> dict[str, float]:
    """Rehearse it the way that `turngate run` does."""
    from opentelemetry import trace

    from harness.agents.resolve import resolve
    from harness.runs.inline import Inline
    from harness.runs.prepare import load_bundle
    from harness.runs.rehearse import Settings, rehearse
    from harness.store.store import Store

    tracer = trace.get_tracer("agent")
    by_line = {exchange.line.split()[0]: exchange for exchange in EXCHANGES}

    async def model():
        tracer.start_span("chat none", attributes=CHAT).end()

    async def agent(message, session):
        exchange = by_line[message.split()[0]]
        order = (session.history[0].text if session.history else message)[-8:-1]
        await model()
        session.call_tool(exchange.tool, {"order_id": order, **exchange.arguments}, None)
        await model()
        return exchange.reply.format(order=order, number=order[1:])

    bundle = load_bundle(written(folder, scenarios, measures))
    source = resolve(agent, folder)
    with Store.open(folder / "turngate.db") as store:
        settings = Settings(trials=TRIALS, concurrency=CONCURRENCY)
        finished, figures = measured(lambda: asyncio.run(rehearse(bundle, Inline(source), store, settings)))
    passed = sum(one.verdict is not None and one.verdict.status == "passed" for one in finished.results)
    if finished.verdict.decision != "passed" or passed != TRIALS * scenarios:
        raise SystemExit(f"only {passed} episodes passed: {finished.verdict}")
    return figures


def bare(scenarios: int, folder: Path) -> dict[str, float]:
    """The floor, for as many episodes."""
    import floor

    passed, figures = measured(lambda: floor.run(TRIALS * scenarios, CONCURRENCY, folder))
    if passed != TRIALS * scenarios:
        raise SystemExit(f"only {passed} episodes of the floor passed")
    return figures


def measured(work: Callable[[], object]) -> tuple[object, dict[str, float]]:
    """What it gives, and its time in seconds: of the CPU and on the wall."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return result, {"wall": wall, "cpu": cpu, "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def in_process(what: str, scenarios: int) -> dict[str, float]:
    """The figures of one round, from a process of its own."""
    command = [sys.executable, __file__, str(scenarios), "--one", what]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the table, or with --one the figures of one round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="?", type=int, default=500)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            figures = (
                bare(given.scenarios, folder)
                if given.one == "floor"
                else product(given.scenarios, folder, VARIANTS[given.one])
            )
        print(json.dumps(figures))
        return
    what = ["floor", *VARIANTS]
    rounds = [{name: in_process(name, given.scenarios) for name in what} for _ in range(ROUNDS)]
    episodes = TRIALS * given.scenarios
    print(f"{episodes} episodes, {CONCURRENCY} at a time; medians of {ROUNDS} rounds")
    print(f"{'':20}{'episodes/CPU s':>16}{'episodes/s':>12}{'ms CPU each':>13}{'of floor':>10}{'peak MiB':>10}")
    for name in what:
        cpu, wall, mib = (statistics.median(one[name][key] for one in rounds) for key in ("cpu", "wall", "mib"))
        print(
            f"{name:20}{episodes / cpu:16.0f}{episodes / wall:12.0f}{cpu / episodes * 1e3:13.2f}"
            f"{ratio(rounds, name):10.2f}{mib:10.0f}"
        )
    print(f"ratio to floor: {ratio(rounds, 'all measures'):.3f}")


def ratio(rounds: list[dict[str, dict[str, float]]], name: str) -> float:
    """Episodes a CPU second, to those of the floor in the same round."""
    return statistics.median(one["floor"]["cpu"] / one[name]["cpu"] for one in rounds)


if __name__ == "__main__":
    main()
