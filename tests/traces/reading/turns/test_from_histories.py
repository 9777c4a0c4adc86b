"""Turns: what is a new message of the user, and what belongs to its handling."""

from __future__ import annotations

from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, spans_of, system, talk, tool_names, user
from traces.reading import conversation, conversations


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
    assert tool_names(found.turns[0]) == ["transfer_to_till", "get_fee"]
    assert found.turns[0].tool_calls[0].result == told["parts"][0]["content"]


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


@pytest.mark.parametrize("kept", [False, True])
def test_a_reply_that_broke_off_is_told_in_its_turn_whether_or_not_the_history_keeps_it(kept: bool) -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("Oslo is a")], None, status="error", status_text="peer closed")
    told = [assistant("Oslo is a")] if kept else []
    trace.model(trace.run(), [user("a"), *told, user("b")], [assistant("c")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "Oslo is a"), ("b", "c")]
    assert [[call.error for call in turn.model_calls] for turn in found.turns] == [["peer closed"], [None]]


def test_without_parents_the_messages_are_enough() -> None:
    trace = Trace()
    asks = assistant("", ("get", "1", {}))
    trace.model(None, [user("a")], [asks])
    trace.tool(None, "get", {}, "x", "1")
    trace.model(None, [user("a"), asks, answer("1", "x")], [assistant("b")])
    found = conversation(trace.spans)
    assert talk(found) == [("a", "b")]
    assert tool_names(found.turns[0]) == ["get"]


def test_a_reply_that_only_a_history_tells_is_that_of_its_turn_though_a_later_one_was_told_the_same() -> None:
    asks, done = assistant("", ("get", "1", {})), assistant("Done.")
    first, second, third = (Trace(number, number * 1000) for number in (1, 2, 3))
    first.model(first.run(), [user("a")], [asks])
    second.model(second.run(), [user("b")], [done])
    third.model(third.run(), [user("a"), asks, answer("1", "x"), done, user("c")], [assistant("d")])
    assert talk(conversation(spans_of(first, second, third))) == [("a", "Done."), ("b", "Done."), ("c", "d")]


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
