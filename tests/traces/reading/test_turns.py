"""Turns: what is a new message of the user, and what belongs to its handling."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, spans_of, system, user
from traces.conversation import Conversation, Turn
from traces.reading import conversation, conversations, stream


def talk(found: Conversation) -> list[tuple[str | None, str | None]]:
    return [(turn.user, turn.assistant) for turn in found.turns]


def names(turn: Turn) -> list[str]:
    return [call.name for call in turn.tool_calls]


def test_a_new_message_behind_the_history_is_a_new_turn() -> None:
    trace = Trace()
    run = trace.run()
    first = [user("a")]
    trace.model(run, first, [assistant("b")])
    trace.model(run, [*first, assistant("b"), user("c")], [assistant("d")])
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize(
    ("given", "second", "unknown"),
    [
        (None, [user("c")], True),
        ("c1", [user("c")], False),
        (None, [user("a"), assistant("b"), user("c")], False),
    ],
)
def test_runs_of_one_trace_that_know_nothing_of_each_other_may_be_conversations_of_their_own(
    given: str | None, second: list[Any], unknown: bool
) -> None:
    trace = Trace()
    script = trace.add({"app": "nightly"}, lasting=100)
    for history, reply in (([user("a")], "b"), (second, "d")):
        trace.model(trace.run(conversation=given, parent=script), history, [assistant(reply)])
    (found,) = conversations(trace.spans)
    assert [(turn.user, turn.assistant) for turn in found.turns] == [("a", "b"), ("c", "d")]
    assert any("2 runs of one trace know nothing of each other" in warning for warning in found.warnings) is unknown


def test_the_same_message_sent_again_counts_again() -> None:
    trace = Trace()
    run = trace.run()
    history = [user("yes"), assistant("sure?"), user("yes")]
    trace.model(run, history[:1], [assistant("sure?")])
    trace.model(run, history, [assistant("done")])
    assert talk(conversation(trace.spans)) == [("yes", "sure?"), ("yes", "done")]


def test_messages_of_the_user_on_end_are_one_turn_unless_the_first_was_handled() -> None:
    together = Trace()
    together.model(together.run(), [user("a"), user("b")], [assistant("c")])
    assert talk(conversation(together.spans)) == [("a\nb", "c")]
    died = Trace()
    died.model(died.run(), [user("a")], None, None)
    died.model(died.run(), [user("a"), user("b")], [assistant("c")])
    assert talk(conversation(died.spans)) == [("a", None), ("b", "c")]


def test_turns_before_the_first_trace_are_told_by_the_history() -> None:
    trace = Trace()
    history = [user("a"), assistant("", ("get", "1", {"k": 1})), answer("1", '{"v": 2}'), assistant("b"), user("c")]
    trace.model(trace.run(), history, [assistant("d")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d")]
    (call,) = found.turns[0].tool_calls
    assert (call.name, call.arguments, call.result, call.started) == ("get", {"k": 1}, {"v": 2}, None)


def test_without_a_history_every_run_is_a_turn() -> None:
    spans = []
    for number, (said, replied) in enumerate([("yes", "a"), ("yes", "b"), ("no", "c")], 1):
        trace = Trace(number, number * 1000)
        trace.model(trace.run(), [system("s"), user(said)], [assistant(replied)])
        spans += trace.spans
    (found,) = conversations(spans)
    assert talk(found) == [("yes", "a"), ("yes", "b"), ("no", "c")]


def test_a_summarised_history_goes_on_with_the_last_message() -> None:
    one, two = Trace(1), Trace(2, 1000)
    one.model(one.run(), [user("a")], [assistant("b")])
    two.model(two.run(), [user("summary: a was asked"), assistant("ok"), user("c")], [assistant("d")])
    found = conversation([*one.spans, *two.spans])
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert any("shortened" in warning for warning in found.warnings)


def test_a_history_that_lost_its_beginning_repeats_nothing() -> None:
    one, two = Trace(1), Trace(2, 1000)
    one.model(one.run(), [user("a")], [assistant("b")])
    one.model(one.run(), [user("a"), assistant("b"), user("c")], [assistant("d")])
    two.model(two.run(), [user("c"), assistant("d"), user("e")], [assistant("f")])
    assert talk(conversation([*one.spans, *two.spans])) == [("a", "b"), ("c", "d"), ("e", "f")]


def test_a_server_that_remembers_the_history_is_believed() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {}))], extra={"gen_ai.response.id": "r1"})
    trace.model(
        run,
        [answer("1", "x")],
        [assistant("b")],
        extra={"gen_ai.response.id": "r2", "gen_ai.request.previous_response.id": "r1"},
    )
    trace.model(run, [user("c")], [assistant("d")], extra={"gen_ai.request.previous_response.id": "r2"})
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert found.turns[0].tool_calls[0].told == "x"


def test_answers_alone_go_on_from_the_call_that_asked_for_them() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", "1", {"k": 1}), ("get", "2", {"k": 2}))])
    trace.model(run, [answer("1", "x"), answer("2", "y")], [assistant("b")])
    run = trace.run()
    trace.model(run, [user("c")], [assistant("", ("get", "3", {"k": 3}))])
    trace.model(run, [answer("3", "z")], [assistant("d")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert [call.told for turn in found.turns for call in turn.tool_calls] == ["x", "y", "z"]
    assert not found.warnings


def test_the_first_call_of_a_run_goes_on_from_the_response_that_the_agent_s_span_names() -> None:
    one, two = Trace(), Trace(2, 1000)
    one.model(one.run(), [user("a")], [assistant("b")], extra={"gen_ai.response.id": "resp_1"})
    run = two.run()
    two.spans[0].attributes["gen_ai.conversation.id"] = "resp_1"
    two.model(run, [user("c")], [assistant("d")])
    one.spans[0].attributes.pop("gen_ai.conversation.id")
    (found,) = conversations([*one.spans, *two.spans])
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert (found.id, found.joined) == (None, "history")


def test_an_agent_that_is_handed_the_conversation_without_the_tool_calls_opens_no_turn_again() -> None:
    one, two = Trace(), Trace(2, 1000)
    asked = [user("a"), assistant("", ("get", "1", {"k": 1}))]
    first = one.run()
    one.model(first, asked[:1], asked[1:])
    one.model(first, [*asked, answer("1", "x")], [assistant("b")])
    second = two.run()
    known = [*asked, answer("1", "x"), assistant("b"), user("c")]
    two.model(second, known, [assistant("", ("hand_over", "2", {}))])
    two.model(second, [user("a"), assistant("b"), user("c")], [assistant("d")])
    found = conversation([*one.spans, *two.spans])
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert [len(turn.model_calls) for turn in found.turns] == [2, 2]


def test_a_reply_that_a_guard_replaced_is_the_one_that_the_history_tells() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("a secret")])
    trace.model(run, [user("a"), assistant("I can't say"), user("b")], [assistant("c")])
    assert talk(conversation(trace.spans)) == [("a", "I can't say"), ("b", "c")]


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
    assert names(turn) == ["ask_billing", "look"]
    assert [call.agent for call in turn.tool_calls] == ["support", "billing"]
    kinds = [type(step).__name__ for step in turn.steps]
    assert kinds == ["ModelCall", "ToolCall", "ModelCall", "ToolCall", "ModelCall", "ModelCall"]
    assert found.agents == ("support", "billing")


def test_a_handoff_goes_on_with_the_same_history() -> None:
    trace = Trace()
    flow = trace.add({"gen_ai.operation.name": "invoke_workflow", "gen_ai.conversation.id": "c"}, lasting=100)
    first, second = trace.run("triage", None, flow), trace.run("billing", None, flow)
    asks = assistant("", ("transfer_to_billing", "1", {}))
    trace.model(first, [system("triage"), user("a")], [asks])
    trace.model(second, [system("billing"), user("a"), asks, answer("1", "you are billing now")], [assistant("b")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b")]
    assert found.turns[0].agents == ("triage", "billing")
    assert found.system_prompt == "triage"


def test_a_hand_off_of_autogen_s_swarm_goes_on_with_the_turn() -> None:
    told = user("Transferred to till, adopting the role of till immediately.")
    asks = assistant("", ("get_fee", "call_2", {}))
    desk, till = Trace(1), Trace(2, 50)
    desk.model(desk.run("desk"), [system("desk"), user("a")], [assistant("", ("transfer_to_till", "call_1", {}))])
    run = till.run("till")
    till.model(run, [system("till"), user("a"), told], [asks])
    till.model(run, [system("till"), user("a"), told, asks, answer("call_2", "3")], [assistant("b")])
    (found,) = conversations(spans_of(desk, till))
    assert talk(found) == [("a", "b")]
    assert names(found.turns[0]) == ["transfer_to_till", "get_fee"]
    assert found.turns[0].tool_calls[0].result == told["parts"][0]["content"]


def test_agents_one_after_the_other_take_their_words_from_the_run() -> None:
    trace = Trace()
    flow = trace.add(
        {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.input.messages": json.dumps([user("write about bees")]),
            "gen_ai.output.messages": json.dumps([assistant("Bees are fine.")]),
        },
        lasting=100,
    )
    trace.model(trace.run("planner", None, flow), [user("plan: write about bees")], [assistant("1. bees")])
    trace.model(trace.run("writer", None, flow), [user("write by this plan: 1. bees")], [assistant("Bees are fine.")])
    found = conversation(trace.spans)
    assert talk(found) == [("write about bees", "Bees are fine.")]
    assert len(found.turns[0].model_calls) == 2


def test_a_run_that_died_has_no_reply() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("Let me look.", ("get", "1", {}))])
    found = conversation(trace.spans)
    assert talk(found) == [("a", None)]
    assert found.turns[0].tool_calls[0].executed is None
    (warning,) = (one for one in found.warnings if "nothing shows that it was executed" in one)
    assert (warning.kind, warning.turn) == ("calls", 0)


@pytest.mark.parametrize("kept", [False, True])
def test_a_run_that_died_before_a_model_was_asked_is_a_turn(kept: bool) -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")])
    died = trace.run(status="error")
    died.attributes["gen_ai.input.messages"] = json.dumps([user("c")])
    told = [user("c")] if kept else []
    trace.model(trace.run(), [user("a"), assistant("b"), *told, user("d"), user("e")], [assistant("f")])
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", None), ("d\ne", "f")]


def test_what_an_application_said_in_the_place_of_a_run_that_died_stands_in_its_turn() -> None:
    trace = Trace()
    died = trace.run(status="error")
    died.attributes["gen_ai.input.messages"] = json.dumps([user("a")])
    trace.model(trace.run(), [user("a"), assistant("Sorry."), user("b")], [assistant("c")])
    assert talk(conversation(trace.spans)) == [("a", "Sorry."), ("b", "c")]


def test_a_run_that_was_cut_off_from_its_model_call_is_no_other_turn() -> None:
    trace = Trace()
    run = trace.run(status="error")
    run.attributes["gen_ai.input.messages"] = json.dumps([user("a")])
    cycle = trace.add({}, run)
    trace.model(cycle, [user("a")], [assistant("", ("wait", "1", {}))])
    found = conversation([span for span in trace.spans if span is not cycle])
    assert [(turn.user, names(turn)) for turn in found.turns] == [("a", ["wait"])]


def test_of_failed_calls_that_show_no_messages_the_next_history_tells_what_was_said() -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")])
    for _ in range(2):
        trace.model(trace.run(), None, None, None, status="error", status_text="overloaded")
    trace.model(trace.run(), [user("a"), assistant("b"), user("c"), user("d"), user("e")], [assistant("f")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", None), ("d", None), ("e", "f")]
    assert [len(turn.model_calls) for turn in found.turns] == [1, 1, 1, 1]


def test_a_turn_that_a_guard_stopped_is_the_user_s_and_not_the_guard_s() -> None:
    trace = Trace()
    for history, safe, replied in [
        ([user("hi")], "yes", "hello"),
        ([user("hi"), assistant("hello"), user("rob")], "no", None),
        ([user("hi"), assistant("hello"), user("rob"), user("bye")], "yes", "see you"),
    ]:
        run = trace.run()
        trace.model(run, [user(f"Is it safe: {history[-1]['parts'][0]['content']}")], [assistant(safe)])
        if replied:
            trace.model(run, history, [assistant(replied)])
    assert talk(conversation(trace.spans)) == [("hi", "hello"), ("rob", None), ("bye", "see you")]


def test_words_of_the_turn_before_that_are_said_again_stay_where_they_are() -> None:
    trace = Trace()
    history = [user("yes, do it"), assistant("sure?"), user("yes"), user("please")]
    trace.model(trace.run(), history[:1], [assistant("sure?")])
    trace.model(trace.run(), history, [assistant("done")])
    assert talk(conversation(trace.spans)) == [("yes, do it", "sure?"), ("yes\nplease", "done")]


def test_what_a_session_did_not_keep_of_a_run_that_was_cancelled_happened_all_the_same() -> None:
    cancelled, later = Trace(1), Trace(2, 1000)
    cancelled.model(cancelled.run(status="error"), [user("a")], [assistant("", ("wait", "1", {}))])
    later.model(later.run(), [user("a"), user("b")], [assistant("c")])
    found = conversation([*cancelled.spans, *later.spans])
    assert talk(found) == [("a", None), ("b", "c")]
    assert [names(turn) for turn in found.turns] == [["wait"], []]


@pytest.mark.parametrize("given", [None, "c1"])
@pytest.mark.parametrize("called", [False, True])
def test_a_session_that_keeps_no_message_twice_gives_no_turn_the_reply_of_another(
    given: str | None, called: bool
) -> None:
    kept: list[Any] = []
    traces = []
    said = [("Book A.", "Shall I?"), ("yes", "Done. B too?"), ("yes", "B is booked."), ("thanks", "Bye.")]
    for number, (word, reply) in enumerate(said):
        trace = Trace(number + 1, number * 100)
        run, told = trace.run(conversation=given), [user(word)]
        if called:
            asks = assistant("", ("book", f"call_{number}", {"of": number}))
            trace.model(run, [*kept, *told], [asks])
            told += [asks, answer(f"call_{number}", "ok")]
        trace.model(run, [*kept, *told], [assistant(reply)])
        kept += [message for message in (*told, assistant(reply)) if message not in kept]
        traces.append(trace)
    (found,) = conversations(spans_of(*traces))
    assert talk(found) == said
    assert [len(turn.tool_calls) for turn in found.turns] == [called] * 4


def test_calls_in_a_history_that_lacks_the_user_s_words_before_them_stay_in_their_turn() -> None:
    trace = Trace()
    asks = assistant("", ("get", "call_1", {}))
    history = [user("a"), assistant("b"), user("c"), asks, answer("call_1", "x")]
    trace.model(trace.run(), history[:1], [assistant("b")], at=1)
    run = trace.run()
    trace.model(run, history[:3], [asks])
    trace.model(run, [*history[:2], *history[3:]], [assistant("d")])
    (found,) = conversations(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert [len(turn.model_calls) for turn in found.turns] == [1, 2]


def test_a_call_without_words_before_the_first_history_of_its_run_is_of_the_same_turn() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, None, None)
    asks = assistant("", ("get", "call_1", {}))
    trace.tool(run, "get", {}, "x", "call_1")
    trace.model(run, [user("a"), asks, answer("call_1", "x")], [assistant("b")])
    (found,) = conversations(trace.spans)
    assert talk(found) == [("a", "b")]
    assert [call.id for call in found.turns[0].tool_calls] == ["call_1"]
    assert not any("shortened" in warning for warning in found.warnings)


def test_a_retried_request_is_no_new_turn() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], None, None, status="error", status_text="timeout")
    trace.model(run, [user("a")], [assistant("b")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b")]
    assert [call.error for call in found.turns[0].model_calls] == ["timeout", None]


def test_a_run_that_tells_the_last_words_of_its_state_has_not_said_them_again() -> None:
    trace = Trace()
    first, again = (trace.run(conversation=None) for _ in range(2))
    for run, asked in ((first, "a"), (again, "c")):
        run.attributes["gen_ai.input.messages"] = json.dumps([user(asked)])
        run.attributes["gen_ai.output.messages"] = json.dumps([assistant("b")])
    trace.model(first, [user("a")], [assistant("b")])
    trace.model(again, [user("a"), assistant("b"), user("c")], [assistant("")])
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", None)]


@pytest.mark.parametrize("kept", [False, True])
def test_a_reply_that_broke_off_is_told_in_its_turn_whether_or_not_the_history_keeps_it(kept: bool) -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("Oslo is a")], None, status="error", status_text="peer closed")
    told = [assistant("Oslo is a")] if kept else []
    trace.model(trace.run(), [user("a"), *told, user("b")], [assistant("c")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "Oslo is a"), ("b", "c")]
    assert [[call.error for call in turn.model_calls] for turn in found.turns] == [["peer closed"], [None]]


def test_clocks_that_differ_between_hosts_change_no_order() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("b")], at=50)
    trace.model(run, [user("a"), assistant("b"), user("c")], [assistant("d")], at=3)
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", "d")]


def test_without_model_calls_the_runs_tell_the_turns() -> None:
    spans = []
    for number in (1, 2):
        trace = Trace(number, number * 1000)
        run = trace.run()
        run.attributes["gen_ai.input.messages"] = json.dumps([user(f"q{number}")])
        run.attributes["gen_ai.output.messages"] = json.dumps([assistant(f"a{number}")])
        trace.tool(run, "get", {"n": number}, "x")
        spans += trace.spans
    found = conversation(spans)
    assert talk(found) == [("q1", "a1"), ("q2", "a2")]
    assert [names(turn) for turn in found.turns] == [["get"], ["get"]]


def test_without_parents_the_messages_are_enough() -> None:
    trace = Trace()
    asks = assistant("", ("get", "1", {}))
    trace.model(None, [user("a")], [asks])
    trace.tool(None, "get", {}, "x", "1")
    trace.model(None, [user("a"), asks, answer("1", "x")], [assistant("b")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b")]
    assert names(found.turns[0]) == ["get"]


def test_spans_that_are_each_others_parents_hang_nothing_up() -> None:
    trace = Trace()
    one = trace.model(None, [user("a")], [assistant("b")])
    two = trace.tool(None, "get")
    one.parent_id, two.parent_id = two.span_id, one.span_id
    assert talk(conversation(trace.spans)) == [("a", "b")]


def test_a_call_that_was_asked_for_under_its_items_id_is_the_one_that_is_answered() -> None:
    asks = assistant("", ("get", "fc_1", {"n": 1}), ("get", "fc_2", {"n": 2}))
    history = [user("a"), asks, answer("call_1", "x"), answer("call_2", "y")]
    one, two = Trace(1), Trace(2, start=50)
    one.model(None, [user("a")], [asks])
    two.model(None, history, [assistant("b")])
    (found,) = conversations([*one.spans, *two.spans])
    (turn,) = found.turns
    assert [(call.id, call.result, call.group) for call in turn.tool_calls] == [("call_1", "x", 0), ("call_2", "y", 0)]
    assert turn.model_calls[0].tool_call_ids == ("call_1", "call_2")
    assert (turn.user, turn.assistant) == ("a", "b")


@pytest.mark.parametrize("with_run", [True, False])
def test_answers_to_calls_that_the_server_remembers_are_those_to_their_items_in_order(with_run: bool) -> None:
    trace = Trace()
    run = trace.run() if with_run else None
    named = {} if with_run else {"session.id": "c1"}
    asks = assistant("", ("get", "fc_1", {"n": 1}), ("get", "fc_2", {"n": 2}))
    trace.model(run, [user("a")], [asks], extra=named)
    trace.model(run, [user("is it safe?")], [assistant("yes")])
    trace.model(run, [answer("call_1", "x"), answer("call_2", "y")], [assistant("b", ("end", "fc_3", {}))], extra=named)
    trace.model(run, [answer("call_3", "z"), answer("call_4", "z")], [assistant("c")], extra=named)
    found = conversation(trace.spans)
    calls = [(call.id, call.told) for call in found.turns[0].tool_calls]
    assert calls == [("call_1", "x"), ("call_2", "y"), ("fc_3", None)]
    assert found.turns[0].model_calls[0].tool_call_ids == ("call_1", "call_2")


CUT = '[{"role": "user", "parts": [{"type": "text", "content": "a'


@pytest.mark.parametrize("told", [None, "[]", CUT])
def test_answers_alone_go_on_from_a_call_whose_history_was_not_captured(told: str | None) -> None:
    extra = {} if told is None else {"gen_ai.input.messages": told}
    trace = Trace()
    for word in ("b", "d"):
        run = trace.run()
        trace.model(run, None, [assistant("", ("get", f"of {word}", {}))], extra=extra)
        trace.model(run, [answer(f"of {word}", "x")], [assistant(word)], extra={"gen_ai.response.id": word})
        trace.model(run, [user("more")], [assistant("e")], extra={"gen_ai.request.previous_response.id": word})
    found = conversation(trace.spans)
    replies = [turn.assistant for turn in found.turns]
    if told == CUT:  # what was said there and is not here may have been more
        assert [reply for reply in replies if reply] == ["b", "e", "d", "e"]
        return
    assert replies == ["b", "e", "d", "e"]
    assert [[(call.id, call.told) for call in turn.tool_calls] for turn in found.turns[::2]] == [
        [("of b", "x")],
        [("of d", "x")],
    ]


def test_calls_that_a_history_leaves_out_with_the_message_without_a_text_are_put_back() -> None:
    traces = [Trace(number, number * 50) for number in range(1, 6)]
    asks = assistant("", ("get", "1", {"n": 1}), ("get", "2", {"n": 2}))
    told = [user("a"), answer("1", "x"), answer("2", "y")]
    traces[0].model(None, told[:1], [asks])
    traces[1].model(None, told, [assistant("b")])
    told += [assistant("b"), user("c")]
    traces[2].model(None, told, [assistant("wait", ("get", "3", {"n": 3}))])
    traces[3].model(None, [*told, assistant("wait"), answer("3", "z")], [assistant("d")])
    traces[4].model(None, [user("a")], [assistant("another")])
    spans = [span for trace in traces for span in trace.spans]
    found, other = conversations(spans)
    assert (talk(found), talk(other)) == ([("a", "b"), ("c", "d")], [("a", "another")])
    calls = [call for turn in found.turns for call in turn.tool_calls]
    assert [(call.id, call.result, call.group) for call in calls] == [("1", "x", 0), ("2", "y", 0), ("3", "z", None)]
    assert not found.warnings
    assert [talk(one) for one in stream(spans[::-1])] == [talk(found), talk(other)]


def test_what_asked_for_answers_without_ids_is_what_came_of_the_same_history() -> None:
    trace = Trace()
    run = trace.run()
    told = [user("a"), answer(None, "x"), answer(None, "y")]
    trace.model(run, told[:1], [assistant("", ("get", "1", {"n": 1}), ("get", "2", {"n": 2}))])
    trace.model(run, told, [assistant("b")])
    trace.model(run, [*told, assistant("b"), user("c")], [assistant("d")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b"), ("c", "d")]
    assert [(call.id, call.result) for call in found.turns[0].tool_calls] == [("1", "x"), ("2", "y")]


def test_a_reply_is_not_what_later_histories_make_of_its_streamed_pieces() -> None:
    pieces = {"role": "assistant", "parts": [{"type": "text", "content": text} for text in ("Well", " no.")]}
    for told in ([assistant("Well"), assistant(" no.")], [pieces]):
        trace = Trace()
        run = trace.run()
        trace.model(run, [user("a")], [assistant("Well no.")])
        trace.model(run, [user("a"), *told, user("c")], [assistant("d")])
        assert talk(conversation(trace.spans)) == [("a", "Well no."), ("c", "d")]


def test_the_system_prompt_is_that_of_the_agent_and_not_of_a_router_before_it() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [system("Which desk?"), user("a")], [assistant("fees")])
    asks = assistant("", ("get", "1", {}))
    trace.model(run, [system("Be brief."), user("a")], [asks])
    trace.model(run, [system("Be brief."), user("a"), asks, answer("1", "x")], [assistant("b")])
    assert conversation(trace.spans).system_prompt == "Be brief."


def test_the_system_prompt_is_that_of_the_first_agent_and_not_of_one_that_took_over() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("transfer", "1", {}))
    trace.model(run, [system("Sort."), user("a")], [asks])
    trace.model(run, [system("Be brief."), user("a"), asks, answer("1", "x")], [assistant("b")])
    trace.model(
        run, [system("Be brief."), user("a"), asks, answer("1", "x"), assistant("b"), user("c")], [assistant("d")]
    )
    assert conversation(trace.spans).system_prompt == "Sort."


def test_a_call_that_is_told_again_in_a_history_that_lacks_messages_is_the_same_call() -> None:
    """As where an answer's record came late: the histories then go on from none of each other."""
    trace = Trace()
    run = trace.run()
    asked, again = assistant("", ("get", "c1", {"k": 1})), assistant("", ("get", "c2", {"k": 2}))
    trace.model(run, [user("a")], [asked])
    trace.model(run, [user("a"), asked], [again])
    trace.model(run, [user("a"), asked, answer("c1", "1"), again, answer("c2", "2")], [assistant("b")])
    (turn,) = conversation(trace.spans).turns
    assert [(call.id, call.result) for call in turn.tool_calls] == [("c1", 1), ("c2", 2)]


def test_a_model_that_counts_the_ids_of_its_calls_anew_made_as_many_calls() -> None:
    trace = Trace()
    run = trace.run()
    asked = assistant("", ("get", "call_1", {"k": 1}))
    history = [user("a"), asked, answer("call_1", "1"), assistant("b"), user("c"), asked, answer("call_1", "1")]
    trace.model(run, history, [assistant("d")])
    first, second = conversation(trace.spans).turns
    assert [len(first.tool_calls), len(second.tool_calls)] == [1, 1]


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


def test_a_call_under_an_old_id_that_was_answered_otherwise_is_another() -> None:
    trace = Trace()
    run = trace.run()
    asked = assistant("", ("now", "call_0", {}))
    for user_says, told in (("time?", "10:00"), ("and now?", "10:05")):
        trace.model(run, [user(user_says)], None)
        trace.model(run, [user(user_says), asked, answer("call_0", told)], None)
    found = conversation(trace.spans)
    assert [call.told for turn in found.turns for call in turn.tool_calls] == ["10:00", "10:05"]


def test_many_requests_of_a_sender_that_did_not_come_are_turns_of_their_own() -> None:
    trace = Trace()
    sender = trace.add({})
    for asked in ("2+2?", "The colour of the sky?"):
        trace.model(sender, [user(asked)], [assistant("so and so")])
    assert [turn.user for turn in conversation(trace.spans[1:]).turns] == ["2+2?", "The colour of the sky?"]
