"""A scenario from what happened in a conversation: what the user said, what came of it, and how it got there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from harness.drafts.talk import user_side
from harness.drafts.yaml_text import Flow
from harness.model.episode import Episode
from tools_sandbox.call import Call, Change, Json
from tools_sandbox.patterns import WORDS

_SPACES_AT_END = re.compile(r"[ \t]+$", re.MULTILINE)
"""Of lines: nobody sees them, and YAML writes a text that has them as one long line."""


def gold_steps(episode: Episode) -> list[dict[str, Any]]:
    """The calls that succeeded and the replies, in order, turn by turn: one reply a user message. The last one states
    the outcome if the agent did.

    Calls of tools outside the sandbox are left out: a gold path is played against the sandbox.
    """
    steps: list[dict[str, Any]] = []
    for turn in episode.turns:
        made = (call for call in episode.calls if call.turn == turn.number and call.ok and call.origin == "sandbox")
        steps += [{call.tool: Flow(call.arguments or {})} for call in made]
        replies = [message.text for message in episode.agent_messages(turn.number)]
        if replies:
            steps.append({"reply": _SPACES_AT_END.sub("", "\n".join(replies))})
    if episode.stated_outcome and steps and "reply" in steps[-1]:
        steps[-1]["outcome"] = episode.stated_outcome
    return steps


def draft(
    name: str, family: str, speaker: str, given: dict[str, Json], episode: Episode, may_change: Iterable[str]
) -> dict[str, Any]:
    """A scenario that holds a conversation to what happened in it: outcome, changed state, writes, gold path. A speaker
    who is `unknown` is the one that a call proved.
    """
    free_tables = set(may_change)
    expect: dict[str, Any] = {"outcome": episode.outcome}
    if state := _state([change for change in episode.state_changes if change.table not in free_tables]):
        expect["state"] = state
    required = [
        {call.tool: Flow({name: pattern(value) for name, value in (call.arguments or {}).items()})}
        for call in episode.calls
        if call.ok and call.origin == "sandbox" and _matters(call, free_tables)
    ]
    if required:
        expect["calls"] = {"required": required}
    head = {"id": name, "family": family, "title": name.replace("-", " "), "source": "authored", "tier": "core"}
    return {
        **head,
        **({"given": given} if given else {}),
        "speaker": _proved(episode) if speaker == "unknown" else speaker,
        "user": user_side(episode),
        "expect": expect,
        "gold": gold_steps(episode),
    }


def pattern(value: Json) -> Any:
    """A JSON value as a pattern that only this value fits: a mapping that would read as matchers says `equals`."""
    if isinstance(value, list):
        return [pattern(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value and (value.keys() <= set(WORDS) or value.keys() == {"contains"}):
        return Flow(equals=value)
    return Flow({name: pattern(member) for name, member in value.items()})


def _proved(episode: Episode) -> str:
    return next((call.proof.account for call in episode.calls if call.ok and call.proof), "unknown")


def _matters(call: Call, free_tables: set[str]) -> bool:
    return call.proof is not None or call.ends is not None or any(c.table not in free_tables for c in call.changes)


def _state(changes: Sequence[Change]) -> dict[str, Any]:
    """Changed fields by path; new rows of a table as a list, without the ids that tools made up."""
    state: dict[str, Any] = {}
    added: dict[str, list[Any]] = {}
    for change in changes:
        place = f"{change.table}.{change.key}"
        if change.after is None:
            state[place] = Flow(absent=True)
        elif change.before is None:
            row = {name: value for name, value in change.after.items() if value != change.key and value is not None}
            added.setdefault(change.table, []).append(pattern(row))
        else:
            # A field that is gone is not one that is null.
            state |= {
                f"{place}.{name}": pattern(change.after[name]) if name in change.after else Flow(absent=True)
                for name in change.fields
            }
    for table, rows in added.items():
        # A list speaks of all rows that were added or changed; here the changed ones have paths of their own.
        changed = any(change.table == table and change.before and change.after for change in changes)
        state[table] = {"contains": rows} if changed else rows
    return state
