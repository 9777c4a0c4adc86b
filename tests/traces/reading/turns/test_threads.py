"""Which of the threads in one run is the conversation itself."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, system, talk, tool_names, user
from traces.reading import conversation


def test_a_router_and_a_guard_are_no_turns() -> None:
    spans = []
    history: list[object] = []
    for number, said in enumerate(["a", "b"], 1):
        trace = Trace(number, number * 1000)
        run = trace.run()
        trace.model(run, [system("which department?"), user(said)], [assistant("billing")])
        history.append(user(said))
        trace.model(run, [system("help"), *history], [assistant(f"re {said}")])
        trace.model(run, [system("is it polite?"), user(f"re {said}")], [assistant("polite")])
        history.append(assistant(f"re {said}"))
        spans += trace.spans
    found = conversation(spans)
    assert talk(found) == [("a", "re a"), ("b", "re b")]
    assert [len(turn.model_calls) for turn in found.turns] == [3, 3]


def test_a_sub_agent_with_its_own_history_is_a_step_of_the_turn() -> None:
    trace = Trace()
    run = trace.run(lasting=100)
    asks = assistant("", ("ask_billing", "1", {"q": "why?"}))
    trace.model(run, [user("a")], [asks])
    tool = trace.tool(run, "ask_billing", {"q": "why?"}, "because", "1", lasting=10)
    inner = trace.run("billing", None, tool, lasting=8)
    trace.model(inner, [system("you are billing"), user("why?")], [assistant("", ("look", "2", {"x": 1}))])
    trace.tool(inner, "look", {"x": 1}, "found", "2")
    trace.model(
        inner, [user("why?"), assistant("", ("look", "2", {"x": 1})), answer("2", "found")], [assistant("because")]
    )
    trace.model(run, [user("a"), asks, answer("1", "because")], [assistant("b")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b")]
    (turn,) = found.turns
    assert tool_names(turn) == ["ask_billing", "look"]
    assert [call.agent for call in turn.tool_calls] == ["support", "billing"]
    kinds = [type(step).__name__ for step in turn.steps]
    assert kinds == ["ModelCall", "ToolCall", "ModelCall", "ToolCall", "ModelCall", "ModelCall"]
    assert found.agents == ("support", "billing")


def test_a_shortened_history_tells_no_turn_again_whose_reply_was_not_captured() -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], None)
    trace.model(trace.run(), [user("a"), assistant("b"), user("c")], None)
    trace.model(trace.run(), [assistant("b"), user("c"), assistant("d"), user("e")], [assistant("f")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d"), ("e", "f")]
    assert [len(turn.model_calls) for turn in found.turns] == [1, 1, 1]


def test_a_retried_request_is_no_new_turn() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], None, None, status="error", status_text="timeout")
    trace.model(run, [user("a")], [assistant("b")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b")]
    assert [call.error for call in found.turns[0].model_calls] == ["timeout", None]
