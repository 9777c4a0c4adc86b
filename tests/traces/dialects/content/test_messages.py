"""Messages in the forms of the conventions, the providers and LangChain."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.effort import no_hang
from traces.dialects.content.messages import messages
from traces.dialects.facts import Answer, AskedCall, Message
from traces.dialects.otel_genai import last_text

CALL = AskedCall("get", "1", {"k": 1})
ASKS = Message("assistant", "", (CALL,))
TOLD = Message("tool", "", (), (Answer("1", "x"),))
ARGUMENTS = '{"k": 1}'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # GenAI conventions, and what is seen of them
        (
            [{"role": "user", "parts": [{"type": "text", "content": "a"}, {"type": "blob", "content": "AAAA"}]}],
            Message("user", "a"),
        ),
        (
            [{"role": "user", "parts": [{"type": "text", "content": "a"}, {"type": "text", "content": "b"}]}],
            Message("user", "a\nb"),
        ),
        (
            [
                {
                    "role": "assistant",
                    "parts": [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "a"}],
                }
            ],
            Message("assistant", "a"),
        ),
        (
            [{"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "get", "arguments": {"k": 1}}]}],
            ASKS,
        ),
        (
            [{"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "get", "arguments": ARGUMENTS}]}],
            ASKS,
        ),
        ([{"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "x"}]}], TOLD),
        ([{"role": "user", "parts": [{"type": "tool_call_response", "id": "1", "result": "x"}]}], TOLD),
        ([{"role": "assistant", "content": "a"}], Message("assistant", "a")),
        # chat completions
        ([{"role": "developer", "content": "a"}], Message("system", "a")),
        ([{"role": "tool", "parts": [{"type": "tool-approval-response"}]}], Message("tool")),
        (
            [{"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "1", "approved": True}]}],
            Message("tool"),
        ),
        (
            [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"id": "1", "type": "function", "function": {"name": "get", "arguments": ARGUMENTS}}
                    ],
                }
            ],
            ASKS,
        ),
        ([{"role": "tool", "tool_call_id": "1", "content": "x"}], TOLD),
        (
            [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "a"}}],
            Message("assistant", "a"),
        ),
        # Responses
        ([{"type": "function_call", "call_id": "1", "id": "fc_9", "name": "get", "arguments": ARGUMENTS}], ASKS),
        ([{"type": "function_call_output", "call_id": "1", "output": "x"}], TOLD),
        (
            [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}],
            Message("assistant", "a"),
        ),
        # Anthropic
        ([{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "get", "input": {"k": 1}}]}], ASKS),
        (
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "x"}]}
                    ],
                }
            ],
            TOLD,
        ),
        # Bedrock
        ([{"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "get", "input": {"k": 1}}}]}], ASKS),
        ([{"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": [{"text": "x"}]}}]}], TOLD),
        # Gemini
        ([{"role": "model", "parts": [{"text": "a"}]}], Message("assistant", "a")),
        (
            [{"role": "model", "parts": [{"functionCall": {"name": "get", "args": {"k": 1}}}]}],
            Message("assistant", "", (AskedCall("get", None, {"k": 1}),)),
        ),
        # the AI SDK
        (
            [
                {
                    "role": "assistant",
                    "content": [{"type": "tool-call", "toolCallId": "1", "toolName": "get", "input": {"k": 1}}],
                }
            ],
            ASKS,
        ),
        (
            [
                {
                    "role": "tool",
                    "content": [
                        {
                            "type": "tool-result",
                            "toolCallId": "1",
                            "toolName": "get",
                            "output": {"type": "text", "value": "x"},
                        }
                    ],
                }
            ],
            Message("tool", "", (), (Answer("1", "x", "get"),)),
        ),
        # LangChain
        (
            [
                [
                    {
                        "lc": 1,
                        "type": "constructor",
                        "id": ["langchain", "HumanMessage"],
                        "kwargs": {"content": "a", "type": "human"},
                    }
                ]
            ],
            Message("user", "a"),
        ),
        ([{"type": "ai", "data": {"content": "", "tool_calls": [{"name": "get", "args": {"k": 1}, "id": "1"}]}}], ASKS),
        (
            [{"type": "tool", "data": {"content": "x", "tool_call_id": "1", "status": "error"}}],
            Message("tool", "", (), (Answer("1", "x", None, True),)),
        ),
        (
            [
                {
                    "type": "ai",
                    "content": "",
                    "additional_kwargs": {
                        "tool_calls": [{"id": "1", "function": {"name": "get", "arguments": ARGUMENTS}}]
                    },
                }
            ],
            ASKS,
        ),
        # bare words
        ("a", Message("user", "a")),
    ],
)
def test_each_form_says_the_same(value: Any, expected: Message) -> None:
    assert messages(value) == (expected,)
    if not isinstance(value, str):
        assert messages(json.dumps(value)) == (expected,)


def test_words_beside_an_answer_are_a_message_of_their_own() -> None:
    both = [{"type": "tool_result", "tool_use_id": "1", "content": "x"}, {"type": "text", "text": "and now?"}]
    assert messages([{"role": "user", "content": both}]) == (TOLD, Message("user", "and now?"))


def test_nothing_is_no_message() -> None:
    assert messages(None) == messages("") == messages([]) == ()


def test_of_cut_messages_the_beginning_is_there_and_marked() -> None:
    whole = json.dumps(
        [{"role": "user", "parts": [{"type": "text", "content": "hello"}]}, {"role": "user", "parts": []}]
    )
    in_text = messages(whole[: whole.index("llo")])
    assert in_text == (Message("user", "he", cut=True),)
    behind = messages(whole[: whole.index(', {"role')])
    assert behind == (Message("user", "hello"), Message("assistant", cut=True))


def test_a_role_within_a_message_begins_no_new_one() -> None:
    told = [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "1", "name": "add", "arguments": [{"a": 1}, {"role": "admin"}]}],
        }
    ]
    assert messages(json.dumps(told))[0].calls[0].arguments == [{"a": 1}, {"role": "admin"}]


def test_a_message_that_histories_repeat_is_read_once_in_whatever_they_come() -> None:
    said: dict[str, Any] = {"role": "user", "content": "The fee of B-7, please."}
    asked = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "get", "arguments": '{"n": 1}'}}]}
    first = messages([said, asked])
    assert first[0] is messages([dict(said), {"role": "user", "content": "And C-1?"}])[0]
    assert messages(json.dumps([said, asked])) == first
    assert messages(json.dumps([said]))[0] is messages(json.dumps([said, asked]))[0]
    assert first[1].calls[0].arguments == {"n": 1}


def test_messages_that_only_look_alike_are_told_apart() -> None:
    for one, other in ((1, True), (1, 1.0), ("1", 1)):
        first, second = ({"role": "tool", "tool_call_id": "a", "content": {"n": value}} for value in (one, other))
        (read,), (again,) = messages([first])[0].answers, messages([second])[0].answers
        assert (type(read.content["n"]), type(again.content["n"])) == (type(one), type(other))


@pytest.mark.parametrize("kind", ["reasoning", "web_search_call", "item_reference"])
def test_what_the_model_did_by_itself_is_no_message_of_the_user(kind):
    found = messages([{"role": "user", "content": "a"}, {"type": kind, "id": "x_1", "content": None}])
    assert found == (Message("user", "a"), Message("assistant"))


def test_what_the_server_ran_itself_stands_before_the_words_that_came_of_it() -> None:
    call = {"type": "tool_call", "id": "s1", "name": "web_search", "arguments": {"query": "fees"}}
    result = {"type": "tool_call_response", "id": "s1", "response": [{"title": "Fees"}]}
    other = {"type": "tool_call", "id": "c1", "name": "get_fee", "arguments": {"order": "B-7"}}
    parts = [{"type": "text", "content": "Let me see."}, call, result, {"type": "text", "content": "3 EUR."}, other]
    assert messages([{"role": "assistant", "parts": parts}]) == (
        Message("assistant", "", (AskedCall("web_search", "s1", {"query": "fees"}),)),
        Message("tool", "", (), (Answer("s1", [{"title": "Fees"}]),)),
        Message("assistant", "Let me see.\n3 EUR.", (AskedCall("get_fee", "c1", {"order": "B-7"}),)),
    )


def test_a_hand_off_of_autogen_is_what_the_tool_answered_and_no_word_of_the_user() -> None:
    text = "Transferred to till, adopting the role of till immediately."
    assert messages([{"role": "user", "content": text, "name": "desk"}]) == (
        Message("tool", "", (), (Answer(None, text),)),
    )
    for other in ("Transferred to till, adopting the role of desk immediately.", f"{text} Why?"):
        assert messages([{"role": "user", "content": other}]) == (Message("user", other),)


def test_a_hand_off_to_a_name_without_end_is_looked_at_once() -> None:
    text = "Transferred to till" + ", adopting the role of " * 150_000
    with no_hang():
        assert messages([{"role": "user", "content": text}]) == (Message("user", text),)


def test_a_call_that_was_cut_within_its_name_is_none() -> None:
    calls = [{"id": name, "function": {"name": f"get_{name}", "arguments": "{}"}} for name in ("fee", "refund")]
    whole = json.dumps([{"role": "assistant", "tool_calls": calls}])
    (cut,) = messages(whole[: whole.index("et_refund")])
    assert [asked.name for asked in cut.calls] == ["get_fee"]
    assert cut.cut


def test_the_last_words_are_not_known_where_messages_are_cut_behind_them() -> None:
    told = [{"role": role, "content": text} for role, text in (("user", "a"), ("assistant", "b"), ("user", "c d"))]
    whole = json.dumps(told)
    assert last_text(messages(whole), "user") == "c d"
    assert last_text(messages(whole[: whole.index(" d")]), "user") == "c"
    assert last_text(messages(whole[: whole.index('"b"')]), "user") is None
    assert last_text(messages(whole[: whole.index('"user", "content": "c')]), "user") is None


def test_a_call_whose_arguments_are_no_json_is_a_call_of_the_message_where_langchain_keeps_it_apart() -> None:
    broken = {"type": "invalid_tool_call", "id": "2", "name": "get", "args": '{"k": ', "error": "no JSON"}
    said = {"type": "ai", "content": "", "tool_calls": [{"name": "get", "args": {"k": 1}, "id": "1"}]}
    (found,) = messages([{**said, "invalid_tool_calls": [broken]}])
    assert found.calls == (AskedCall("get", "1", {"k": 1}), AskedCall("get", "2", None, '{"k": '))
