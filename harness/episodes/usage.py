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
    for turn in turns:
        if (usage := stated.get(turn.number)) is None:
            continue
        requests = [call for call in calls if call.turn == turn.number]
        if any(call.usage for call in requests):
            continue
        models = {call.model for call in requests}
        if len(requests) == 1:
            requests[0].usage, requests[0].missing = usage, None
        elif len(models) > 1:
            names = ", ".join(sorted(model or "one without a name" for model in models))
            for call in requests:
                call.missing = f"the reply states one figure for requests to several models ({names})"
        else:
            model = models.pop() if models else None
            # No request has this time for its own: it is that of those beside it.
            began = turn.ended if requests else turn.started
            calls.append(ModelCall(turn.number, model, usage, None, None, began, turn.ended, bool(requests)))
    return sorted(calls, key=lambda call: call.turn)
