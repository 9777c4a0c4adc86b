"""Traces without an id that belong to others: what a stream of telemetry brings together is what is read at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.traces.reading.made import Trace, answer, assistant, doubts, spans_of, streamed, turn, user
from traces.otlp.spool import Spool
from traces.reading import keys, stream
from traces.reading.joining.kin import kindred
from traces.span import Span


def sizes(spans: Sequence[Span]) -> list[int]:
    with Spool(keys) as spool:
        for span in spans:
            spool.add(span)
        return [len(found.nodes) for found in kindred(spool)]


@pytest.mark.parametrize("conversation", [None, "c"])
def test_a_history_that_goes_on_finds_its_beginning(conversation: str | None) -> None:
    first = turn(1, [user("a")], "b", conversation)
    second = turn(2, [user("a"), assistant("b"), user("c")], "d")
    third = turn(3, [user("a"), assistant("b"), user("c"), assistant("d"), user("e")], "f")
    (found,) = streamed(spans_of(third, first, second))
    assert [one.user for one in found.turns] == ["a", "c", "e"]


def test_a_turn_asked_again_is_a_branch_of_the_one_conversation() -> None:
    first = turn(1, [user("a")], "b")
    second = turn(2, [user("a"), assistant("b"), user("c")], "d")
    again = turn(3, [user("a"), assistant("b"), user("c")], "e")
    (found,) = streamed(spans_of(first, second, again))
    assert not doubts(found)


def test_an_application_that_keeps_only_the_words_goes_on_too() -> None:
    first = Trace(1)
    run = first.run(conversation=None)
    asks = assistant("Let me look.", ("get", "1", {}))
    first.model(run, [user("a")], [asks])
    first.tool(run, "get", {}, "x", "1")
    first.model(run, [user("a"), asks, answer("1", "x")], [assistant("b")])
    second = turn(2, [user("a"), assistant("b"), user("c")], "d")
    stranger = turn(3, [user("a"), assistant("else"), user("c")], "d")
    one, other = streamed(spans_of(stranger, second, first))
    assert [(turn.user, turn.assistant, len(turn.tool_calls)) for turn in one.turns] == [("a", "b", 1), ("c", "d", 0)]
    assert (one.joined, other.joined) == ("history", "trace")


@pytest.mark.parametrize("conversation", [None, "c"])
def test_what_a_server_remembers_is_found_by_the_response_or_by_the_call_that_is_answered(
    conversation: str | None,
) -> None:
    asked = Trace(1, 1000)
    asked.model(
        asked.run(conversation=conversation),
        [user("a")],
        [assistant("", ("get", "x1", {}))],
        extra={"gen_ai.response.id": "r1"},
    )
    answered = Trace(2, 2000)
    answered.model(
        answered.run(conversation=None), [answer("x1", "v")], [assistant("b")], extra={"gen_ai.response.id": "r2"}
    )
    named = Trace(3, 3000)
    extra = {"gen_ai.request.previous_response.id": "r2"}
    named.model(named.run(conversation=None), [user("c")], [assistant("d")], extra=extra)
    (found,) = streamed(spans_of(named, answered, asked))
    assert [(one.user, one.assistant) for one in found.turns] == [("a", "b"), ("c", "d")]
    assert found.turns[0].tool_calls[0].told == "v"


def test_without_texts_a_history_is_known_by_the_ids_of_the_calls_in_it() -> None:
    def asked(call_id: str) -> list[Any]:
        return [user(""), assistant("", ("get", call_id, None)), answer(call_id, None)]

    def said(number: int, history: list[Any], output: list[Any]) -> Trace:
        trace = Trace(number, number * 1000)
        trace.model(None, history, output)
        return trace

    spans = []
    for number, call_id in ((1, "x1"), (5, "y1")):
        history = asked(call_id)
        spans += spans_of(said(number, history[:1], history[1:2]), said(number + 1, history, []))
        spans += spans_of(said(number + 2, [*history, user("")], []))
    assert [len(one.trace_ids) for one in streamed(spans)] == [3, 3]


@pytest.mark.parametrize("call_id", [None, "call_1"])
def test_a_tool_in_a_trace_of_its_own_finds_who_asked_for_it(call_id: str | None) -> None:
    asker, stray = Trace(1), Trace(2)
    run = asker.run()
    asks = assistant("", ("get", "call_1", {"k": 1}))
    asker.model(run, [user("a")], [asks])
    asker.model(run, [user("a"), asks, answer("call_1", "x")], [assistant("b")], at=8)
    stray.tool(None, "get", {"k": 1}, "x", call_id, at=5)
    (found,) = streamed(spans_of(asker, stray))
    assert [call.result for call in found.turns[0].tool_calls] == ["x"]
    assert any("mended" in warning for warning in found.warnings)


def test_a_client_that_lost_its_context_finds_the_call_that_it_shows() -> None:
    agent, client = Trace(1), Trace(2)
    agent.model(agent.run(), [user("a")], [assistant("b")], (70, 7), at=2)
    client.model(None, [user("a")], [assistant("b")], (70, 7), at=2.1, lasting=0.3, scope="client")
    (found,) = streamed(spans_of(agent, client))
    assert len(found.turns[0].model_calls) == 1


def test_a_link_is_followed() -> None:
    agent, judge = turn(1, [user("a")], "b"), Trace(2, 5000)
    linked = (agent.id, agent.spans[0].span_id)
    judge.add({"openinference.span.kind": "EVALUATOR", "annotations.0.annotation.name": "good"}, links=(linked,))
    (found,) = streamed(spans_of(agent, judge))
    assert [one.name for one in found.feedback] == ["good"]


def test_what_many_have_in_common_chains_nothing_together() -> None:
    """Bare clients that say the same at the same time, with the same tokens; and tools without ids, of one name."""
    traces = []
    for number in range(1, 41):
        client, tools = Trace(number), Trace(number + 100)
        client.model(None, [user("hello")], [assistant("Hi!")], (5, 2), at=number / 10)
        run = tools.run(conversation=None, at=number / 10)
        tools.model(run, [user("hello")], [assistant("", ("get", None, {"n": 1}))], (5, 2), at=number / 10)
        tools.tool(run, "get", {"n": 1}, "x", at=number / 10 + 0.5)
        traces += [client, tools]
    assert sizes(spans_of(*traces)) == [1, 3] * 40
    assert len(list(stream(spans_of(*traces)))) == 80


def test_an_id_is_enough_to_be_brought_together() -> None:
    found = sizes(spans_of(turn(1, [user("a")], "b", "x"), turn(2, [user("c")], "d", "y"), turn(3, [], "e", "x")))
    assert found == [4, 2]


def requests(first: int, word: str, *, call_id: str | None = "c1", replied: list[Any] | None = None) -> list[Trace]:
    """Two requests in traces of their own; what came of the first, the second's history alone tells."""
    asks = assistant("", ("get", call_id, {"of": word}))
    histories = [[user(word)], [user(word), asks, answer(call_id, f"{word}!")]]
    made = [Trace(first + number, (first + number) * 1000) for number in range(2)]
    made[0].model(None, histories[0], replied)
    made[1].model(None, histories[1], [assistant(f"So {word}.")])
    return made


@pytest.mark.parametrize("replied", [None, [assistant()]])
def test_a_request_whose_response_was_not_captured_is_found_by_the_history_that_tells_it(replied: Any) -> None:
    found = streamed(spans_of(*requests(1, "a", replied=replied), *requests(3, "b", replied=replied)))
    assert sorted((one.turns[0].user, len(one.turns[0].model_calls), len(one.turns)) for one in found) == [
        ("a", 2, 1),
        ("b", 2, 1),
    ]
    assert [one.joined for one in found] == ["history", "history"]


def test_a_request_whose_calls_every_history_leaves_out_is_found_by_the_answer_behind_it() -> None:
    first, second = Trace(1), Trace(2, 50)
    first.model(None, [user("a")], [assistant()])
    second.model(None, [user("a"), assistant(), answer(None, "x")], [assistant("b")])
    (found,) = streamed(spans_of(first, second))
    assert [(one.user, one.assistant, len(one.model_calls)) for one in found.turns] == [("a", "b", 2)]


def test_the_same_request_again_goes_on_from_none() -> None:
    alone = requests(1, "a")[0], requests(5, "a")[0], requests(7, "a")[0]
    assert len(streamed(spans_of(*alone))) == 3
    (joined, *apart) = sorted(streamed(spans_of(*alone, requests(8, "a")[1])), key=lambda one: -len(one.trace_ids))
    assert (len(joined.trace_ids), len(apart), len(doubts(joined))) == (2, 2, 1)


@pytest.mark.parametrize("replied", [None, [assistant("Oslo is")]])
def test_a_request_that_failed_is_found_by_the_history_in_which_the_user_speaks_again(replied: Any) -> None:
    made = [Trace(number, number * 1000) for number in range(1, 5)]
    for failed, later, word in [(*made[:2], "a"), (*made[2:], "b")]:
        failed.model(None, [user(word)], replied, None, status="error", status_text="overloaded")
        later.model(None, [user(word), user("again?")], [assistant(f"So {word}.")])
    found = streamed(spans_of(*made))
    assert [[turn.user for turn in one.turns] for one in found] == [["a", "again?"], ["b", "again?"]]
    assert [one.joined for one in found] == ["history", "history"]
