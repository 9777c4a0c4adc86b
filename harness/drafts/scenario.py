"""A scenario from what happened in a conversation: what the user said, what came of it, and how it got there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness.drafts.yaml_text import Flow
from harness.model.episode import Episode
from tools_sandbox.call import Call, Change, Json


def gold_steps(episode: Episode) -> list[dict[str, Any]]:
    """The calls that succeeded and the replies, in order, turn by turn: one reply a user message.

    Calls of tools outside the sandbox are left out: a gold path is played against the sandbox.
    """
    steps: list[dict[str, Any]] = []
    for turn in episode.turns:
        made = (call for call in episode.calls if call.turn == turn.number and call.ok and call.origin == "sandbox")
        steps += [{call.tool: Flow(call.arguments or {})} for call in made]
        replies = [message.text for message in episode.agent_messages(turn.number)]
        if replies:
            steps.append({"reply": "\n".join(replies)})
    return steps


def draft(
    name: str, family: str, speaker: str, given: dict[str, Json], episode: Episode, may_change: Iterable[str]
) -> dict[str, Any]:
    """A scenario that holds a conversation to what happened in it: outcome, changed state, writes, gold path.

    The user says what was said, line by line.
    """
    free_tables = set(may_change)
    expect: dict[str, Any] = {"outcome": episode.outcome}
    if state := _state(change for change in episode.state_changes if change.table not in free_tables):
        expect["state"] = state
    required = [
        {call.tool: Flow(call.arguments or {})} for call in episode.calls if call.ok and _matters(call, free_tables)
    ]
    if required:
        expect["calls"] = {"required": required}
    head = {"id": name, "family": family, "title": name.replace("-", " "), "source": "authored", "tier": "core"}
    return {
        **head,
        **({"given": given} if given else {}),
        "speaker": speaker,
        "user": {"turns": [message.text for message in episode.messages if message.role == "user"]},
        "expect": expect,
        "gold": gold_steps(episode),
    }


def _matters(call: Call, free_tables: set[str]) -> bool:
    return call.proof is not None or call.ends is not None or any(c.table not in free_tables for c in call.changes)


def _state(changes: Iterable[Change]) -> dict[str, Any]:
    """Changed fields by path; new rows of a table as a list, without the ids that tools made up."""
    state: dict[str, Any] = {}
    for change in changes:
        if change.after is None:
            state[f"{change.table}.{change.key}"] = "absent"
        elif change.before is None:
            row = {name: value for name, value in change.after.items() if value != change.key and value is not None}
            state.setdefault(change.table, []).append(Flow(row))
        else:
            state |= {f"{change.table}.{change.key}.{name}": change.after.get(name) for name in change.fields}
    return state
