"""Which model call goes on from which."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, answer, assistant, spans_of, talk, tool_names, user
from traces.reading import conversation, conversations
from traces.reading.calls.collapse import collapse
from traces.reading.tree.forest import forest


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


def test_what_a_session_did_not_keep_of_a_run_that_was_cancelled_happened_all_the_same() -> None:
    cancelled, later = Trace(1), Trace(2, 1000)
    cancelled.model(cancelled.run(status="error"), [user("a")], [assistant("", ("wait", "1", {}))])
    later.model(later.run(), [user("a"), user("b")], [assistant("c")])
    found = conversation([*cancelled.spans, *later.spans])
    assert talk(found) == [("a", None), ("b", "c")]
    assert [tool_names(turn) for turn in found.turns] == [["wait"], []]


@pytest.mark.parametrize("traces", [1, 3])
def test_what_a_session_that_keeps_no_reply_twice_leaves_out_was_said_all_the_same(traces: int) -> None:
    made = [Trace(number, number * 100) for number in range(traces)]
    kept = []
    for number, word in enumerate("abc"):
        trace = made[number % traces]
        kept.append(user(word))
        trace.model(trace.run(), kept, [assistant("ok")])
        kept += [assistant("ok")] if number == 0 else []
    (found,) = conversations(spans_of(*made))
    assert talk(found) == [("a", "ok"), ("b", "ok"), ("c", "ok")]


def test_clocks_that_differ_between_hosts_change_no_order() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("b")], at=50)
    trace.model(run, [user("a"), assistant("b"), user("c")], [assistant("d")], at=3)
    assert talk(conversation(trace.spans)) == [("a", "b"), ("c", "d")]


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


def test_a_history_that_begins_with_an_answer_answers_it_though_its_id_is_asked_for_again() -> None:
    trace = Trace()
    again = assistant("", ("get", "c1", {}))
    trace.model(None, [answer("c1", "1"), again, answer("c1", "2")], [assistant("b")])
    (call,) = collapse(forest(trace.spans, ())[0])
    assert call.answered == "c1"
