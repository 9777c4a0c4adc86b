"""Model calls of an episode, from its spans; a reply's own usage only where no model span gave any, never summed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.model.episode import ModelCall, Turn
from traces.genai import ModelSpan, Usage


def model_calls(found: Iterable[ModelSpan], turns: Iterable[Turn], stated: Mapping[int, Usage]) -> list[ModelCall]:
    """One record a request. `stated`: the usage that a reply gave itself, by turn."""
    calls = [
        ModelCall(span.turn or 0, span.model, span.tokens, span.missing, span.span_id, span.started, span.ended)
        for span in found
    ]
    measured = {call.turn for call in calls if call.usage}
    seen = {call.turn for call in calls}
    for turn in turns:
        usage = stated.get(turn.number)
        if usage is None or turn.number in measured:
            continue
        if turn.number in seen:
            first = next(call for call in calls if call.turn == turn.number)
            first.usage, first.missing = usage, None
            # One figure for the whole turn: the other requests of it are part of it.
            for call in calls:
                if call.turn == turn.number and call is not first:
                    call.usage, call.missing = Usage(0, 0), None
        else:
            calls.append(ModelCall(turn.number, None, usage, None, None, turn.started, turn.ended))
    return sorted(calls, key=lambda call: call.turn)
