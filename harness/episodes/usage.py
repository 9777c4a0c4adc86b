"""Model calls of an episode, from its spans; a reply's own usage only where no model span gave any, never summed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from harness.model.episode import ModelCall, Turn
from traces.genai import ModelSpan, Usage


def model_calls(found: Iterable[ModelSpan], turns: Iterable[Turn], stated: Mapping[int, Usage]) -> list[ModelCall]:
    """One record a request. `stated`: the usage that a reply gave itself, by turn; where any gives it, that of a turn
    without it is missing, not nothing.
    """
    calls = [
        ModelCall(span.turn or 0, span.model, span.tokens, span.missing, span.span_id, span.started, span.ended)
        for span in found
    ]
    for turn in turns if stated else ():
        requests = [call for call in calls if call.turn == turn.number]
        if any(call.usage for call in requests):
            continue
        usage, missing = _stated(stated.get(turn.number), {call.model for call in requests})
        if len(requests) == 1 and usage is not None:
            requests[0].usage, requests[0].missing = usage, None
        elif usage is not None or not requests:
            model = requests[0].model if requests else None
            # No request has this time for its own: it is that of those beside it.
            began = turn.ended if requests else turn.started
            calls.append(ModelCall(turn.number, model, usage, missing, None, began, turn.ended, bool(requests)))
        elif turn.number in stated:
            for call in requests:
                call.missing = missing
    return sorted(calls, key=lambda call: call.turn)


def _stated(usage: Usage | None, models: Collection[str | None]) -> tuple[Usage | None, str | None]:
    """The usage that a reply stated for requests to these models, or None and why it is none."""
    if usage is None:
        return None, "the reply states no usage, as those of other turns do"
    if (flaw := usage.flaw) is not None:
        return None, f"the usage that the reply states can't be right: {flaw}"
    if len(models) > 1:
        names = ", ".join(sorted(model or "one without a name" for model in models))
        return None, f"the reply states one figure for requests to several models ({names})"
    return usage, None
