"""A small shop whose conversations are programs: what is said and called in each turn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from harness.agents.source import AgentSource, kind_of
from harness.cli.replaying import setting_of
from harness.model.episode import AgentVersion
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.model.replay import Level
from harness.replay.levels.playing import Cast
from harness.replay.replayer import replay
from harness.runs.player import Player
from harness.workflow.bundle import load

WORKFLOW = """
workflow: shop
clock: 2026-11-20T10:00:00+01:00
state:
  orders: {O-1: {status: paid, note: ""}, O-2: {status: shipped, note: ""}}
  marks: {m: {text: ""}}
tools:
  get_order: {kind: reads, args: {order_id: text}, return: {from: "orders.{order_id}"}}
  list_orders: {kind: reads, args: {page: integer}, return: {from: orders}}
  set_note:
    kind: writes
    args: {order_id: text, note: text}
    set: {"orders.{order_id}.note": "{note}"}
    return: {ok: true}
  cancel_order:
    kind: writes
    args: {order_id: text}
    cases:
      - {when: {order_id: O-1}, set: {orders.O-1.status: cancelled}, return: {ok: true}}
      - {error: it is shipped}
  hand_over:
    {kind: writes, args: {summary: text}, ends: escalated, set: {marks.m.text: "{summary}"}, return: {ok: true}}
rules:
  - {id: no-guarantee, never_says: [guaranteed]}
scenario_map:
  orders:
    about: Orders.
    source: [production]
    measures: [faithfulness]
    failures: [KN4]
    gate: [{rule: nothing invented, metric: faithfulness, failures: 0}]
    review: {always: [critical_failure]}
"""


@dataclass(frozen=True)
class Turn:
    """What the user says, then what the agent calls, and what it replies."""

    user: str
    calls: tuple[tuple[str, dict], ...] = ()
    reply: str = "Very well."


def bundle_of(folder: Path, replay_block: str = "", workflow: str = WORKFLOW):
    (folder / "workflow.yaml").write_text(f"{workflow}\n{replay_block}", encoding="utf-8")
    return load(folder, played=False)


def recording_of(turns, setting, name="rec-1", **more) -> Recording:
    """The recording of a program that was played in the sandbox, from the workflow's start state."""
    sandbox = setting.start.open({}, setting.clock)
    messages = []
    for number, turn in enumerate(turns, 1):
        messages.append(RecordedMessage("user", turn.user, number))
        for place, (tool, arguments) in enumerate(turn.calls):
            made = sandbox.call(tool, arguments, turn=number)
            error = None if made.error is None else made.error.text
            call = RecordedCall(
                f"c-{number}-{place}", tool, None, arguments, answered=True, result=made.result, error=error
            )
            messages.append(RecordedMessage("agent", None, number, (call,)))
        messages.append(RecordedMessage("agent", turn.reply, number))
    return Recording(name, RecordingSource("messages", "test", name), messages, **{"snapshot": {}, **more})


def agent_playing(turns):
    """The agent that does in turn n what the program says."""

    async def agent(message, session):
        turn = turns[sum(said.role == "user" for said in session.history)]
        for tool, arguments in turn.calls:
            session.call_tool(tool, dict(arguments))
        return turn.reply

    return agent


def replayed(recording, bundle, agent, level=Level.TURNS, against=None):
    """What comes of a recording; with `against` also the other agent's result."""
    setting = setting_of(bundle)
    names = zip(("new", "old"), (agent, against), strict=True)
    sources = [AgentSource(AgentVersion(name, "1", ""), kind_of(each, name)) for name, each in names if each]

    async def run():
        players = [Player(source) for source in sources]
        with players[0].ready():
            casts = [
                Cast(source.version, player.play, asyncio.Semaphore(8), "rp-1")
                for source, player in zip(sources, players, strict=True)
            ]
            return await replay(recording, level, setting, *casts)

    result, other = asyncio.run(run())
    return result if against is None else (result, other)
