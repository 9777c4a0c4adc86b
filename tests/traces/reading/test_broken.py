"""Telemetry is never what it should be: broken content is read as far as it goes and never raises."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.reading.made import limited
from tests.traces.reading.test_samples import SAMPLES, telemetry
from traces.conversation import Conversation
from traces.reading import conversation, conversations
from traces.reading.compare import canonical, last_part
from traces.span import Span, SpanEvent

CUT = "pitfall-truncated-256"
"""There every history holds the first words alone, and only the spans of runs show that there are two turns."""

NAMES = sorted(
    {
        "gen_ai.operation.name",
        "gen_ai.provider.name",
        "gen_ai.system",
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.system_instructions",
        "gen_ai.tool.name",
        "gen_ai.tool.call.id",
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
        "gen_ai.response.id",
        "gen_ai.response.finish_reasons",
        "gen_ai.request.previous_response.id",
        "gen_ai.retrieval.documents",
        "gen_ai.prompt.0.role",
        "gen_ai.prompt.0.content",
        "gen_ai.completion.0.tool_calls.0.name",
        "openinference.span.kind",
        "llm.input_messages.0.message.role",
        "llm.input_messages.0.message.contents.0.message_content.text",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments",
        "input.value",
        "output.value",
        "retrieval.documents.0.document.content",
        "traceloop.span.kind",
        "traceloop.entity.input",
        "traceloop.entity.output",
        "session.id",
        "metadata",
    }
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "parts",
                    "content",
                    "type",
                    "id",
                    "name",
                    "arguments",
                    "tool_calls",
                    "function",
                    "messages",
                    "lc",
                    "kwargs",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
VALUES = JSON | st.sampled_from(
    [
        *(
            "chat",
            "execute_tool",
            "invoke_agent",
            "retrieval",
            "LLM",
            "TOOL",
            "AGENT",
            "CHAIN",
            "RETRIEVER",
            "tool",
            "agent",
        ),
        '[{"role": "user", "parts": [{"type": "text", "content": "a"}]}]',
        '[{"role": "user", "parts": [{"type": "text", "content": "a"}]}, {"role": "assistant", "parts": [{"type": "to',
        '[{"role": "user", "x": [{"y": 1}, {"role": "b"}]}]',
        '{"messages": [[{"lc": 1, "id": [], "kwargs": {"type": "human", "content": null}}]]}',
        "{'a': (1, None)}",
        "[" * 3000,
        '"' * 7,
        "\ud800",
    ]
)


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8),
            st.integers(0, 4),
            st.integers(0, 5),
            st.sampled_from(["unset", "error"]),
            st.sampled_from(["", "gen_ai.choice", "gen_ai.user.message", "exception", "gen_ai.evaluation.result"]),
        ),
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_anything_is_read_and_in_any_order(
    made: list[tuple[dict[str, Any], int, int, str, str]], rng: random.Random
) -> None:
    spans = [
        Span(
            "t",
            f"s{number}",
            f"s{parent}" if parent else None,
            "name",
            "internal",
            start,
            start + 2,
            attributes,
            (SpanEvent(event, 1, dict(attributes)),) if event else (),
            status,
        )
        for number, (attributes, parent, start, status, event) in enumerate(made)
    ]
    expected = repr(conversations(spans))
    assert "can't be read as" not in expected
    repr(conversation(spans))
    rng.shuffle(spans)
    assert repr(conversations(spans)) == expected


@pytest.mark.parametrize("name", SAMPLES)
def test_real_telemetry_with_values_cut_anywhere_is_read(name: str) -> None:
    spans, logs = telemetry(name)
    rng = random.Random(name)
    for limit in (0, 17, 64, 256, 1028):
        cut = [
            replace(
                span,
                attributes={
                    key: value[: rng.randint(limit // 2, limit)]
                    if isinstance(value, str) and len(value) > limit
                    else value
                    for key, value in span.attributes.items()
                },
            )
            for span in spans
        ]
        found = conversations(cut, logs)
        assert sum(len(one.turns) for one in found) >= (limit >= 64)


@pytest.mark.parametrize("name", SAMPLES)
def test_real_telemetry_with_spans_missing_is_read(name: str) -> None:
    spans, logs = telemetry(name)
    rng = random.Random(name)
    for share in (0.2, 0.5, 0.8):
        kept = [span for span in spans if rng.random() < share]
        rng.shuffle(kept)
        found = conversations(kept, logs)
        assert sum(len(one.spans) for one in found) <= len(kept)
        assert bool(found) == bool(kept or logs)


@pytest.mark.parametrize("name", SAMPLES)
def test_no_call_of_a_conversation_is_told_twice_whatever_was_dropped_from_spans(name: str) -> None:
    spans, logs = telemetry(name)
    for most in (30, 50, 80):
        for found in conversations([limited(span, most) for span in spans], logs):
            told = [call.id for turn in found.turns for call in turn.tool_calls if call.id is not None]
            assert len(told) == len(set(told))


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != CUT])
def test_nothing_is_told_more_often_or_with_other_words_whatever_did_not_come(name: str) -> None:
    """One span or log record that is lost, and all that has not ended yet by some time."""
    spans, logs = telemetry(name)
    whole = told(conversations(spans, logs))
    without = [([*spans[:at], *spans[at + 1 :]], logs) for at in range(len(spans))]
    without += [(spans, [*logs[:at], *logs[at + 1 :]]) for at in range(len(logs))]
    for now in {span.end for span in spans}:
        without.append(([span for span in spans if span.end <= now], [log for log in logs if log.time <= now]))
    for left in without:
        assert told(conversations(*left)) <= whole


def told(found: Iterable[Conversation]) -> Counter[object]:
    """How many turns there are, and how often each user's word, reply, pair of both and tool call is told of."""
    counts = Counter[object]()
    for turn in (turn for one in found for turn in one.turns):
        counts["turns"] += 1
        counts.update(("said", said) for said in (turn.user, turn.assistant) if said is not None)
        counts.update([(turn.user, turn.assistant)] if turn.user is not None and turn.assistant is not None else [])
        counts.update((last_part(call.name), canonical(call.arguments)) for call in turn.tool_calls)
    return counts
