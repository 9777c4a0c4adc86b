"""An episode as a conversation. Its record tells what was said and done; the spans only show the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness.model.episode import Episode, Observed
from harness.model.episode import ModelCall as PlayedModelCall
from harness.model.late import Late
from harness.reports.wording import error_type
from tools_sandbox.call import Call
from traces.conversation import (
    Conversation,
    Document,
    Feedback,
    ModelCall,
    Origin,
    Retrieval,
    ToolCall,
    ToolError,
    TraceWarning,
    Turn,
)
from traces.span import Span


def conversation_of(episode: Episode) -> Conversation:
    """The episode as any trace is shown."""
    spans = {span.span_id: span for span in episode.spans}
    played = Conversation(
        id=episode.conversation_id,
        joined="episode",
        turns=tuple(_turn(episode, turn.number, spans) for turn in episode.turns),
        trace_ids=tuple(dict.fromkeys(span.trace_id for span in episode.spans)),
        agents=(episode.agent.label,),
        warnings=tuple(map(TraceWarning, _warnings(episode))),
        spans=tuple(episode.spans),
        logs=tuple(episode.logs),
    )
    return played if episode.observed is None else _observed(played, episode.observed)


def with_late(found: Conversation, late: Sequence[Late]) -> Conversation:
    """With what came when the episode was over: marked by a warning, and no step of any turn."""
    if not late:
        return found
    spans = tuple(span for each in late for span in each.spans)
    logs = tuple(record for each in late for record in each.logs)
    return replace(
        found,
        warnings=(*found.warnings, TraceWarning(late_line(late))),
        spans=(*found.spans, *spans),
        logs=(*found.logs, *logs),
    )


def late_line(late: Sequence[Late]) -> str:
    """How much came late, and what it is called."""
    came = [name for each in late for name in (*(span.name for span in each.spans), *(log.name for log in each.logs))]
    names = Counter(name or "?" for name in came)
    told = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in names.most_common(_NAMED))
    more = f" and {len(names) - _NAMED} other names" if len(names) > _NAMED else ""
    return f"came when the episode was over, and is in no score: {told}{more}"


def broke_off(episode: Episode) -> bool:
    """Whether it ended before it was over, or its trace is not complete."""
    return bool(episode.spans_missing) or episode.end.kind not in _OVER


_NAMED = 5
_OVER = ("script_done", "observed")
"""How an episode ends that did not end early, as far as is known."""


def _observed(found: Conversation, observed: Observed) -> Conversation:
    """With what only the record of an observed one holds."""
    turns = []
    for number, turn in enumerate(found.turns, 1):
        texts = tuple(Document(text.source, text.text) for at, text in observed.retrieved if at == number)
        turns.append(replace(turn, steps=(Retrieval(None, texts), *turn.steps)) if texts else turn)
    return replace(
        found,
        id=observed.conversation,
        joined=observed.joined,
        turns=tuple(turns),
        system_prompt=observed.instructions,
        feedback=tuple(
            Feedback(one.name, one.value, one.label, one.explanation, None if one.turn is None else one.turn - 1)
            for one in observed.feedback
        ),
        dialects=observed.dialects,
    )


def _turn(episode: Episode, number: int, spans: dict[str, Span]) -> Turn:
    timed = next(turn for turn in episode.turns if turn.number == number)
    steps: list[tuple[float, ModelCall | ToolCall]] = [
        *((call.started, _tool_call(call, spans)) for call in episode.calls if call.turn == number),
        *((call.started, _model_call(call, spans)) for call in episode.model_calls if call.turn == number),
    ]
    steps.sort(key=lambda step: step[0])
    said = [message.text for message in episode.messages if message.turn == number and message.role == "user"]
    replies = [message.text for message in episode.agent_messages(number)]
    return Turn(
        user="\n".join(said) if said else None,
        assistant="\n".join(replies) if replies else None,
        steps=tuple(step for _, step in steps),
        agents=(episode.agent.label,),
        started=_nanoseconds(timed.started),
        ended=_nanoseconds(timed.ended),
    )


def _tool_call(call: Call, spans: dict[str, Span]) -> ToolCall:
    return ToolCall(
        name=call.tool,
        id=call.id,
        arguments=call.arguments,
        raw=call.raw if call.arguments is None else None,
        result=call.result,
        error=None if call.error is None else ToolError(error_type(call.error), call.error.text, "result"),
        executed=call.error is None or call.error.kind not in ("unknown_tool", "bad_arguments"),
        started=_nanoseconds(call.started),
        ended=_nanoseconds(call.ended),
        parent=call.span_id and (spans[call.span_id].parent_id if call.span_id in spans else None),
        origin=_origin(call.span_id, spans),
    )


def _model_call(call: PlayedModelCall, spans: dict[str, Span]) -> ModelCall:
    return ModelCall(
        model=call.model,
        usage=call.usage,
        missing=call.missing,
        started=_nanoseconds(call.started),
        ended=_nanoseconds(call.ended),
        error=_error(spans.get(call.span_id or "")),
        origin=_origin(call.span_id, spans),
    )


def _error(span: Span | None) -> str | None:
    return (span.status_text or "the span is an error") if span is not None and span.status == "error" else None


def _origin(span_id: str | None, spans: dict[str, Span]) -> Origin:
    return (spans[span_id],) if span_id in spans else ()


def _warnings(episode: Episode) -> Iterator[str]:
    if episode.end.kind not in _OVER:
        text = f": {episode.end.text}" if episode.end.text else ""
        yield f"the conversation ended early: {episode.end.kind.replace('_', ' ')}{text}"
    if episode.spans_missing:
        yield f"the trace is not complete: {episode.spans_missing}"
    yield from episode.notes


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1_000_000_000)
