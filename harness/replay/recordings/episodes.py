"""Recordings of stored episodes: of played ones with their state, clock and seed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from harness.model.episode import Episode, Message
from harness.model.material import Material
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.replay.recordings.identity import identified
from harness.scoring.timeline import Timeline
from tools_sandbox.call import Call, Json

_UNSEEN = "outside"
"""The kind of error of a call that nothing shows to have been executed."""


def of_episode(episode: Episode, material: Material | None = None) -> Recording:
    """The recording of an episode. `material`: what it was scored against; without it the start state is not known.

    Calls that ran at the same time become calls of one message. What the agent's own library made of a result for the
    model is not in the record, so that `told` is None.
    """
    observed = episode.observed
    played = observed is None
    return identified(
        Recording(
            id="",
            source=RecordingSource("episode", episode.key.run, episode.key.id),
            messages=_messages(episode),
            workflow=None if material is None else material.workflow.workflow,
            agent=episode.agent,
            clock=episode.clock,
            seed=episode.seed if played else None,
            speaker=episode.speaker,
            snapshot=material.given if played and material is not None else None,
            digests=episode.digests,
            changes=episode.state_changes if played else None,
            outcome=episode.outcome,
            feedback=[] if observed is None else list(observed.feedback),
            labels=_labels(episode, material),
            flaws=list(_flaws(episode)),
        )
    )


def _messages(episode: Episode) -> list[RecordedMessage]:
    instructions = episode.observed.instructions if episode.observed is not None else None
    told = [] if instructions is None else [RecordedMessage("system", instructions, 0)]
    together: list[Call] = []
    for _, event in Timeline.of(episode).events:
        if isinstance(event, Message):
            told += _calling(together)
            together = []
            told.append(RecordedMessage(event.role, event.text, event.turn, refusal=event.refusal, at=event.at or None))
        else:
            if together and not _overlap(together, event):
                told += _calling(together)
                together = []
            together.append(event)
    return told + _calling(together)


def _overlap(together: list[Call], call: Call) -> bool:
    """Whether a call was asked for before those had ended. What only spans show may lack its times."""
    begun = call.started > 0 and call.turn == together[-1].turn
    return begun and any(call.started < other.ended and other.started < call.ended for other in together)


def _calling(calls: list[Call]) -> list[RecordedMessage]:
    if not calls:
        return []
    return [RecordedMessage("agent", None, calls[0].turn, tuple(map(_call, calls)), at=calls[0].started or None)]


def _call(call: Call) -> RecordedCall:
    error = call.error
    unseen = error is not None and error.kind == _UNSEEN
    return RecordedCall(
        id=call.id,
        tool=call.tool,
        raw=call.raw,
        arguments=call.arguments,
        flaw=None if call.arguments is not None else _flaw(call),
        answered=not unseen,
        result=call.result,
        error=None if error is None or unseen else error.text,
        error_type=None if error is None or unseen else error.kind,
        at=call.started or None,
    )


def _flaw(call: Call) -> str:
    if call.raw is None:
        return "the arguments are not on record"
    return call.error.text if call.error is not None else "the arguments are no JSON object"


def _labels(episode: Episode, material: Material | None) -> dict[str, Json]:
    labels: dict[str, Json] = {"scenario": episode.key.item, "trial": episode.key.trial}
    if episode.key.condition != "clean":
        labels["condition"] = episode.key.condition
    if material is not None and episode.observed is None:
        labels["family"] = material.scenario.family
    return {**labels, "run": episode.key.run}


def _flaws(episode: Episode) -> Iterator[str]:
    for pause in episode.pauses:
        payload = json.dumps(pause.payload, ensure_ascii=False, default=str)
        yield f"turn {pause.turn}: the agent paused for a person ({payload[:200]}), which no message shows"
    if episode.end.kind in ("limit", "agent_error", "no_answer", "fault"):
        yield f"it broke off: {episode.end.kind.replace('_', ' ')}: {episode.end.text}"
    if episode.observed is not None:
        yield from (f"it lacks {lack}: {why}" for lack, why in episode.observed.lacks.items())
