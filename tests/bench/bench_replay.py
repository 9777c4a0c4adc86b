"""How many recorded turns a second are replayed at level turns, with an agent that takes no time:
`python -m tests.bench.bench_replay [RECORDINGS]`.

Every third recording has a turn in which the agent says or does something else, so that both sides are judged there.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil

from harness.cli.replay_show import summed
from harness.cli.replaying import setting_of
from harness.model.agent import Session
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.model.replay import Level
from harness.replay.keeping import Keeper
from harness.replay.levels.playing import Cast
from harness.replay.replayer import replay
from harness.runs.inline import play_all
from harness.runs.player import Player
from harness.runs.prepare import agent_of
from harness.store.replays import ReplayRecord
from harness.store.store import Store
from harness.workflow.bundle import load

RECORDINGS = 10_000
TURNS = 10
LEAST = 150
WORKFLOW = """
workflow: orders
about: Orders of a shop.
clock: 2026-11-20T10:00:00+01:00
state:
  orders: {O-1: {status: paid, note: ""}, O-2: {status: shipped, note: ""}}
tools:
  get_order: {kind: reads, args: {order_id: text}, return: {from: "orders.{order_id}"}}
  set_note:
    kind: writes
    args: {order_id: text, note: text}
    set: {"orders.{order_id}.note": "{note}"}
    return: {ok: true}
rules:
  - {id: no-promise, never_says: [guaranteed]}
scenario_map:
  notes:
    about: Notes on orders.
    source: [production]
    measures: [faithfulness, safety.authorization]
    failures: [KN4]
    gate: [{rule: nothing invented, metric: faithfulness, failures: 0}]
    review: {always: [critical_failure]}
"""
ROW = {"status": "paid", "note": ""}


def recordings(count: int) -> Iterator[Recording]:
    """Conversations of ten turns, in each a read and in each second a write."""
    for number in range(count):
        messages = []
        note = ""
        for turn in range(1, TURNS + 1):
            order = {"order_id": "O-1"}
            messages.append(RecordedMessage("user", f"Please look at O-1 again, and note {number}-{turn}.", turn))
            calls = [RecordedCall(f"{turn}-1", "get_order", None, order, answered=True, result={**ROW, "note": note})]
            if turn % 2:
                note = f"{number}-{turn}"
                given = {**order, "note": note}
                calls.append(RecordedCall(f"{turn}-2", "set_note", None, given, answered=True, result={"ok": True}))
            messages.append(RecordedMessage("agent", None, turn, tuple(calls)))
            messages.append(RecordedMessage("agent", f"Order O-1 is paid. Noted {note}.", turn))
        yield Recording(f"rec-{number}", RecordingSource("messages", "bench", str(number)), messages, snapshot={})


async def answer(message: str, session: Session) -> str:
    """Does what was done, but for one turn of every third recording."""
    number, turn = message.rsplit(" ", 1)[1].rstrip(".").split("-")
    row = session.call_tool("get_order", {"order_id": "O-1"})
    note = row.result["note"]
    if int(turn) % 2:
        note = f"{number}-{turn}"
        session.call_tool("set_note", {"order_id": "O-1", "note": note})
    if int(number) % 3 == 0 and turn == "5":
        return f"I have looked at order O-1 for you: it is paid. I noted {note}."
    return f"Order O-1 is paid. Noted {note}."


def measure(count: int) -> None:
    """Replay so many recordings, and print the rate and what memory grew by after the first tenth."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "workflow.yaml").write_text(WORKFLOW, encoding="utf-8")
        bundle = load(Path(folder), played=False)
        setting = setting_of(bundle)
        source = agent_of(bundle, answer)
        with Store.open(Path(folder) / "replays.db") as store:
            record = ReplayRecord("rp-bench", "orders", Level.TURNS, datetime.now(UTC), (source.version,))
            store.replays.create(record)
            keeper = Keeper(store, record)
            began, sizes = time.perf_counter(), [0]
            memory = psutil.Process().memory_info

            async def run() -> None:
                player = Player(source)
                with player.ready():
                    cast = Cast(source.version, player.play, asyncio.Semaphore(8), record.id)

                    async def one(recording: Recording) -> None:
                        keeper.keep(*await replay(recording, Level.TURNS, setting, cast))
                        if len(keeper.done) == count // 10:
                            sizes[0] = memory().rss

                    await play_all(recordings(count), one, lambda: True, concurrency=8)

            asyncio.run(run())
            keeper.flush()
            seconds = time.perf_counter() - began
            grown = (memory().rss - sizes[0]) / 2**20
            summary = summed(store, record, source.version)
    rate = count * TURNS / seconds
    print(f"{count:,} recordings of {TURNS} turns: {rate:,.0f} turns/s, {grown:+.0f} MB after the first tenth")
    print({verdict.value: number for verdict, number in summary.verdicts.items() if number})
    if rate < LEAST:
        sys.exit(f"fewer than {LEAST} turns a second")


if __name__ == "__main__":
    measure(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDINGS)
