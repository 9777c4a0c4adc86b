"""Trees of spans of which some did not come."""

from __future__ import annotations

from tests.traces.reading.made import Trace, answer, assistant, talk, user
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
