"""Which traces make one conversation, and by which rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, handled, of_service, user, words
from traces.reading import conversations, stream


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
    spans = [*handled(1, [user("a")], "b", attributes), *handled(2, [user("c")], "d", attributes)]
    (found,) = conversations(spans)
    assert (found.id, found.joined, words(found)) == ("x", rule, ["a", "c"])
    assert len(found.trace_ids) == 2


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
    traces = [handled(1, [user("a")], "1"), handled(2, [user("b")], "2"), handled(3, [user("c")], "3")]
    given = [
        of_service([replace(span, attributes={**span.attributes, "session.id": "1"}) for span in spans], service)
        for spans, service in zip(traces, services, strict=True)
    ]
    spans = [span for trace in given for span in trace]
    found = conversations(spans)
    assert [(one.id, words(one)) for one in found] == [("1", users) for users in together]
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
    assert (found.id, words(found), len(found.spans)) == ("c1", ["a"], 4)


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
