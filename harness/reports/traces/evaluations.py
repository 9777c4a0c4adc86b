"""An episode as telemetry for others: its spans with what was said, and its scores as evaluation events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from harness.model.episode import Episode
from harness.model.score import Scored
from harness.model.status import Judgement, Measure
from traces.genai import AGENT_NAME, CONVERSATION_ID, OPERATION, TURN
from traces.log_record import LogRecord
from traces.span import Span

_EVENT = "gen_ai.evaluation.result"
_NAME = "gen_ai.evaluation.name"
_VALUE = "gen_ai.evaluation.score.value"
_LABEL = "gen_ai.evaluation.score.label"
_WHY = "gen_ai.evaluation.explanation"
_SCOPE = "turngate"
_INFO = 9


def telemetry(episode: Episode, scored: Scored | None) -> Iterator[Span | LogRecord]:
    """The spans of an episode, each turn's with the messages of the turn, and a log record for each of its scores.

    A judgement is a label, `passed`, `failed`, `not_judged` or `not_applicable`; a measure a value, or one of the last
    two as a label. `verdict` is the one on the whole episode. All belong to the episode's own span; of an observed one,
    whose spans are handed on as they came, to the first that has none above it.
    """
    observed = episode.observed
    for span in episode.spans:
        number = span.attributes.get(TURN) if observed is None else None
        yield span if number is None else _with_messages(span, episode, number)
    if scored is None:
        return
    root = _root(episode)
    conversation = episode.conversation_id if observed is None else observed.conversation
    named = {} if conversation is None else {CONVERSATION_ID: conversation}
    given = [("verdict", scored.verdict), *((name, score.value) for name, score in scored.scores.items())]
    for name, value in given:
        yield LogRecord(
            trace_id=None if root is None else root.trace_id,
            span_id=None if root is None else root.span_id,
            time=int(episode.ended * 1e9),
            name=_EVENT,
            attributes={**named, _NAME: name, **_score(value)},
            resource={} if root is None else root.resource,
            severity=_INFO,
            scope=_SCOPE,
        )


def _root(episode: Episode) -> Span | None:
    if episode.observed is None:
        return next((span for span in episode.spans if span.scope == _SCOPE and span.parent_id is None), None)
    ids = {(span.trace_id, span.span_id) for span in episode.spans}
    tops = (span for span in episode.spans if (span.trace_id, span.parent_id) not in ids)
    return min(tops, key=lambda span: span.start, default=None)


def _with_messages(span: Span, episode: Episode, number: int) -> Span:
    user = [message.text for message in episode.messages if message.turn == number and message.role == "user"]
    agent = [message.text for message in episode.agent_messages(number)]
    held = {
        OPERATION: "invoke_agent",
        AGENT_NAME: episode.agent.name,
        CONVERSATION_ID: episode.conversation_id,
        "gen_ai.input.messages": _messages("user", user),
        "gen_ai.output.messages": _messages("assistant", agent),
    }
    return replace(span, attributes={**held, **span.attributes})


def _messages(role: str, texts: list[str]) -> str:
    found = [{"role": role, "parts": [{"type": "text", "content": text}]} for text in texts]
    return json.dumps(found, ensure_ascii=False)


def _score(value: Judgement | Measure) -> dict[str, str | float]:
    found: dict[str, str | float] = {_WHY: value.reason} if value.reason else {}
    if isinstance(value, Judgement):
        found[_LABEL] = value.status.value
    elif value.missing is not None:
        found[_LABEL] = value.missing.value
    elif value.value is not None:
        found[_VALUE] = float(value.value) if isinstance(value.value, Decimal) else value.value
    return found
