"""Histories whose oldest attributes a limit dropped, as SDKs do beyond 128, or of which a record never came."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.reading.made import Trace, answer, assistant, limited, user
from traces.conversation import Conversation
from traces.dialects.facts import Answer, AskedCall
from traces.reading import conversation, conversations, stream
from traces.reading.calls.atoms import Atom
from traces.reading.calls.mended import mended
from traces.span import SpanEvent

Said = dict[str, Any]


def flat(prefix: str, messages: list[Said]) -> dict[str, Any]:
    found = {}
    for number, message in enumerate(messages):
        at = f"{prefix}.{number}.message."
        found[at + "role"] = message["role"]
        if message.get("content"):
            found[at + "content"] = message["content"]
        if "answers" in message:
            found[at + "tool_call_id"] = message["answers"]
        for index, name in enumerate(message.get("calls", ())):
            call = f"{at}tool_calls.{index}.tool_call."
            found |= {
                call + "id": name,
                call + "function.name": "look_up",
                call + "function.arguments": json.dumps({"number": name}),
            }
    return found


def old_flat(prefix: str, messages: list[Said]) -> dict[str, Any]:
    """As OpenLLMetry did."""
    inner = ((".message.", "."), (".tool_call.", "."), (".function.", "."))
    found = {}
    for name, value in flat(prefix, messages).items():
        for part, left in inner:
            name = name.replace(part, left)
        found[name] = value
    return found


def events(history: list[Said], output: Said) -> tuple[SpanEvent, ...]:
    found = []
    for at, message in enumerate(history):
        body = {"content": message.get("content", "")}
        if "calls" in message:
            body["tool_calls"] = json.dumps(
                [
                    {"id": name, "function": {"name": "look_up", "arguments": {"number": name}}}
                    for name in message["calls"]
                ]
            )
        if "answers" in message:
            body["id"] = message["answers"]
        found.append(SpanEvent(f"gen_ai.{message['role']}.message", at, body))
    calls = [{"id": name, "name": "look_up", "arguments": {"number": name}} for name in output.get("calls", ())]
    told = {"role": "assistant", "content": output.get("content", ""), "tool_calls": calls}
    return (*found, SpanEvent("gen_ai.choice", len(history), {"message": json.dumps(told)}))


def script(turns: list[list[int]]) -> tuple[list[list[tuple[list[Said], Said]]], list[Any]]:
    """The model calls of each turn (history and output), and what is to be read. A turn: how many calls at a time."""
    history: list[Said] = [{"role": "system", "content": "Be brief."}]
    calls, expected = [], []
    for number, rounds in enumerate(turns):
        history = [*history, {"role": "user", "content": f"question {number}"}]
        ids = [[f"call_{number}_{at}_{each}" for each in range(count)] for at, count in enumerate(rounds)]
        of_turn = []
        for asked in ids:
            output: Said = {"role": "assistant", "calls": asked}
            of_turn.append((history, output))
            answers = [{"role": "tool", "content": f"found {name}", "answers": name} for name in asked]
            history = [*history, output, *answers]
        output = {"role": "assistant", "content": f"answer {number}"}
        of_turn.append((history, output))
        history = [*history, output]
        calls.append(of_turn)
        told = [(name, {"number": name}, f"found {name}") for asked in ids for name in asked]
        expected.append((f"question {number}", f"answer {number}", told))
    return calls, expected


def open_inference(history: list[Said], output: Said) -> dict[str, Any]:
    return {
        "openinference.span.kind": "LLM",
        "session.id": "c1",
        **flat("llm.input_messages", history),
        **flat("llm.output_messages", [output]),
        "llm.model_name": "m",
    }


def traceloop(history: list[Said], output: Said) -> dict[str, Any]:
    return {
        "llm.request.type": "chat",
        **old_flat("gen_ai.prompt", history),
        **old_flat("gen_ai.completion", [output]),
        "gen_ai.request.model": "m",
    }


def read(found: list[Conversation]) -> list[Any]:
    (only,) = found
    return [
        (turn.user, turn.assistant, [(call.id, call.arguments, call.result) for call in turn.tool_calls])
        for turn in only.turns
    ]


# Under fewer attributes than 20, the answers to three calls at a time aren't all there.
TURNS = st.lists(st.lists(st.integers(1, 3), max_size=2), min_size=1, max_size=6)


@given(TURNS, st.integers(20, 80), st.booleans())
def test_a_conversation_in_a_trace_a_turn_is_the_same_under_any_limit(turns, most, streamed):
    calls, expected = script(turns)
    spans = []
    for number, of_turn in enumerate(calls):
        trace = Trace(number + 1, start=100 * number)
        root = trace.add({"openinference.span.kind": "CHAIN", "session.id": "c1"}, lasting=90)
        for history, output in of_turn:
            trace.add(open_inference(history, output), root)
        spans += [limited(span, most) for span in trace.spans]
    assert read(list(stream(spans)) if streamed else conversations(spans)) == expected


@given(TURNS, st.integers(40, 80), st.sampled_from([open_inference, traceloop]))
def test_a_conversation_in_a_trace_a_call_is_the_same_as_far_as_calls_tie_it(turns, most, dialect):
    """Without an id, only tool calls that are still in a history tell which it is; so each turn has one."""
    calls, expected = script([rounds or [1] for rounds in turns])
    spans = []
    for number, (history, output) in enumerate(call for of_turn in calls for call in of_turn):
        trace = Trace(number + 1, start=100 * number)
        at = {name: value for name, value in dialect(history, output).items() if name != "session.id"}
        trace.add(at)
        spans += [limited(span, most) for span in trace.spans]
    assert read(conversations(spans)) == expected


@given(TURNS, st.integers(5, 40))
def test_of_messages_in_events_the_oldest_are_dropped_too(turns, most):
    calls, expected = script(turns)
    trace = Trace()
    for number, of_turn in enumerate(calls):
        root = trace.run(at=100 * number, lasting=90)
        for history, output in of_turn:
            told = events(history, output)
            left = told[-most:]
            at = {"gen_ai.operation.name": "chat", "gen_ai.system": "openai"}
            trace.add(at, root, at=100 * number + 1 + len(history), events=left, dropped=len(told) - len(left))
    assert read(conversations(trace.spans)) == expected


@given(st.lists(st.integers(0, 1), min_size=4, max_size=12), st.booleans(), st.data())
def test_conversations_whose_models_count_ids_anew_are_kept_apart(order, named, data):
    """Of each a record may be missing; that they share ids, tools and times joins none of them."""
    spans = []
    for who in (0, 1):
        history: list[Said] = []
        times = [at for at, one in enumerate(order) if one == who]
        trace = Trace(who + 1)
        for at, (said, result) in zip(times, [(f"{who} asks {n}", f"{who} found {n}") for n in range(9)], strict=False):
            history = [*history, {"role": "user", "content": said}]
            asked: Said = {"role": "assistant", "calls": ["call_0"]}
            answers = [*history, asked, {"role": "tool", "content": result, "answers": "call_0"}]
            reply: Said = {"role": "assistant", "content": f"{who} says {result}"}
            for part, (told, output) in enumerate(((history, asked), (answers, reply))):
                lost = data.draw(st.integers(-6, len(told) - 2)) if len(told) > 2 else -1
                left = [one for place, one in enumerate(told) if place != lost]
                extra = {"gen_ai.conversation.id": f"c{who}"} if named else {}
                trace.add(
                    {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", **extra},
                    at=at * 10 + part * 5,
                    events=events(left, output),
                )
            history = [*answers, reply]
        spans += trace.spans
    for found in (conversations(spans), list(stream(spans))):
        assert len(found) == len(set(order))
        for one in found:
            texts = [text for turn in one.turns for text in (turn.user, turn.assistant) if text]
            assert len({text[0] for text in texts}) == 1


def test_a_guard_that_is_told_the_users_words_alone_does_not_speak_for_the_agent():
    trace = Trace()
    said: list[Said] = [
        {"role": "user", "content": "my bill is wrong"},
        {"role": "assistant", "content": "I corrected it."},
        {"role": "user", "content": "and my phone is dead"},
    ]
    at = {"gen_ai.operation.name": "chat", "gen_ai.system": "openai"}
    first, second = trace.run(at=0, lasting=9), trace.run(at=10, lasting=9)
    trace.add(at, first, at=1, events=events(said[:1], said[1]))
    trace.add(at, second, at=11, events=events(said, {"role": "assistant", "content": "Restart it."}))
    trace.add(at, second, at=12, events=events([said[0], said[2]], {"role": "assistant", "content": "SAFE"}))
    (found,) = conversations(trace.spans)
    assert [turn.assistant for turn in found.turns] == ["I corrected it.", "Restart it."]


def words(told: str) -> list[Atom]:
    """A letter a piece: capitals of the user, digits calls, with a quote their answers, others of the agent."""
    found = []
    for letter in told.split():
        if letter.isdigit():
            found.append(Atom("call", hash(letter), call=AskedCall("look_up", letter)))
        elif letter.endswith("'"):
            found.append(Atom("answer", hash(letter), answer=Answer(letter[0], "found")))
        else:
            found.append(Atom("user" if letter.isupper() else "assistant", hash(letter), letter))
    return found


@pytest.mark.parametrize(
    ("history", "told", "whole"),
    [
        ("b C", ["A 1 1' b"], "A 1 1' b C"),  # the beginning
        ("1' b C", ["A 1 1' b"], "A 1 1' b C"),
        ("A 1 b C", ["A 1 1' b"], "A 1 1' b C"),  # one in between
        ("1' C", ["A 1"], "A 1 1' C"),  # all, and what is answered
        ("A 1'", ["A 1"], "A 1 1'"),  # the end
        ("A 1 1' C", ["A 1 1' b"], "A 1 1' b C"),
        ("A C", ["A b"], "A b C"),
        ("A 1 1' x C", ["A 1 1' b"], "A 1 1' x C"),  # another reply in its place
        ("A b C", ["A b"], "A b C"),  # nothing
        ("A 1 1' 2 2'", ["A 1 2"], "A 1 1' 2 2'"),  # nothing: it is the other that lacks an answer
        ("A", ["A"], "A"),
        ("C", ["A b"], "C"),  # nothing that it retells
        ("C", ["A b C"], "C"),  # words of the user alone
        ("A b D", ["A b C d"], "A b D"),  # it branches off
        ("b C d E", ["x b", "A b C d"], "x b C d E"),  # the likeliest first
        ("d E", ["x b", "A b C d"], "A b C d E"),
        ("d E", ["", "E", "A b C d"], "A b C d E"),
        ("b b C", ["A b b"], "A b b C"),
        ("b C", ["A b b"], "A b b C"),
        ("b C", [], "b C"),
    ],
)
def test_what_was_told_before_is_put_where_it_was(history, told, whole):
    found = mended(words(history), [words(one) for one in told])
    assert [atom.digest for atom in found] == [atom.digest for atom in words(whole)]


def test_an_output_that_was_cut_within_its_calls_is_whole_in_the_next_history() -> None:
    def asking(*arguments: str) -> Said:
        return assistant("", *(("get", str(at), {"k": value}) for at, value in enumerate(arguments, 1)))

    traces = [Trace(number, 1000 * number) for number in (1, 2)]
    for trace, asked, said in zip(traces, (asking("long", "more"), asking("last")), ("a", "c"), strict=True):
        run = trace.run(conversation=said)
        whole = json.dumps([asked])
        cut = {"gen_ai.output.messages": whole[: whole.index('"k": ') + 7]}
        trace.model(run, [user(said)], None, extra=cut)
        answers = [answer(part["id"], "x") for part in asked["parts"]]
        trace.model(run, [user(said), asked, *answers], [assistant("b")])
    first, second = conversations([span for trace in traces for span in trace.spans])
    assert [call.tool_call_ids for call in first.turns[0].model_calls] == [("1", "2"), ()]
    assert [call.tool_call_ids for call in second.turns[0].model_calls] == [("1",), ()]
    calls = [(call.id, call.arguments, call.raw, call.result, call.group) for call in first.turns[0].tool_calls]
    assert calls == [("1", {"k": "long"}, None, "x", 0), ("2", {"k": "more"}, None, "x", 0)]
    assert first.warnings == second.warnings == ()


def test_calls_without_ids_in_an_output_are_those_of_the_next_history_with_them() -> None:
    def asking(*calls: tuple[str, str | None, Any]) -> Said:
        return assistant("", *calls)

    merged = asking(("get", None, '{"k": 1}{"k": 2}'))
    whole = asking(("get", "1", {"k": 1}), ("get", "2", {"k": 2}))
    trace = Trace()
    run = trace.run(conversation=None)
    trace.model(run, [user("a")], [merged])
    history = [user("a"), whole, answer("1", "x"), answer("2", "y")]
    trace.model(run, history, [asking(("put", None, {"k": 3}))])
    history = [*history, asking(("put", "3", {"k": 3})), answer("3", "z")]
    trace.model(run, history, [asking(("end", None, {}))])
    history = [*history, asking(("end", "4", {"k": "else"})), answer("4", "z")]
    trace.model(run, history, [assistant("b")])
    found = conversations(trace.spans)[0]
    assert [call.tool_call_ids for call in found.turns[0].model_calls] == [("1", "2"), ("3",), (), ()]
    calls = [(call.name, call.id, call.arguments, call.group) for call in found.turns[0].tool_calls]
    assert calls[:3] == [("get", "1", {"k": 1}, 0), ("get", "2", {"k": 2}, 0), ("put", "3", {"k": 3}, None)]


def test_calls_without_ids_are_not_those_of_another_conversation() -> None:
    spans = []
    for number in (1, 2):
        trace = Trace(number, 1000 * number)
        run = trace.run(conversation=f"c{number}")
        trace.model(run, [user("a")], [assistant("", ("get", None, {}))])
        if number == 2:
            asked = assistant("", ("get", "1", {}))
            trace.model(run, [user("a"), asked, answer("1", "x")], [assistant("b")])
        spans += trace.spans
    first, second = conversations(spans)
    assert [call.id for call in first.turns[0].tool_calls] == [None]
    assert [call.id for call in second.turns[0].tool_calls] == ["1"]


def test_a_history_that_goes_on_otherwise_leaves_an_output_to_the_one_that_goes_on_from_it() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("get", None, {"n": 1}))])
    for told in (assistant("", ("put", "9", {})), assistant("", ("get", "1", {"n": 1}))):
        trace.model(run, [user("a"), told, answer(told["parts"][0]["id"], "x")], [assistant("b")])
    found = conversation(trace.spans)
    assert found.turns[0].model_calls[0].tool_call_ids == ("1",)
