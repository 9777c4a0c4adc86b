"""Token counts are read once a request, from the span nearest to the provider."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.genai import STAND_IN, Usage, model_calls
from traces.span import Span


def span(span_id, parent=None, start=0, **attributes):
    return Span("t" * 32, span_id, parent, span_id, "internal", start, start + 1, dict(attributes))


def chat(span_id, parent=None, start=0, tokens=None, model="m-1"):
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}
    if tokens:
        attributes |= {"gen_ai.usage.input_tokens": tokens[0], "gen_ai.usage.output_tokens": tokens[1]}
    return span(span_id, parent, start, **attributes)


def test_agent_totals_are_not_added_to_the_calls_below():
    agent = span(
        "agent",
        None,
        0,
        **{"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 9},
    )
    calls = model_calls([agent, chat("a", "agent", 1, (10, 4)), chat("b", "agent", 2, (20, 5))])
    assert [(call.span_id, call.tokens) for call in calls] == [("a", Usage(10, 4)), ("b", Usage(20, 5))]


def test_two_instrumentations_of_one_request_are_one_call():
    calls = model_calls([chat("langchain", None, 0, (10, 4)), chat("openai", "langchain", 1, (10, 4))])
    assert [call.span_id for call in calls] == ["openai"]


def test_the_span_around_a_request_lends_its_tokens_only_if_the_request_has_none():
    calls = model_calls([chat("outer", None, 0, (10, 4)), chat("inner", "outer", 1)])
    assert [(call.span_id, call.tokens) for call in calls] == [("outer", Usage(10, 4))]
    calls = model_calls([chat("outer", None, 0, (30, 9)), chat("a", "outer", 1), chat("b", "outer", 2, (20, 5))])
    assert [(call.span_id, call.tokens) for call in calls] == [("a", None), ("b", Usage(20, 5))]


def test_missing_counts_are_missing_with_the_reason_and_never_zero():
    (call,) = model_calls([chat("chat m-1")])
    assert call.tokens is None
    assert call.missing == "the span `chat m-1` gives no token counts"
    (call,) = model_calls([span("s", **{"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 5})])
    assert call.tokens is None


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ((-1, 3), "`input` is negative"),
        ((7, 2.5), "`output` is no whole number but of type float"),
        ((float("nan"), 3), "`input` is no whole number but of type float"),
        ((float("inf"), 3), "`input` is no whole number but of type float"),
        ((True, 3), "`input` is no whole number but of type bool"),
        (("7", 3), "`input` is no whole number but of type str"),
        ((10**400, 3), "`input` is larger than any use of a model"),
    ],
)
def test_counts_that_cannot_be_right_are_missing(tokens, why):
    (call,) = model_calls([chat("c", tokens=tokens)])
    assert (call.tokens, call.missing) == (None, f"the token counts of the span `c` can't be right: {why}")


def test_a_whole_number_may_come_as_a_float():
    (call,) = model_calls([chat("c", tokens=(7.0, 3))])
    assert call.tokens == Usage(7, 3)
    assert type(call.tokens.input) is int


def test_more_cached_than_sent_cannot_be_right():
    cached = {"gen_ai.usage.cache_read.input_tokens": 8, "gen_ai.operation.name": "chat"}
    (call,) = model_calls([span("c", **cached, **{"gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 3})])
    assert call.tokens is None


def test_the_turn_is_that_of_the_span_above():
    calls = model_calls(
        [
            span("episode"),
            span("t1", "episode", 1, **{"turngate.turn": 1}),
            span("node", "t1", 2),
            chat("a", "node", 3, (1, 1)),
            span("t2", "episode", 4, **{"turngate.turn": 2}),
            chat("b", "t2", 5, (2, 2)),
            chat("c", "episode", 6, (3, 3)),
            chat("d", "never seen", 7, (4, 4)),
        ]
    )
    assert [(call.span_id, call.turn) for call in calls] == [("a", 1), ("b", 2), ("c", None), ("d", None)]


@pytest.mark.parametrize(
    "attributes",
    [
        {
            "openinference.span.kind": "LLM",
            "llm.model_name": "m",
            "llm.token_count.prompt": 7,
            "llm.token_count.completion": 3,
            "llm.token_count.prompt_details.cache_read": 2,
            "llm.token_count.completion_details.reasoning": 1,
        },
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "alias",
            "gen_ai.response.model": "m",
            "gen_ai.usage.input_tokens": 7,
            "gen_ai.usage.output_tokens": 3,
            "gen_ai.usage.cache_read.input_tokens": 2,
            "gen_ai.usage.reasoning.output_tokens": 1,
        },
        {
            "llm.request.type": "chat",
            "gen_ai.request.model": "m",
            "gen_ai.usage.prompt_tokens": 7,
            "gen_ai.usage.completion_tokens": 3,
            "gen_ai.usage.cache_read_input_tokens": 2,
            "gen_ai.usage.reasoning_tokens": 1,
        },
    ],
)
def test_older_and_other_names_are_read(attributes):
    (call,) = model_calls([span("s", **attributes)])
    assert (call.model, call.tokens) == ("m", Usage(7, 3, 2, 1))


def test_deep_traces_are_no_problem():
    deep = [span("s0")] + [span(f"s{n}", f"s{n - 1}", n) for n in range(1, 5000)]
    (call,) = model_calls([*deep, chat("a", "s4999", 5000, (1, 2))])
    assert call.tokens == Usage(1, 2)


def stand_in(span_id, start, end, tokens=(10, 4)):
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": tokens[0],
        "gen_ai.usage.output_tokens": tokens[1],
    }
    return Span("t" * 32, span_id, None, span_id, "client", start, end, attributes, scope=STAND_IN)


def test_a_stand_in_counts_only_where_nobody_else_traced_the_call():
    traced = Span("t" * 32, "traced", None, "ChatOpenAI", "internal", 11, 19, {"openinference.span.kind": "LLM"})
    calls = model_calls([stand_in("first", 0, 5), stand_in("second", 10, 20), traced])
    assert [call.span_id for call in calls] == ["first", "traced"]


@st.composite
def trees(draw):
    """Spans of requests under agents that repeat the totals of what is below them; and the requests' tokens."""
    leaves = draw(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=8))
    spans, groups = [], [[(f"leaf{n}", tokens)] for n, tokens in enumerate(leaves)]
    for n in range(draw(st.integers(0, 6))):
        first = draw(st.integers(0, len(groups) - 1))
        last = draw(st.integers(first, len(groups) - 1))
        members = [member for group in groups[first : last + 1] for member in group]
        total = tuple(sum(tokens[side] for _, tokens in members) for side in (0, 1))
        spans.append((f"agent{n}", total, [name for name, _ in members]))
        groups[first : last + 1] = [members]
    above = {}
    for n, (_, _, names) in enumerate(spans):
        for name in names:
            above.setdefault(name, []).append(n)
    result = []
    for n, (name, total, names) in enumerate(spans):
        outer = [m for m in range(n + 1, len(spans)) if set(names) <= set(spans[m][2])]
        agent = {"gen_ai.operation.name": "invoke_agent"}
        agent |= {"gen_ai.usage.input_tokens": total[0], "gen_ai.usage.output_tokens": total[1]}
        result.append(span(name, spans[outer[0]][0] if outer else None, 0, **agent))
    for n, tokens in enumerate(leaves):
        inside = above.get(f"leaf{n}")
        result.append(chat(f"leaf{n}", spans[inside[0]][0] if inside else None, n + 1, tokens))
    return draw(st.permutations(result)), leaves


@given(trees())
def test_tokens_are_those_of_the_requests_however_often_they_are_repeated_above(tree):
    spans, leaves = tree
    assert [(call.tokens.input, call.tokens.output) for call in model_calls(spans)] == leaves
