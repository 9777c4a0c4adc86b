"""Making a recording ready: who said what, and the state that it began from."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from harness.episodes.observed.episode import line_of, speaker_of
from harness.episodes.observed.words import because_of, facts_given
from harness.model.episode import Because, Message
from harness.model.material import GivenRows, Material, Tables
from harness.model.recording import Recording
from harness.model.scenario import Scenario
from harness.replay.calls_again import RecordedCalls
from harness.replay.recorded import Opening, RecordedTalk, RecordedTurn
from harness.replay.setting import Setting
from harness.users.recognise import SlotBook, recognise
from tools_sandbox.call import Json


def read(recording: Recording, setting: Setting) -> RecordedTalk:
    """Make a recording ready to be replayed. What stands in the way is in the notes, and at the turns it concerns."""
    notes: list[str] = []
    scenario = _scenario(recording, setting, notes)
    opening, misfit = _opening(recording, setting, notes)
    calls = RecordedCalls(setting, opening.open(), notes)
    greeting, turns = _turns(recording, calls)
    texts = [turn.said.text for turn in turns]
    made = [call for turn in turns for call in turn.calls]
    knows = facts_given(texts, made) | (dict(scenario.user.knows) if scenario is not None else {})
    book = SlotBook.of(knows, scenario.user.answers if scenario is not None else {})
    _understand(greeting, turns, book, setting, scenario)
    for turn in turns:
        turn.why_not = misfit or turn.why_not or ("" if turn.answered else _NO_ANSWER)
    given = setting.start.given_rows(opening.given)
    material = Material(
        setting.workflow,
        scenario or setting.stand_in,
        setting.schema,
        setting.ground.laid_over(given),
        setting.ground.knowledge,
        setting.prices,
        given=given,
        ground=setting.ground,
    )
    speaker = recording.speaker or speaker_of(made, texts, scenario, None)
    return RecordedTalk(
        recording,
        material,
        scenario is not None,
        opening,
        greeting,
        turns,
        calls.writes,
        knows,
        book,
        speaker,
        list(dict.fromkeys(notes)),
        calls.unlike,
    )


_NO_ANSWER = "what the agent answered is not on record"


def _scenario(recording: Recording, setting: Setting, notes: list[str]) -> Scenario | None:
    """The scenario that the recorded conversation was played from, if it says still the same."""
    name = recording.labels.get("scenario")
    scenario = setting.scenarios.get(name) if isinstance(name, str) else None
    if scenario is None or recording.digests is None:
        return None
    if setting.digests(scenario).scenario != recording.digests.scenario:
        notes.append(f"the scenario {name} says something else now, so nothing is held against it")
        return None
    return scenario


def _opening(recording: Recording, setting: Setting, notes: list[str]) -> tuple[Opening, str]:
    """The state that it began from; and what is wrong with the snapshot, if anything."""
    clock = _clock(recording, setting, notes)
    if recording.snapshot is None:
        notes.append("no snapshot on record: the sandbox began from the workflow's start state")
        return Opening(setting.start, {}, clock, "workflow"), ""
    given = _laid(recording.snapshot, setting.ground.start)
    if wrong := setting.start.check_given(given):
        misfit = f"its snapshot does not fit the sandbox: {'; '.join(wrong[:3])}"
        return Opening(setting.start, {}, clock, "workflow"), misfit
    return Opening(setting.start, given, clock, "snapshot"), ""


def _clock(recording: Recording, setting: Setting, notes: list[str]) -> datetime:
    first = next((message.at for message in recording.messages if message.at is not None), None)
    if recording.clock is not None:
        told = datetime.fromisoformat(recording.clock)
    elif first is not None:
        told = datetime.fromtimestamp(first, UTC)
    elif setting.clock is not None:
        told = setting.clock
    else:
        notes.append("no clock on record and none in the workflow: tools are told the time that it is")
        told = datetime.now(UTC)
    return told if told.tzinfo is not None else told.replace(tzinfo=UTC)


def _laid(snapshot: GivenRows, start: Tables) -> dict[str, Json]:
    """What lays these very rows over the start state: a row that is there is replaced, not merged."""
    laid: dict[str, Json] = {}
    for table, rows in snapshot.items():
        there = start.get(table, {})
        laid[table] = {
            key: _instead(row, there[key]) if key in there else row
            for key, row in rows.items()
            if row is not None or key in there
        }
    return laid


def _instead(value: Json, old: Json) -> Json:
    """What merged into the old value gives the new one."""
    if not isinstance(value, Mapping) or not isinstance(old, Mapping):
        return value
    gone = dict.fromkeys(name for name in old if name not in value)
    return {**gone, **{name: _instead(member, old.get(name)) for name, member in value.items()}}


def _turns(recording: Recording, calls: RecordedCalls) -> tuple[list[Message], list[RecordedTurn]]:
    """What was said before the user did, and the turns."""
    greeting: list[Message] = []
    turns: list[RecordedTurn] = []
    for message in recording.messages:
        text, at = message.text or "", message.at or 0.0
        if message.role == "user" and text.strip():
            turns.append(RecordedTurn(Message("user", text, len(turns) + 1, at)))
        elif message.role == "agent" and text.strip():
            into = turns[-1].replies if turns else greeting
            made = len(turns[-1].calls) if turns else 0
            into.append(Message("agent", text, len(turns), at, after=made))
        for call in message.calls:
            made_again, why_not = calls.again(call, len(turns))
            if not turns or call.by == "user":
                continue
            turns[-1].calls.append(made_again)
            turns[-1].why_not = turns[-1].why_not or why_not
    return greeting, turns


def _understand(
    greeting: list[Message], turns: list[RecordedTurn], book: SlotBook, setting: Setting, scenario: Scenario | None
) -> None:
    """Write down at each message what it asks, or what it is said for."""
    line, before = None, greeting
    for message in greeting:
        _hear(message, book)
    for turn in turns:
        because = because_of(turn.said.text, before, setting.acts)
        if scenario is not None and (said := line_of(turn.said.text, scenario, line)) is not None:
            line = said
            because = Because("observed", said, consent=because.consent if because is not None else ())
        turn.said.because = because
        for message in turn.replies:
            _hear(message, book)
        before = turn.replies


def _hear(message: Message, book: SlotBook) -> None:
    heard = recognise(message.text, book)
    message.asks, message.refusal = heard.asks, heard.refusal
