"""Which traces make one conversation, and by which rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, user
from traces.conversation import Conversation
from traces.log_record import LogRecord
from traces.reading import NO_SPANS, conversation, conversations, stream
from traces.span import Span


def said(found: Conversation) -> list[str | None]:
    return [turn.user for turn in found.turns]


def turn(
    number: int,
    history: list[Any],
    reply: str,
    attributes: dict[str, Any] | None = None,
    conversation_id: str | None = None,
) -> list[Span]:
    """A trace with a run and one model call; the attributes go on the call."""
    trace = Trace(number, number * 1000)
    trace.model(trace.run(conversation=conversation_id), history, [assistant(reply)], extra=attributes)
    return trace.spans


@pytest.mark.parametrize(
    ("attributes", "rule"),
    [
        ({"gen_ai.conversation.id": "x", "session.id": "other"}, "gen_ai.conversation.id"),
        ({"session.id": "x"}, "session.id"),
        ({"langsmith.metadata.thread_id": "x"}, "langsmith.metadata.thread_id"),
        ({"traceloop.association.properties.chat_id": "x"}, "traceloop.association.properties.chat_id"),
        ({"ai.settings.context.sessionId": "x"}, "ai.settings.context.sessionId"),
        ({"gcp.vertex.agent.session_id": "x"}, "gcp.vertex.agent.session_id"),
        ({"metadata": '{"thread_id": "x"}'}, "metadata.thread_id"),
    ],
)
def test_traces_are_joined_by_the_id_that_any_of_their_spans_gives(attributes: dict[str, Any], rule: str) -> None:
    spans = [*turn(1, [user("a")], "b", attributes), *turn(2, [user("c")], "d", attributes)]
    (found,) = conversations(spans)
    assert (found.id, found.joined, said(found)) == ("x", rule, ["a", "c"])
    assert len(found.trace_ids) == 2


def test_without_an_id_a_history_that_goes_on_joins() -> None:
    first = turn(1, [user("a")], "b")
    second = turn(2, [user("a"), assistant("b"), user("c")], "d")
    stranger = turn(3, [user("a"), assistant("else"), user("c")], "d")
    found = conversations([*second, *stranger, *first])
    assert [(one.joined, said(one)) for one in found] == [("history", ["a", "c"]), ("trace", ["a", "c"])]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_history_goes_on_from_a_call_that_called_tools_by_itself(streamed: bool) -> None:
    """As a client does that is given functions: its span tells the first question and the last answer."""
    first = Trace(1, 1000)
    around = first.model(None, [user("a")], [assistant("b")], lasting=9)
    first.tool(around, "get", {"k": 1}, "x")
    known = [user("a"), assistant("", ("get", "1", {"k": 1})), answer("1", "x"), assistant("b")]
    second = Trace(2, 2000)
    second.model(None, [*known, user("c")], [assistant("d")])
    stranger = Trace(3, 3000)
    stranger.model(None, [user("a"), assistant("", ("get", "2", {})), answer("2", "x"), assistant("e")], [])
    spans = [*second.spans, *stranger.spans, *first.spans]
    found = list(stream(spans)) if streamed else conversations(spans)
    assert sorted((one.joined, said(one)) for one in found) == [("history", ["a", "c"]), ("trace", ["a"])]
    joined = next(one for one in found if one.joined == "history")
    calls = [(call.id, call.arguments, call.result, call.executed) for call in joined.turns[0].tool_calls]
    assert calls == [("1", {"k": 1}, "x", True)]


def test_a_trace_without_an_id_joins_the_conversation_it_goes_on_from() -> None:
    first = turn(1, [user("a")], "b", conversation_id="x")
    second = turn(2, [user("a"), assistant("b"), user("c")], "d")
    (found,) = conversations([*second, *first])
    assert (found.id, said(found)) == ("x", ["a", "c"])


def test_equal_conversations_stay_apart() -> None:
    spans = [
        *turn(1, [user("a")], "b"),
        *turn(2, [user("a"), assistant("b"), user("c")], "d"),
        *turn(3, [user("a")], "b"),
        *turn(4, [user("a"), assistant("b"), user("c")], "d"),
    ]
    assert [said(found) for found in conversations(spans)] == [["a", "c"], ["a", "c"]]


def test_one_trace_may_hold_many_conversations() -> None:
    trace = Trace()
    batch = trace.add({}, lasting=1000)
    for name in ("x", "y"):
        run = trace.run(conversation=name, parent=batch)
        asks = assistant("", ("get", "1", {}))
        trace.model(run, [user(name)], [asks])
        trace.tool(run, "get", {}, name, "1")
        trace.model(run, [user(name), asks, answer("1", name)], [assistant("done")])
    found = conversations(trace.spans)
    assert [(one.id, said(one), one.turns[0].tool_calls[0].result) for one in found] == [
        ("x", ["x"], "x"),
        ("y", ["y"], "y"),
    ]


def test_the_id_of_a_sub_agent_within_a_tool_is_part_of_the_conversation_around() -> None:
    trace = Trace()
    run = trace.run(conversation="outer")
    trace.model(run, [user("a")], [assistant("", ("ask", "1", {"q": "b"}))])
    tool = trace.tool(run, "ask", {"q": "b"}, "c", "1", lasting=10)
    inner = trace.run("helper", "inner", tool, lasting=5)
    trace.model(inner, [user("b")], [assistant("c")])
    trace.model(run, [user("a"), assistant("", ("ask", "1", {"q": "b"})), answer("1", "c")], [assistant("d")])
    for found in (conversations(trace.spans), list(stream(trace.spans))):
        (one,) = found
        assert (one.id, [(turn.user, turn.assistant) for turn in one.turns]) == ("outer", [("a", "d")])
        assert len(one.turns[0].model_calls) == 3


def test_runs_of_one_trace_that_are_each_other_s_sub_agents_are_one_conversation() -> None:
    trace = Trace()
    for mine, other in (("a", "b"), ("b", "a")):
        run = trace.run(conversation=mine)
        trace.run("other", other, parent=trace.tool(run, "ask"))
    (found,) = conversations(trace.spans)
    assert (found.id, len(found.spans)) == (None, 6)


def test_an_id_below_counts_for_what_is_above() -> None:
    trace = Trace()
    top = trace.add({"gen_ai.operation.name": "invoke_workflow"}, lasting=1000)
    trace.model(trace.run(conversation="x", parent=top), [user("a")], [assistant("b")])
    (found,) = conversations(trace.spans)
    assert found.id == "x"
    assert len(found.spans) == 3


def test_no_spans_are_no_conversation_and_say_so() -> None:
    assert conversations([]) == []
    found = conversation([])
    assert (found.turns, found.warnings) == ((), (NO_SPANS,))


def test_spans_of_no_known_dialect_say_so() -> None:
    trace = Trace()
    trace.add({"http.route": "/health"})
    (found,) = conversations(trace.spans)
    assert found.turns == ()
    assert "none tells of an agent" in found.warnings[0]
    assert "http.route" in found.warnings[0]
    trace.model(trace.run(), [user("a")], [assistant("b")])
    other = Trace(7)
    other.add({"http.route": "/health"})
    assert len(conversations([*trace.spans, *other.spans])) == 1


def of_service(spans: list[Span], service: str | None) -> list[Span]:
    return [replace(span, resource={} if service is None else {"service.name": service}) for span in spans]


@pytest.mark.parametrize(
    ("services", "together"),
    [
        (("shop", "bank", "shop"), [["a", "c"], ["b"]]),
        (("shop", "shop", None), [["a", "b", "c"]]),
        (("shop", "bank", None), [["a"], ["b"], ["c"]]),
        ((None, None, None), [["a", "b", "c"]]),
    ],
)
def test_two_applications_with_the_same_id_have_a_conversation_each(
    services: tuple[str | None, ...], together: list[list[str]]
) -> None:
    traces = [turn(1, [user("a")], "1"), turn(2, [user("b")], "2"), turn(3, [user("c")], "3")]
    given = [
        of_service([replace(span, attributes={**span.attributes, "session.id": "1"}) for span in spans], service)
        for spans, service in zip(traces, services, strict=True)
    ]
    spans = [span for trace in given for span in trace]
    found = conversations(spans)
    assert [(one.id, said(one)) for one in found] == [("1", users) for users in together]
    assert sorted(map(repr, stream(spans))) == sorted(map(repr, found))


def test_applications_that_share_a_trace_or_a_call_share_the_conversation() -> None:
    trace = Trace(1)
    run = trace.run()
    asks = assistant("", ("get", "call_1", {}))
    trace.model(run, [user("a")], [asks])
    trace.model(run, [user("a"), asks, answer("call_1", "x")], [assistant("b")], at=9)
    helper = Trace(2)
    helper.tool(None, "get", {}, "x", "call_1", at=5)
    asking, telling = of_service(trace.spans[:2], "shop"), of_service(trace.spans[2:], "model-gateway")
    elsewhere = of_service(
        [replace(span, attributes={**span.attributes, "session.id": "c1"}) for span in helper.spans], "tools"
    )
    (found,) = conversations([*asking, *telling, *elsewhere])
    assert (found.id, said(found), len(found.spans)) == ("c1", ["a"], 4)


def test_a_judgement_goes_to_the_application_that_it_comes_from() -> None:
    spans = [
        *of_service(turn(1, [user("a")], "1", conversation_id="x"), "shop"),
        *of_service(turn(2, [user("b")], "2", conversation_id="x"), "bank"),
    ]
    attributes = {"gen_ai.evaluation.name": "good", "gen_ai.conversation.id": "x"}
    log = LogRecord(None, None, 5, "gen_ai.evaluation.result", None, attributes, {"service.name": "bank"})
    assert [(said(one), len(one.feedback)) for one in conversations(spans, [log])] == [(["a"], 0), (["b"], 1)]


def test_feedback_finds_its_turn() -> None:
    spans = [
        *turn(1, [user("a")], "b", {"gen_ai.response.id": "r1"}, "x"),
        *turn(2, [user("a"), assistant("b"), user("c")], "d", {"gen_ai.response.id": "r2"}, "x"),
    ]
    run = spans[2]

    def judged(name: str, trace_id: str | None, span_id: str | None, **more: str) -> LogRecord:
        attributes = {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": 1, **more}
        return LogRecord(trace_id, span_id, 5, "gen_ai.evaluation.result", None, attributes)

    later = Trace(9, 9000)
    later.add(
        {
            "openinference.span.kind": "EVALUATOR",
            "annotations.0.annotation.name": "linked",
            "annotations.0.annotation.score": 0.5,
        },
        links=((run.trace_id, run.span_id),),
    )
    logs = [
        judged("on the span", run.trace_id, run.span_id),
        judged("by response", None, None, **{"gen_ai.response.id": "r1", "gen_ai.conversation.id": "x"}),
        judged("of the whole", None, None, **{"gen_ai.conversation.id": "x"}),
    ]
    (found,) = conversations([*spans, *later.spans], logs)
    assert {one.name: one.turn for one in found.feedback} == {
        "on the span": 1,
        "linked": 1,
        "by response": 0,
        "of the whole": None,
    }


def test_a_stray_tool_that_two_conversations_may_have_asked_for_joins_neither() -> None:
    spans = []
    for number in (1, 2):
        trace = Trace(number)
        trace.model(trace.run(conversation=f"c{number}"), [user("a")], [assistant("", ("get", None, {"k": 1}))])
        spans += trace.spans
    stray = Trace(3)
    stray.tool(None, "get", {"k": 1}, "x", at=5)
    found = conversations([*spans, *stray.spans])
    assert [one.id for one in found] == ["c1", "c2", None]
    assert [call.result for one in found for turn in one.turns for call in turn.tool_calls] == [None, None, "x"]


def test_copies_of_conversations_with_ids_never_join_them() -> None:
    spans = []
    for number in (1, 2):
        trace, copy = Trace(number), Trace(number + 10)
        named = {"gen_ai.conversation.id": f"c{number}"}
        trace.model(None, [user("a")], [assistant("b")], extra=named, at=1 + number / 100)
        copy.model(None, [user("a")], [assistant("b")], at=1.001 + number / 100, lasting=0.49, scope="client")
        spans += [*trace.spans, *copy.spans]
    found = conversations(spans)
    assert [(one.id, len(one.spans), len(one.turns[0].model_calls)) for one in found] == [("c1", 2, 1), ("c2", 2, 1)]


def asked(number: int, start: int, call: tuple[str, str | None, Any], ran: bool = False) -> list[Span]:
    """A conversation in which a tool is asked for; `ran`: and has a span of its own."""
    trace = Trace(number, start)
    run = trace.run(conversation=f"c{number}")
    trace.model(run, [user("a")], [assistant("", call)])
    if ran:
        trace.tool(run, call[0], call[2], "x", call[1])
    return trace.spans


@pytest.mark.parametrize("late", [61, 36_000])
def test_a_stray_tool_joins_nothing_that_was_asked_for_long_before(late: int) -> None:
    stray = Trace(3, late)
    stray.tool(None, "list_orders", {}, "x", at=3)
    found = conversations([*asked(1, 0, ("list_orders", "q", {})), *stray.spans])
    assert [one.id for one in found] == ["c1", None]


def test_a_stray_tool_joins_no_call_that_has_its_own_span() -> None:
    stray = Trace(3, 10)
    stray.tool(None, "list_orders", {}, "y", at=1)
    found = conversations([*asked(1, 0, ("list_orders", "q", {}), ran=True), *stray.spans])
    assert [one.id for one in found] == ["c1", None]


def test_a_stray_tool_that_was_just_asked_for_joins_and_is_told() -> None:
    stray = Trace(3, 10)
    stray.tool(None, "list_orders", {}, "y", at=1)
    (found,) = conversations([*asked(1, 0, ("list_orders", "q", {})), *stray.spans])
    assert [call.result for turn in found.turns for call in turn.tool_calls] == ["y"]
    assert any("mended" in str(one) for one in found.warnings)
