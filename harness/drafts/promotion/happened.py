"""What happened in a recorded conversation, made again in the sandbox that its scenario will be played in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from harness.drafts.yaml_text import Flow
from harness.model.episode import Episode, EpisodeKey
from harness.model.recording import RecordedMessage, Recording
from harness.model.replay_policy import ReplayPolicy
from harness.replay.judged import recorded_episode
from harness.replay.reading import read
from harness.replay.recorded import RecordedTalk
from harness.replay.setting import Setting
from tools_sandbox.call import Call, Json, net_changes
from tools_sandbox.schema import ANY, FieldType, SandboxSchema


class CannotPromote(Exception):
    """There is no scenario in the recording; the text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Happened:
    """`episode`: all of the conversation from the user's first message to the last that was answered. `repeated`: the
    same with the calls alone that the sandbox made again. `missing`: the others, but for those that only read. `given`:
    what the start state has to be given; `remarks`: what a person should know of it, one line each.
    """

    episode: Episode
    repeated: Episode
    missing: list[str]
    given: dict[str, Json]
    remarks: list[str]


def happened(recording: Recording, setting: Setting, clock: datetime) -> Happened:
    """Everything, at the time that the scenario will be played at. Messages of the user that came in a row are one:
    they were answered together. Raises CannotPromote.
    """
    told, remarks = _as_turns(recording)
    remarks += _strange(recording, setting)
    # Nothing is answered from the record, and the scenario that it may have been played from plays no part.
    told = replace(told, clock=clock.isoformat(), digests=None)
    sandbox = replace(setting, policy=replace(setting.policy, written=ReplayPolicy.model_validate({})))
    talk = read(told, sandbox)
    if told.snapshot is not None and talk.opening.kind == "workflow":
        remarks.append(f"{talk.turns[0].why_not}: nothing is given")
    if recording.clock is not None and datetime.fromisoformat(recording.clock) != clock:
        remarks.append(f"its clock stood at {recording.clock}, and the scenario's stands at {clock.isoformat()}")
    episode = _episode(recording, talk, sandbox)
    again = [call for call in episode.calls if call.origin == "sandbox" and not _uncertain(call, talk.unlike)]
    kept = [replace(call, arguments=_as_taken(call, setting.schema)) for call in again]
    left = [
        call
        for call in episode.calls
        if call.ok and call not in again and call.tool not in setting.workflow.passthrough
    ]
    remarks += [f"left out, since it did not come about again: {', '.join(map(_placed_in, left))}"] if left else []
    missing = [_placed_in(call) for call in left if call.kind != "reads"]
    repeated = replace(episode, calls=kept, state_changes=net_changes(kept))
    given = _given(talk.opening.given, setting.ground.start)
    return Happened(episode, repeated, missing, given, [*talk.notes, *remarks, *recording.flaws])


def _as_turns(recording: Recording) -> tuple[Recording, list[str]]:
    """The recording with one message of the user for each of the agent's answers, and what was left out for that."""
    messages: list[RecordedMessage] = []
    asked: int | None = None
    for message in recording.messages:
        text = (message.text or "").strip()
        if message.role == "user" and text:
            if asked is not None:
                messages[asked] = replace(messages[asked], text=f"{messages[asked].text}\n{text}")
                continue
            asked = len(messages)
        elif message.role == "agent" and text:
            asked = None
        messages.append(message)
    if not any(message.role == "user" and (message.text or "").strip() for message in messages):
        raise CannotPromote("no user says anything in it: there is no scenario in it")
    if asked is None or any(message.calls for message in messages[asked:]):
        return replace(recording, messages=messages), []
    left = replace(recording, messages=messages[:asked])
    if not left.turns:
        raise CannotPromote("the agent answers nothing in it: there is no scenario in it")
    return left, ["the user's last message had no answer and is left out"]


def _strange(recording: Recording, setting: Setting) -> list[str]:
    """What of its calls nothing here can make. Raises CannotPromote if that is all of them."""
    known = {*setting.schema.tools, *setting.workflow.passthrough}
    by_agent = {call.tool: None for call in recording.calls() if call.by == "agent"}
    by_user = {call.tool: None for call in recording.calls() if call.by == "user"}
    lacking = [tool for tool in by_agent if tool not in known]
    names = ", ".join(lacking)
    if lacking and len(lacking) == len(by_agent):
        raise CannotPromote(
            f"the workflow has none of its tools ({names}): is it another workflow's? Else add them to the sandbox, or "
            "under `tools:` in workflow.yaml"
        )
    remarks = []
    if lacking:
        remarks.append(
            f"the workflow has no tool {names}, so calls of it are left out: add it to the sandbox, or under `tools:` "
            "in workflow.yaml, and promote again"
        )
    if by_user:
        remarks.append(f"the user called {', '.join(by_user)}, which no scripted user does")
    return remarks


def _episode(recording: Recording, talk: RecordedTalk, setting: Setting) -> Episode:
    """The conversation, which a scenario's user begins. How it came out is as recorded, if that is known: that the
    words leave something open says nothing of a real user, who was there to the end.
    """
    key = EpisodeKey("promotion", "recorded", recording.id, 1)
    episode = recorded_episode(talk, len(talk.turns), key, setting)
    told = recording.outcome or ("resolved" if episode.outcome == "open" else episode.outcome)
    return replace(
        episode,
        messages=[message for message in episode.messages if message.turn],
        outcome=told,
        stated_outcome=recording.outcome if recording.outcome != episode.outcome else None,
    )


def _uncertain(call: Call, unlike: Collection[str]) -> bool:
    """Whether a call did here something else than there, for all that is known."""
    return call.kind == "writes" and call.id in unlike


def _placed_in(call: Call) -> str:
    return f"{call.tool} (turn {call.turn})"


def _as_taken(call: Call, schema: SandboxSchema) -> dict[str, Json] | None:
    """The arguments without what the tool's types have no place for and leave out."""
    spec = schema.tools.get(call.tool)
    if spec is None or call.arguments is None:
        return call.arguments
    return {name: _placed(value, spec.arguments.get(name, ANY)) for name, value in call.arguments.items()}


def _placed(value: Json, kind: FieldType) -> Json:
    if isinstance(value, list):
        return [_placed(item, kind.of or ANY) for item in value]
    if isinstance(value, dict) and kind.fields:
        return {name: _placed(member, kind.fields[name]) for name, member in value.items() if name in kind.fields}
    return value


def _given(laid: Mapping[str, Json], start: Mapping[str, Mapping[str, Mapping[str, Json]]]) -> dict[str, Json]:
    """What is given, by path, without what the start state says anyway."""
    given: dict[str, Json] = {}
    for table, rows in laid.items():
        for key, row in rows.items():
            old = start.get(table, {}).get(key)
            new = _differing(row, old)
            if new != {} or old is None:
                given[f"{table}.{key}"] = Flow(new) if isinstance(new, dict) else new
    return given


def _differing(value: Json, old: Json) -> Json:
    if not isinstance(value, Mapping) or not isinstance(old, Mapping):
        return value
    return {name: _differing(member, old.get(name)) for name, member in value.items() if member != old.get(name)}
