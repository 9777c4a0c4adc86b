"""Trees of spans of which some did not come."""

from __future__ import annotations

import json
from typing import Any

from tests.traces.reading.made import Trace, answer, assistant, spans_of, streamed, talk, user
from traces.conversation import Conversation
from traces.reading import conversation, conversations


def told(found: Conversation) -> list[tuple[str | None, str | None, int]]:
    return [(turn.user, turn.assistant, len(turn.model_calls)) for turn in found.turns]


def test_what_lost_the_spans_above_it_is_of_the_run_that_is_the_root_of_its_trace() -> None:
    trace = Trace()
    run = trace.run()
    lost = trace.add({"step": 1}, run)
    trace.model(lost, None, None)
    trace.model(run, [user("a")], [assistant("b")])
    (found,) = conversations([span for span in trace.spans if span is not lost])
    assert told(found) == [("a", "b", 2)]
    assert any("1 spans have a parent that is not here" in warning for warning in found.warnings)


def test_a_call_without_words_is_of_the_one_run_of_its_trace_that_has_not_ended_yet() -> None:
    trace = Trace()
    run = trace.run()
    trace.tool(run, "get", {}, "x", "call_1")
    trace.model(run, [user("a"), assistant("", ("get", "call_1", {})), answer("call_1", "x")], [assistant("b")])
    trace.model(trace.add({"step": 1}, run), None, None)
    (found,) = conversations([span for span in trace.spans[1:] if "step" not in span.attributes])
    assert told(found) == [("a", "b", 2)]


def test_a_root_that_is_no_run_or_was_over_stands_for_nothing() -> None:
    for root in (Trace().add({"app": "nightly"}, lasting=100), Trace().run(lasting=0.1)):
        trace = Trace()
        trace.spans.append(root)
        for number in (1, 2):
            trace.model(trace.add({"step": number}, root), None, None)
        (found,) = conversations([span for span in trace.spans if "step" not in span.attributes])
        assert [len(turn.model_calls) for turn in found.turns if turn.model_calls] == [1, 1]


def test_spans_that_are_each_others_parents_hang_nothing_up() -> None:
    trace = Trace()
    one = trace.model(None, [user("a")], [assistant("b")])
    two = trace.tool(None, "get")
    one.parent_id, two.parent_id = two.span_id, one.span_id
    assert talk(conversation(trace.spans)) == [("a", "b")]


def test_spans_of_one_parent_that_did_not_come_are_of_one_turn() -> None:
    """As where a process died in the middle of it, or has not ended it yet."""
    trace = Trace()
    run = trace.run()
    asked = assistant("", ("search", "c1", {"q": "fees"}))
    trace.model(run, [user("a")], [asked])
    tool = trace.tool(run, "search", {"q": "fees"}, "found", "c1")
    trace.add({"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "fees"}, tool)
    trace.model(run, [user("a"), asked, answer("c1", "found")], [assistant("b")])
    trace.tool(run, "log", {"of": "b"})
    whole, died = conversation(trace.spans), conversation(trace.spans[1:])
    assert [[type(step).__name__ for step in turn.steps] for turn in died.turns] == [
        [type(step).__name__ for step in turn.steps] for turn in whole.turns
    ]
    assert talk(died) == talk(whole) == [("a", "b")]
    assert any("have a parent that is not here" in warning for warning in died.warnings)


def test_many_requests_of_a_sender_that_did_not_come_are_turns_of_their_own() -> None:
    trace = Trace()
    sender = trace.add({})
    for asked in ("2+2?", "The colour of the sky?"):
        trace.model(sender, [user(asked)], [assistant("so and so")])
    assert [turn.user for turn in conversation(trace.spans[1:]).turns] == ["2+2?", "The colour of the sky?"]


TEAM = "493720c3-5c3c-4b87-bb86-bb68c7b60b09"


def to_manager(number: int, message: dict[str, Any]) -> Trace:
    trace = Trace(number, number * 10)
    manager = {"recipient_agent_type": f"GroupChatManager_{TEAM}", "recipient_agent_class": "GroupChatManager"}
    trace.add({**manager, "message": json.dumps(message)}, scope="autogen SingleThreadedAgentRuntime")
    return trace


def of_agent(number: int, agent: str, history: list[Any], reply: str) -> Trace:
    trace = Trace(number, number * 10)
    own = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent, "gen_ai.system": "autogen"}
    run = trace.add({**own, "gen_ai.agent.id": f"{agent}_{TEAM}/{TEAM}"}, scope="autogen-core", lasting=5)
    trace.model(run, history, [assistant(reply)])
    return trace


def test_agents_of_a_team_that_are_told_each_other_s_words_as_the_user_s_handle_one_turn() -> None:
    last = {"response": {"inner_messages": [], "chat_message": {"content": "c"}}}
    traces = [
        to_manager(1, {"messages": [{"source": "user", "content": "a"}]}),
        of_agent(2, "one", [user("a")], "b"),
        of_agent(3, "two", [user("a"), user("b")], "c"),
        to_manager(4, last),
        to_manager(5, {"messages": [{"source": "user", "content": "d"}]}),
        of_agent(6, "one", [user("a"), assistant("b"), user("c"), user("d")], "e"),
        of_agent(7, "two", [user("a"), user("b"), assistant("c"), user("d"), user("e")], "f"),
        to_manager(8, {"response": {"chat_message": {"content": "f"}}}),
    ]
    (found,) = streamed(spans_of(*traces))
    assert told(found) == [("a", "c", 2), ("d", "f", 2)]
