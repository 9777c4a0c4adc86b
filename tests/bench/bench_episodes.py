"""How many episodes a second a whole rehearsal plays, scores and stores, beside the least that it could cost.

Run it with `python tests/bench/bench_episodes.py [SCENARIOS]`. The workload: 5 scripted turns, 10 model calls, each
with a span through the OpenTelemetry API, 5 tool calls, and the checks of `workload`; all metrics are scored. Each
figure is the median of several rounds, taken in turn, every one in processes of its own. Loading is left out, and of
the rehearsals the first fifth of the episodes, while the workers start and nothing is warm.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from workload import END, EXCHANGES, FORBIDDEN, MOST_TURNS, REFERENCE, START, order_id

ROUNDS = 3
TRIALS = 2
"""Of each scenario; more would be spared, for the agent is deterministic."""
CONCURRENCY = 8

WARM = 0.2
"""The share of the episodes that is played before the clock starts."""
WORKERS = {"in process": 0, "one worker": 1, "two workers": 2}

BACKEND = f"""
from tools_sandbox import Row, Sandbox, Table, reads, tool, writes


class Order(Row):
    order_id: str
    status: str
    address: str
    note: str
    shipping: str
    total: float = 42.5


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
    def set_address(self, order_id: str, address: str) -> dict:
        "Send an order elsewhere."
        self.orders.update(order_id, address=address)
        return {{"ok": True, "address": address}}

    @tool(writes)
    def set_note(self, order_id: str, note: str) -> dict:
        "Put a note with an order."
        self.orders.update(order_id, note=note)
        return {{"ok": True}}

    @tool(writes)
    def set_shipping(self, order_id: str, method: str) -> dict:
        "Choose how an order is sent."
        self.orders.update(order_id, shipping=method)
        return {{"ok": True}}

    @tool(writes)
    def confirm_order(self, order_id: str) -> dict:
        "Confirm an order."
        self.orders.update(order_id, status="confirmed")
        return {{"ok": True, "status": "confirmed"}}
"""

AGENT = f"""
import asyncio
import sys

sys.path.insert(0, {str(Path(__file__).parent)!r})

from opentelemetry import trace
from workload import CHAT, EXCHANGES

tracer = trace.get_tracer("agent")
by_line = {{exchange.line.split()[0]: exchange for exchange in EXCHANGES}}


async def model():
    span = tracer.start_span("chat none", attributes=CHAT)
    if LATENCY:
        await asyncio.sleep(LATENCY)
    span.end()


async def agent(message, session):
    exchange = by_line[message.split()[0]]
    order = (session.history[0].text if session.history else message)[-8:-1]
    await model()
    session.call_tool(exchange.tool, {{"order_id": order, **exchange.arguments}}, None)
    await model()
    # Each trial goes its own way, or later ones would be spared.
    return exchange.reply.format(order=order, number=order[1:]) + " " * (session.seed % 97)
"""

WORKFLOW = """
workflow: bench
sandbox: backend.py:Shop
agent: agent.py:agent
clock: 2026-11-20T10:00:00+01:00
trials: 2
scenario_map:
  orders:
    about: Order changes
    source: [authored]
    measures: [task_success, faithfulness, context_retention, safety.authorization, safety.privacy]
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
            "state": {f"orders.{order}": END},
            "calls": {"in_order": [exchange.tool for exchange in EXCHANGES]},
            "says": [{"like": REFERENCE}],
            "never_says": [FORBIDDEN],
            "budget": {"turns": MOST_TURNS},
        },
    }


def written(folder: Path, scenarios: int, latency: float) -> Path:
    """The bundle in a folder. JSON is YAML, and quotes what has to be."""
    (folder / "scenarios").mkdir()
    (folder / "workflow.yaml").write_text(WORKFLOW, encoding="utf-8")
    (folder / "agent.py").write_text(AGENT.replace("LATENCY", str(latency)), encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND.replace("SCENARIOS", str(scenarios)), encoding="utf-8")
    texts = json.dumps([scenario(number) for number in range(scenarios)], indent=0)
    (folder / "scenarios" / "orders.yaml").write_text(texts, encoding="utf-8")
    return folder


class Watch:
    """Seconds on the wall and of the CPU, this process's and its children's, between two moments."""

    def __init__(self) -> None:
        self.wall = -time.perf_counter()
        self.cpu = -_cpu()

    def stop(self) -> None:
        """The second moment."""
        self.wall += time.perf_counter()
        self.cpu += _cpu()


def _cpu() -> float:
    processes = [psutil.Process(), *psutil.Process().children()]
    return sum(sum(process.cpu_times()[:2]) for process in processes)


class Clocked:
    """Told how a run goes on: measures it from when so many episodes are played, to the last one."""

    def __init__(self, episodes: int, cold: int) -> None:
        self.episodes = episodes - cold
        self._cold = cold
        self._left = episodes

    def begins(self, run: str, planned: int) -> None:
        if not self._cold:
            self.watch = Watch()

    def spared(self, count: int) -> None: ...

    def played(self, episode: object) -> None:
        self._cold -= 1
        self._left -= 1
        if not self._cold:
            self.watch = Watch()
        if not self._left:
            self.watch.stop()


def rehearsed(
    scenarios: int,
    folder: Path,
    workers: int,
    *,
    trials: int = TRIALS,
    concurrency: int = CONCURRENCY,
    latency: float = 0,
    warm: float = 0,
) -> Watch:
    """Rehearse it the way that `turngate run` does, measured but for the first episodes: the share `warm` of them."""
    from harness.agents.loop import run
    from harness.llm.access import ModelAccess
    from harness.runs.inline import Inline
    from harness.runs.local.orders import Load
    from harness.runs.local.supervisor import Local
    from harness.runs.plan import Settings
    from harness.runs.prepare import agent_of, load_bundle
    from harness.runs.rehearse import rehearse
    from harness.store.store import Store

    bundle = load_bundle(written(folder, scenarios, latency))
    episodes = trials * scenarios
    clocked = Clocked(episodes, int(warm * episodes))
    settings = Settings(trials=trials, concurrency=concurrency)

    async def played(store):
        if not workers:
            return await rehearse(bundle, Inline(agent_of(bundle, None, ModelAccess())), store, settings, clocked)
        async with Local(Load(str(folder), None), workers) as local:
            return await rehearse(bundle, local, store, settings, clocked)

    with Store.open(folder / "turngate.db") as store:
        finished = run(played(store))
    passed = sum(one.verdict is not None and one.verdict.status == "passed" for one in finished.results)
    if finished.verdict.decision != "passed" or passed != episodes:
        raise SystemExit(f"only {passed} episodes passed: {finished.verdict}")
    return clocked.watch


def bare(scenarios: int, folder: Path) -> dict[str, float]:
    """The floor, for as many episodes."""
    import floor

    episodes = TRIALS * scenarios
    watch = Watch()
    passed = floor.run(episodes, CONCURRENCY, folder, latency=0)
    watch.stop()
    if passed != episodes:
        raise SystemExit(f"only {passed} episodes of the floor passed")
    return figures(watch, episodes)


def product(scenarios: int, folder: Path, workers: int) -> dict[str, float]:
    """A whole rehearsal, but for its first episodes."""
    episodes = TRIALS * scenarios
    return figures(rehearsed(scenarios, folder, workers, warm=WARM), episodes - int(WARM * episodes))


def figures(watch: Watch, episodes: int) -> dict[str, float]:
    """Milliseconds an episode, on the wall and of the CPU, and the peak of memory in MiB: of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": watch.wall / episodes * 1e3, "cpu": watch.cpu / episodes * 1e3, "mib": peak}


def in_process(what: str, scenarios: int) -> dict[str, float]:
    """The figures of one round, from a process of its own."""
    command = [sys.executable, __file__, str(scenarios), "--one", what]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the table, or with --one the figures of one round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="?", type=int, default=1000)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            measured = (
                bare(given.scenarios, folder)
                if given.one == "floor"
                else product(given.scenarios, folder, WORKERS[given.one])
            )
        print(json.dumps(measured))
        return
    what = ["floor", *WORKERS]
    rounds = [{name: in_process(name, given.scenarios) for name in what} for _ in range(ROUNDS)]
    print(f"{TRIALS * given.scenarios} episodes, {CONCURRENCY} at a time; medians of {ROUNDS} rounds")
    print(f"{'':12}{'episodes/s':>12}{'of floor':>10}{'ms CPU each':>13}{'of floor':>10}{'peak MiB':>10}")
    for name in what:
        cpu, wall, mib = (statistics.median(one[name][key] for one in rounds) for key in ("cpu", "wall", "mib"))
        print(
            f"{name:12}{1e3 / wall:12.0f}{ratio(rounds, name, 'wall'):10.2f}"
            f"{cpu:13.2f}{ratio(rounds, name, 'cpu'):10.2f}{mib:10.0f}"
        )
    print(f"ratio to floor: {ratio(rounds, 'one worker', 'wall'):.3f}")


def ratio(rounds: list[dict[str, dict[str, float]]], name: str, of: str) -> float:
    """How fast it is beside the floor of the same round."""
    return statistics.median(one["floor"][of] / one[name][of] for one in rounds)


if __name__ == "__main__":
    main()
