"""Conversations as applications keep them, whole and broken."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from harness.model.episode import Feedback
from harness.replay.recordings import Unread, read
from harness.replay.recordings.message_lists import of_conversation

HELLO = {"role": "user", "content": "Where is O-1?"}
BYE = {"role": "assistant", "content": "On its way."}


def call(name="get_order", arguments='{"order_id": "O-1"}', call_id="call_1"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asking(*calls, content=None):
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(content='{"status": "shipped"}', call_id="call_1", **more):
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def recorded(*messages, **about):
    return of_conversation({"messages": list(messages), **about} if about else list(messages), "talk.json", "1:1")


def calls(recording):
    return [(made.id, made.tool, made.raw, made.arguments, made.answered, made.told) for made in recording.calls()]


def test_a_whole_conversation():
    recording = recorded({"role": "system", "content": "Be kind."}, HELLO, asking(call()), result(), BYE)
    assert [(each.role, each.text, each.turn, len(each.calls)) for each in recording.messages] == [
        ("system", "Be kind.", 0, 0),
        ("user", "Where is O-1?", 1, 0),
        ("agent", None, 1, 1),
        ("agent", "On its way.", 1, 0),
    ]
    (made,) = recording.calls()
    assert (made.id, made.tool, made.raw) == ("call_1", "get_order", '{"order_id": "O-1"}')
    assert (made.arguments, made.told, made.result) == (
        {"order_id": "O-1"},
        '{"status": "shipped"}',
        {"status": "shipped"},
    )
    assert (recording.flaws, recording.stray) == ([], [])


ARGUMENTS = {
    '{"a": 1,}': "no JSON: ",
    '{"a": ': "no JSON: ",
    "null": "a JSON object is needed",
    '"K-7"': "a JSON object is needed",
    "[1]": "a JSON object is needed",
    "3": "a JSON object is needed",
    '{"a": NaN}': "no JSON: NaN is no number",
    "[" * 5000: "",
}


@pytest.mark.parametrize("raw", ARGUMENTS)
def test_broken_arguments_are_kept_and_flagged_and_spoil_no_other_call(raw):
    recording = recorded(
        HELLO, asking(call(arguments=raw), call(call_id="call_2")), result(), result(call_id="call_2"), BYE
    )
    broken, sound = recording.calls()
    assert (broken.raw, broken.arguments, broken.answered) == (raw, None, True)
    assert (broken.flaw or "").startswith(ARGUMENTS[raw])
    assert sound.arguments == {"order_id": "O-1"}
    assert recording.flaws == [f"message 2: the arguments of get_order can't be read: {broken.flaw}"]


@pytest.mark.parametrize("raw", ["", "  ", "{}", None])
def test_a_call_may_have_no_arguments(raw):
    (made,) = recorded(HELLO, asking(call(arguments=raw)), result()).calls()
    assert (made.arguments, made.flaw, made.raw) == ({}, None, raw)


def test_argument_texts_and_results_stay_to_the_byte():
    raw, told = '{ "n":9223372036854775808,  "e":"\\u00e9", "x":1.10}', '{"n": 18446744073709551617}\n'
    (made,) = recorded(HELLO, asking(call(arguments=raw)), result(told)).calls()
    assert (made.raw, made.told) == (raw, told)
    assert made.arguments == {"n": 2**63, "e": "é", "x": 1.1}
    assert made.result == {"n": 2**64 + 1}


def test_arguments_that_are_an_object_have_no_text():
    (made,) = recorded(HELLO, asking(call(arguments={"order_id": "O-1"})), result()).calls()
    assert (made.raw, made.arguments) == (None, {"order_id": "O-1"})


@pytest.mark.parametrize("told", ["NaN", "1.5 items", "", "O-1", "[1, 2"])
def test_a_result_that_is_no_json_is_text(told):
    (made,) = recorded(HELLO, asking(call()), result(told)).calls()
    assert (made.answered, made.told, made.result) == (True, told, told)


def test_a_call_without_a_result_and_what_follows_it():
    recording = recorded(HELLO, asking(call()), {"role": "user", "content": "Hello?"}, BYE)
    assert [made.answered for made in recording.calls()] == [False]
    assert recording.turns == 2
    assert recording.flaws == ["message 2: get_order has no result"]


def test_a_result_without_a_call():
    recording = recorded(HELLO, result("lost", "call_9", name="get_order"), BYE)
    (stray,) = recording.stray
    assert (stray.after, stray.id, stray.tool, stray.told) == (0, "call_9", "get_order", "lost")
    assert recording.flaws == ["message 2: a result answers no call on record: get_order call_9"]


def test_a_second_result_for_a_call():
    recording = recorded(HELLO, asking(call()), result("first"), result("second"), BYE)
    assert [made.told for made in recording.calls()] == ["first"]
    assert [stray.told for stray in recording.stray] == ["second"]
    assert recording.flaws == ["message 4: a second result for call_1"]


def test_results_in_another_order_than_their_calls():
    recording = recorded(
        HELLO, asking(call(), call("get_customer", "{}", "call_2")), result("two", "call_2"), result("one"), BYE
    )
    assert [(made.tool, made.told) for made in recording.calls()] == [("get_order", "one"), ("get_customer", "two")]
    assert recording.flaws == []


def test_a_result_that_stands_before_its_call():
    recording = recorded(HELLO, result("early"), asking(call()), BYE)
    assert [made.told for made in recording.calls()] == ["early"]
    assert recording.stray == []
    assert recording.flaws == ["message 3: the result of get_order stands before the call, in message 2"]


def test_a_result_that_comes_late():
    recording = recorded(HELLO, asking(call()), BYE, HELLO, result("late"), BYE)
    assert [made.told for made in recording.calls()] == ["late"]
    assert recording.flaws == ["message 5: the result of get_order comes late: it was asked for in message 2"]


def test_an_id_that_comes_again_is_of_the_call_that_waits():
    recording = recorded(HELLO, asking(call()), result("one"), BYE, HELLO, asking(call()), result("two"), BYE)
    assert [made.told for made in recording.calls()] == ["one", "two"]
    assert recording.flaws == []


def test_two_calls_of_one_message_with_one_id():
    twice = asking(call(arguments='{"n": 1}'), call("get_customer", '{"n": 2}'))
    recording = recorded(HELLO, twice, result("of the customer", name="get_customer"), result("of the order"), BYE)
    assert [made.told for made in recording.calls()] == ["of the order", "of the customer"]
    assert recording.flaws == ["message 2: calls share an id: their results are told apart by their order"]


def test_several_messages_of_the_agent_in_a_row():
    recording = recorded(HELLO, {"role": "assistant", "content": "Let me see."}, asking(call()), result(), BYE, BYE)
    assert [each.text for each in recording.messages] == [HELLO["content"], "Let me see.", None, *2 * [BYE["content"]]]
    assert {each.turn for each in recording.messages} == {1}


def test_words_beside_calls():
    recording = recorded(HELLO, asking(call(), content="Let me see."), result(), BYE)
    assert (recording.messages[1].text, len(recording.messages[1].calls)) == ("Let me see.", 1)


@pytest.mark.parametrize("empty", [{"content": None}, {}, {"content": ""}, {"content": []}])
def test_a_message_without_content_is_read_and_told(empty):
    recording = recorded(HELLO, {"role": "assistant", **empty}, {"role": "user", **empty}, BYE)
    assert [each.role for each in recording.messages] == ["user", "agent", "user", "agent"]
    assert recording.turns == 1
    assert recording.flaws == ["message 2: the message is empty", "message 3: the message is empty"]


def test_content_in_parts():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    parts = [{"type": "text", "text": "This one:"}, image, {"type": "text", "text": "broken"}]
    told = [{"type": "text", "text": "in"}, {"type": "text", "text": " stock"}]
    recording = recorded({"role": "user", "content": parts}, asking(call()), result(told), BYE)
    assert (recording.messages[0].text, recording.messages[0].parts) == ("This one:\nbroken", (image,))
    (made,) = recording.calls()
    assert (made.told, made.result) == ("in\n stock", told)


def test_blocks_and_calls_as_agentdojo_logs_them():
    block = [{"type": "text", "content": "Where is O-1?"}]
    asked = {"function": "get_order", "args": {"order_id": "O-1"}, "id": "t1", "placeholder_args": None}
    failed = {**asked, "id": "t2"}
    recording = recorded(
        {"role": "user", "content": block},
        {"role": "assistant", "content": None, "tool_calls": [asked, failed]},
        {"role": "tool", "content": [{"type": "text", "content": "a: 1"}], "tool_call_id": "t1", "error": None},
        {
            "role": "tool",
            "content": [{"type": "text", "content": ""}],
            "tool_call_id": "t2",
            "error": "KeyError: 'O-1'",
        },
    )
    assert (recording.messages[0].text, recording.messages[0].parts) == ("Where is O-1?", ())
    assert calls(recording) == [
        ("t1", "get_order", None, {"order_id": "O-1"}, True, "a: 1"),
        ("t2", "get_order", None, {"order_id": "O-1"}, True, "KeyError: 'O-1'"),
    ]
    assert [made.error for made in recording.calls()] == [None, "KeyError: 'O-1'"]
    assert recording.flaws == []


def test_a_call_without_a_name_is_told():
    recording = recorded(HELLO, asking({"id": "call_1", "function": {"arguments": "{}"}}), result(), BYE)
    assert recording.flaws == ["message 2: a call has no name"]
    assert recorded(HELLO, asking({"function": {}})).flaws == [
        "message 2: a call has no name",
        "message 2: a call without a name has no result",
    ]


def test_a_result_that_is_nested_beyond_reading_stays_text():
    told = "[" * 900 + "]" * 900
    (made,) = recorded(HELLO, asking(call()), result(told)).calls()
    assert (made.told, made.result) == (told, told)


def test_refusals():
    one = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    other = {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    recording = recorded(HELLO, one, HELLO, other)
    assert [(each.text, each.refusal) for each in recording.messages] == [
        (HELLO["content"], False),
        ("I can't help with that.", True),
        (HELLO["content"], False),
        ("No.", True),
    ]


def test_legacy_function_calls():
    asked = {"role": "assistant", "content": None, "function_call": {"name": "get_order", "arguments": '{"n": 1}'}}
    recording = recorded(HELLO, asked, {"role": "function", "name": "get_order", "content": "7"}, asked, BYE)
    assert calls(recording) == [
        (None, "get_order", '{"n": 1}', {"n": 1}, True, "7"),
        (None, "get_order", '{"n": 1}', {"n": 1}, False, None),
    ]


def test_an_absent_legacy_call_is_none():
    recording = recorded(HELLO, {**BYE, "tool_calls": None, "function_call": None})
    assert (calls(recording), recording.flaws) == ([], [])


def test_developers_speak_as_the_system():
    assert recorded({"role": "developer", "content": "Be kind."}, HELLO, BYE).messages[0].role == "system"


def test_anthropic_blocks():
    asked = {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {"order_id": "O-1"}}
    given = {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [{"type": "text", "text": "gone"}],
        "is_error": True,
    }
    recording = recorded(
        HELLO,
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Let me see."}, asked],
        },
        {"role": "user", "content": [given]},
        BYE,
    )
    assert [(each.role, each.text) for each in recording.messages] == [
        ("user", HELLO["content"]),
        ("agent", "Let me see."),
        ("agent", BYE["content"]),
    ]
    (made,) = recording.calls()
    assert (made.id, made.arguments, made.told, made.error) == ("toolu_1", {"order_id": "O-1"}, "gone", "gone")


def test_items_of_the_responses_api():
    body = {
        "instructions": "Be kind.",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Where are O-1 and O-2?"}]},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get_order", "arguments": '{"id": "O-1"}'},
            {"type": "function_call", "id": "fc_2", "call_id": "c2", "name": "get_order", "arguments": '{"id": "O-2"}'},
            {"type": "function_call_output", "call_id": "c1", "output": '{"status": "shipped"}'},
            {"type": "function_call_output", "call_id": "c2", "output": "gone"},
        ],
        "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One is on its way."}]}
        ],
        "model": "gpt-9",
    }
    recording = of_conversation(body, "talk.json", "1:1")
    assert [(each.role, each.text, len(each.calls)) for each in recording.messages] == [
        ("system", "Be kind.", 0),
        ("user", "Where are O-1 and O-2?", 0),
        ("agent", None, 2),
        ("agent", "One is on its way.", 0),
    ]
    assert [(made.id, made.told) for made in recording.calls()] == [("c1", '{"status": "shipped"}'), ("c2", "gone")]
    assert recording.agent is not None
    assert recording.agent.model == "gpt-9"
    assert recording.flaws == []


def test_calls_that_the_provider_made():
    recording = of_conversation(
        {
            "input": "Weather?",
            "output": [
                {"type": "web_search_call", "id": "ws_1", "status": "completed"},
                {"type": "mcp_call", "id": "mcp_1", "name": "roll", "arguments": "{}", "output": "4", "error": None},
                {"type": "mcp_call", "id": "mcp_2", "name": "roll", "arguments": "{}", "error": "no dice"},
            ],
        },
        "talk.json",
        "1:1",
    )
    assert [(made.tool, made.told, made.error) for made in recording.calls()] == [
        ("roll", "4", None),
        ("roll", "no dice", "no dice"),
    ]
    assert recording.flaws == ["message 2: web_search_call is a call that the provider made itself: it is left out"]


def test_langchain_messages_in_every_dump():
    raw = '{"order_id":  "O-1"}'
    parsed = {"name": "get_order", "args": {"order_id": "O-1"}, "id": "c1", "type": "tool_call"}
    told = {"type": "tool", "data": {"content": "gone", "tool_call_id": "c1", "status": "error"}}
    kept = {"tool_calls": [call(arguments=raw, call_id="c1")]}
    recording = recorded(
        {"type": "human", "data": {"content": "Where is O-1?"}},
        {"type": "ai", "data": {"content": "", "tool_calls": [parsed], "additional_kwargs": kept}},
        told,
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", "AIMessage"],
            "kwargs": {"content": "Sorry."},
        },
    )
    assert [(each.role, each.text) for each in recording.messages] == [
        ("user", "Where is O-1?"),
        ("agent", ""),
        ("agent", "Sorry."),
    ]
    (made,) = recording.calls()
    assert (made.raw, made.arguments, made.error) == (raw, {"order_id": "O-1"}, "gone")


def test_langchain_keeps_broken_calls_apart():
    broken = {"name": "get_order", "args": '{"order_id": ', "id": "c2", "error": "cut", "type": "invalid_tool_call"}
    recording = recorded(HELLO, {"type": "ai", "content": "", "tool_calls": [], "invalid_tool_calls": [broken]})
    assert [(made.tool, made.raw, made.arguments) for made in recording.calls()] == [
        ("get_order", '{"order_id": ', None)
    ]


@pytest.mark.parametrize("odd", ["hello", 7, None, {"role": "bot"}, {"text": "hi"}, ["user", "hi"]])
def test_what_is_no_message_is_told_and_the_rest_is_read(odd):
    recording = recorded(HELLO, odd, BYE)
    assert len(recording.messages) == 2
    (flaw,) = recording.flaws
    assert flaw.startswith("message 2: this is no message: ")


def test_what_is_no_call_is_told_and_the_rest_is_read():
    recording = recorded(
        HELLO, {"role": "assistant", "content": None, "tool_calls": ["get_order", call(), {}]}, result()
    )
    assert [made.tool for made in recording.calls()] == ["get_order", ""]
    assert recording.flaws[0] == 'message 2: this is no tool call: "get_order"'


def test_labels_and_ids():
    recording = recorded(HELLO, BYE, id="talk-7", reward=1, metadata={"shop": "es"}, tools=[{"type": "function"}])
    assert recording.source.id == "talk-7"
    assert recording.labels == {"reward": 1, "shop": "es"}


FEEDBACK = {
    "down": [Feedback("thumb", label="down")],
    "👍": [Feedback("thumb", label="up")],
    False: [Feedback("thumb", 0.0, "down")],
    4: [Feedback("feedback", 4.0)],
    "rather slow": [Feedback("feedback", label="rather slow")],
}


@pytest.mark.parametrize("told", FEEDBACK)
def test_feedback_in_a_word(told):
    assert recorded(HELLO, BYE, feedback=told).feedback == FEEDBACK[told]


def test_feedback_in_full():
    told = [
        {"name": "user", "value": 1, "label": "down", "comment": "wrong order", "turn": 2},
        {"thumb": "up"},
        {"comment": "thanks"},
    ]
    assert recorded(HELLO, BYE, feedback=told, rating=2).feedback == [
        Feedback("user", 1.0, "down", "wrong order", 2),
        Feedback("thumb", label="up"),
        Feedback("feedback", explanation="thanks"),
        Feedback("rating", 2.0),
    ]


def test_feedback_on_a_message_is_of_its_turn():
    recording = recorded(HELLO, BYE, HELLO, {**BYE, "feedback": "down"})
    assert recording.feedback == [Feedback("thumb", label="down", turn=2)]


def test_times_of_messages():
    recording = recorded({**HELLO, "timestamp": "2026-11-20T10:00:00Z"}, {**BYE, "created_at": 1795168801000})
    assert [each.at for each in recording.messages] == [1795168800.0, 1795168801.0]


# files


def lines(tmp_path, *values, name="talks.jsonl"):
    file = tmp_path / name
    file.write_text("".join(f"{json.dumps(value)}\n" for value in values), "utf-8")
    return file


def found(path, form=None):
    bad: list[Unread] = []
    return list(read(path, form=form, bad=bad.append)), [str(each).removeprefix(f"{path}") for each in bad]


@pytest.mark.parametrize("wrap", [lambda talk: talk, lambda talk: {"messages": talk}], ids=["list", "object"])
@pytest.mark.parametrize("many", [True, False])
def test_conversations_in_a_list_and_on_lines(tmp_path, wrap, many):
    talks = [wrap([{**HELLO, "content": f"talk {number}"}, BYE]) for number in range(3 if many else 1)]
    file = tmp_path / "talks.json"
    file.write_text(json.dumps(talks, indent=1), "utf-8")
    for path in (file, lines(tmp_path, *talks)):
        recordings, bad = found(path)
        assert bad == []
        assert [each.messages[0].text for each in recordings] == [f"talk {number}" for number in range(len(talks))]


@pytest.mark.parametrize("dump", [json.dumps, lambda talk: "\n".join(map(json.dumps, talk))], ids=["list", "lines"])
def test_messages_by_themselves_are_one_conversation(tmp_path, dump):
    file = tmp_path / "talk.json"
    file.write_text(dump([HELLO, asking(call()), result(), BYE]), "utf-8")
    (recording,), bad = found(file)
    assert (len(recording.messages), bad) == (3, [])
    assert (recording.source.where, recording.source.id) == ("talk.json", "1:2" if dump is json.dumps else "1:1")


def test_a_byte_order_mark_gzip_and_lone_surrogates(tmp_path):
    file = tmp_path / "talks.jsonl.gz"
    file.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps([{**HELLO, "content": "\ud83d"}, BYE]).encode()))
    (recording,), bad = found(file)
    assert (recording.messages[0].text, bad) == ("\ud83d", [])


def test_numbers_that_json_has_no_word_for(tmp_path):
    file = lines(tmp_path, {"messages": [HELLO, BYE], "score": math.nan}, {"messages": [HELLO, BYE], "score": 1})
    recordings, bad = found(file)
    assert math.isnan(recordings[0].labels["score"])
    assert (len(recordings), bad) == (2, [])


def test_what_is_nested_beyond_reading_is_told_and_spoils_nothing_else(tmp_path):
    deep = json.loads("[" * 300 + "]" * 300)
    file = tmp_path / "talks.json"
    file.write_text(json.dumps([[HELLO, asking(call(arguments=deep)), BYE], [HELLO, BYE]]))
    bad: list[Unread] = []
    assert [each.turns for each in read(file, bad=bad.append)] == [1]
    assert [(each.line, each.column, each.what) for each in bad] == [(1, 2, "nested too deeply")]


def test_what_is_cut_short_is_told_with_its_place_and_the_rest_goes_in(tmp_path):
    talk = json.dumps({"messages": [HELLO, BYE]})
    file = tmp_path / "talks.jsonl"
    file.write_text(f"{talk}\n{talk[:-20]}", "utf-8")
    recordings, bad = found(file)
    assert len(recordings) == 1
    assert bad == [f":2:{bad[0].split(':')[2]}: no JSON: unterminated string"]
    file.write_text(f"[{talk},\n {talk[:-20]}", "utf-8")
    recordings, bad = found(file)
    assert (len(recordings), bad) == (1, [":2:2: cut short: the value that begins here does not end"])


def test_a_conversation_whose_list_is_cut_short_says_so(tmp_path):
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([HELLO, BYE, HELLO])[:-20], "utf-8")
    (recording,), bad = found(file)
    assert len(recording.messages) == 2
    assert len(bad) == 1
    assert recording.flaws == [f"talk.json{bad[0]}"]


def test_without_a_listener_what_is_broken_is_raised_when_the_rest_was_read(tmp_path):
    file = lines(tmp_path, {"messages": [HELLO, BYE]}, {"nothing": 1})
    reading = read(file)
    assert len(next(reading).messages) == 2
    with pytest.raises(
        ValueError, match=r"talks.jsonl:2:1: no conversation in a form that is known: an object of nothing"
    ):
        next(reading)


def test_what_is_no_file_of_conversations(tmp_path):
    empty, binary, packed = tmp_path / "empty", tmp_path / "binary", tmp_path / "packed"
    empty.write_bytes(b"")
    binary.write_bytes(bytes(range(200)))
    packed.write_bytes(b"PK\x03\x04 and so on")
    assert found(empty) == ([], [": empty"])
    assert found(tmp_path) == ([], [": a folder: name the files in it"])
    assert found(packed) == ([], [": a zip archive: unpack it first"])
    recordings, bad = found(binary)
    assert recordings == []
    assert bad
    recordings, bad = found(tmp_path / "absent")
    assert (recordings, bad) == ([], [": it can't be read: No such file or directory"])


def test_a_form_can_be_forced(tmp_path):
    file = lines(tmp_path, {"traj": [HELLO, BYE], "messages": [HELLO], "task_id": 1, "trial": 0})
    assert [each.source.kind for each in read(file)] == ["tau"]
    assert [each.source.kind for each in read(file, form="messages")] == ["messages"]
    recordings, bad = found(file, "tau2")
    assert recordings == []
    assert bad == [":1:1: no conversation in the form tau2: an object of traj, messages, task_id, trial"]


def test_the_id_is_told_by_content_and_place_and_not_by_the_folder(tmp_path):
    (tmp_path / "other").mkdir()
    talk = {"messages": [HELLO, BYE]}
    first, second = read(lines(tmp_path, talk, talk))
    again, _ = read(lines(tmp_path / "other", talk, talk, name="renamed.jsonl"))
    assert first.id == again.id != second.id
