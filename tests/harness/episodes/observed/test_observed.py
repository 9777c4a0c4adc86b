from __future__ import annotations

from harness.episodes.observed import Frame, observe
from harness.episodes.observed.calls import known_as
from harness.episodes.observed.words import because_of, facts_given
from harness.model.episode import AgentVersion, Ask, AskKind, Digests, EpisodeKey, Message
from harness.model.scenario import Scenario
from harness.users.acts import Acts
from tools_sandbox.call import Call
from tools_sandbox.schema import FieldType, SandboxSchema, ToolSpec
from traces.conversation import (
    Conversation,
    Document,
    Feedback,
    ModelCall,
    Retrieval,
    ToolCall,
    ToolError,
    TraceWarning,
    Turn,
)
from traces.genai import Usage

TEXT = FieldType("text")
SECOND = 10**9


def tool(name, kind, **marks):
    arguments = dict.fromkeys(marks.pop("args", ()), TEXT)
    return ToolSpec(name, "", kind, {}, arguments, **marks)


SCHEMA = SandboxSchema(
    tools={
        each.name: each
        for each in (
            tool("verify_identity", "reads", args=("email",), proves="customer_id"),
            tool("get_order", "reads", args=("order_id",)),
            tool("search_policy", "reads", args=("query",), retrieves=True),
            tool("cancel_order", "writes", args=("order_id",), needs=("identity", "consent")),
            tool("escalate", "writes", ends="escalated"),
        )
    }
)
ACTS = Acts.of(SCHEMA)
KEY = EpisodeKey("run", "agent@1", "talk", 1)
AGENT = AgentVersion("agent", "1", "")
FRAME = Frame(SCHEMA, ACTS, Digests("", "", "", "", "", ""))


def talk(*turns, **more):
    return Conversation("conv-1", "gen_ai.conversation.id", tuple(turns), **more)


def turn(user, assistant, *steps, started=SECOND, ended=3 * SECOND):
    """A turn of which the trace shows the steps, or a model call that asked for none."""
    return Turn(user, assistant, steps or (ModelCall("tiny-1", captured=True),), started=started, ended=ended)


def made(name, arguments=None, result=None, *, executed=True, missing=(), **more):
    return ToolCall(name, arguments=arguments, result=result, executed=executed, missing=frozenset(missing), **more)


def episode(*turns, frame=FRAME, **more):
    return observe(talk(*turns, **more), KEY, AGENT, frame)


def test_messages_turns_and_calls_are_in_the_record():
    found = episode(
        turn(
            "Where is O-1?", "It has shipped.", made("get_order", {"order_id": "O-1"}, {"status": "shipped"}, id="c1")
        ),
        turn("Thanks", "Bye.", started=5 * SECOND, ended=6 * SECOND),
    )
    assert [(one.role, one.text, one.turn) for one in found.messages] == [
        ("user", "Where is O-1?", 1),
        ("agent", "It has shipped.", 1),
        ("user", "Thanks", 2),
        ("agent", "Bye.", 2),
    ]
    assert [(one.number, one.seconds) for one in found.turns] == [(1, 2.0), (2, 1.0)]
    (call,) = found.calls
    assert (call.id, call.turn, call.tool, call.kind, call.origin) == ("c1", 1, "get_order", "reads", "span")
    assert call.ok
    assert call.result == {"status": "shipped"}
    assert found.end.kind == "observed"
    assert found.state_changes == []
    assert found.observed.lacks == {}


def test_an_error_keeps_its_words_and_what_nobody_saw_executed_is_no_success():
    failed = made("cancel_order", {"order_id": "O-1"}, error=ToolError("Locked", "O-1 is locked", "exception"))
    unseen = made("cancel_order", {"order_id": "O-2"}, executed=None, missing=("result", "error"))
    found = episode(turn("Cancel both", "I tried.", failed, unseen))
    assert (found.calls[0].error.kind, found.calls[0].error.text) == ("passthrough", "Locked: O-1 is locked")
    assert [call.ok for call in found.calls] == [False, False]
    assert [call.may_be_done for call in found.calls] == [False, True]


def test_marks_of_the_workflow_are_read_off_results():
    found = episode(
        turn(
            "I am ana@example.com",
            "Thanks.",
            made("verify_identity", {"email": "ana@example.com"}, {"customer_id": "C-7"}),
            made("search_policy", {"query": "returns"}, {"text": "30 days", "source": "policy.md", "clause": "R2"}),
            made("escalate", {}, {"ok": True}),
        )
    )
    verified, searched, _ = found.calls
    assert verified.proof.account == "C-7"
    assert [(one.source, one.text, one.clause) for one in searched.passages] == [("policy.md", "30 days", "R2")]
    assert found.outcome == "escalated"
    assert found.speaker == "C-7"


def test_who_speaks_is_not_told_by_a_proof_with_values_that_the_user_never_said():
    found = episode(turn("Hi", "Hello.", made("verify_identity", {"email": "x@example.com"}, {"customer_id": "C-8"})))
    assert found.speaker == "unknown"


def test_a_tool_is_known_in_spite_of_a_frameworks_prefix():
    assert known_as("Tools-get_order", SCHEMA.tools) == "get_order"
    assert known_as("shop__get_order", SCHEMA.tools) == "get_order"
    assert known_as("shop.reorder", SCHEMA.tools) == "shop.reorder"


def test_broken_arguments_are_kept_as_text_and_an_only_argument_gets_its_name():
    broken = made("get_order", None, {"ok": 1}, raw='{"order_id": "O-')
    bare = made("get_order", "O-2", {"ok": 1})
    first, second = episode(turn("O-2", "ok", broken, bare)).calls
    assert (first.arguments, first.raw) == (None, '{"order_id": "O-')
    assert second.arguments == {"order_id": "O-2"}


def test_usage_that_is_not_there_is_missing_with_the_reason():
    known = ModelCall("gpt", "gpt-2026", usage=Usage(10, 2), started=SECOND, ended=2 * SECOND)
    unknown = ModelCall("gpt", missing="streamed without usage")
    first, second = episode(turn("Hi", "Hello.", known, unknown)).model_calls
    assert (first.turn, first.model, first.usage, first.missing) == (1, "gpt-2026", Usage(10, 2), None)
    assert (second.usage, second.missing) == (None, "streamed without usage")


def test_feedback_counts_turns_from_one():
    found = episode(
        turn("Hi", "Hello."),
        feedback=(Feedback("thumb", 1.0, "up", None, 0), Feedback("csat", 4.0)),
        warnings=(TraceWarning("odd"),),
    )
    assert [(one.name, one.value, one.label, one.turn) for one in found.observed.feedback] == [
        ("thumb", 1.0, "up", 1),
        ("csat", 4.0, None, None),
    ]
    assert found.notes == ["odd"]


def test_retrieved_documents_count_by_their_text_unless_a_tool_handed_them_on():
    with_text = Retrieval("fees", (Document("d1", "10 percent"),), 1, 2)
    without = Retrieval("fees", (Document("d2"),), 1, 2)
    found = episode(turn("Fee?", "10 percent", with_text, without))
    assert [(number, one.text) for number, one in found.observed.retrieved] == [(1, "10 percent")]
    assert "1 retrieved documents" in found.observed.lacks["passages"]
    tool_call = made("search_policy", {"query": "fees"}, "10 percent", started=1, ended=5)
    assert "passages" not in episode(turn("Fee?", "10 percent", tool_call, without)).observed.lacks


def test_what_the_telemetry_lacks_is_said_with_the_switch():
    warning = "nothing of it is there: set CAPTURE=true"
    found = episode(
        turn(None, None, made("get_order", missing=("arguments", "result"))),
        turn("Hi", "Hello."),
        warnings=(TraceWarning(warning, "content"),),
    )
    lacks = found.observed.lacks
    assert lacks["user"] == f"what the user said in turn 1 is not in the trace; {warning}"
    assert lacks["arguments"] == f"the arguments of 1 of 1 tool calls are not in the trace; {warning}"
    assert set(lacks) == {"user", "replies", "arguments", "results"}


def test_a_warning_counts_by_its_kind_and_not_by_its_words():
    cut = TraceWarning("only beginnings are known", "cut")
    assert episode(turn("Hi", "Hello."), warnings=(cut,)).observed.lacks == {"user": str(cut), "replies": str(cut)}
    told = TraceWarning("the tool `cut` was asked for; messages were cut, texts were not captured", "calls", 0)
    assert episode(turn("Hi", "Hello."), warnings=(told,)).observed.lacks == {}


def test_that_no_tool_was_called_is_known_only_of_a_turn_whose_model_calls_or_tools_are_shown():
    mute = ModelCall("tiny-1")
    spoken = ModelCall("tiny-1", captured=True)
    refused = ModelCall("tiny-1", error="RateLimitError")
    handled = Turn("Refund O-1", "I have refunded O-1.")  # by an agent's span alone

    def lack(*turns):
        return episode(*turns).observed.lacks.get("calls")

    told = (
        "whether a tool was called in turn {} can't be told: neither the span of a tool nor the whole output of each "
    )
    assert lack(handled) == told.format(1) + "model call is in the trace"
    assert lack(turn("Hi", "Hello."), handled) == told.format(2) + "model call is in the trace"
    assert lack(turn("Hi", "Hello.", spoken, mute)).startswith("whether a tool was called in turn 1 ")
    assert lack(turn("Hi", "Hello.", refused, spoken)) is None
    assert lack(turn("Where is O-1?", "Shipped.", mute, made("get_order", {"order_id": "O-1"}, {}))) is None


def test_tools_that_the_workflow_does_not_know_are_a_lack():
    found = episode(turn("Hi", "Done.", made("wire_money", {}, {"ok": True}), made("wire_money", {}, {"ok": True})))
    assert found.observed.lacks == {"marks": 'the workflow does not know "wire_money": mark them under `tools:`'}


def test_a_turn_without_times_has_none():
    assert "times" in episode(turn("Hi", "Hello.", started=0, ended=0)).observed.lacks


def test_lines_of_a_scenario_are_found_in_what_was_said():
    scenario = Scenario.model_validate(
        {
            "id": "cancel",
            "family": "orders",
            "speaker": "C-7",
            "user": {"knows": {"order_id": "O-1"}, "turns": ["Please cancel {order_id}", "And send a receipt"]},
            "expect": {},
        }
    )
    frame = Frame(SCHEMA, ACTS, FRAME.digests, (), scenario)
    found = episode(
        turn("please cancel O-1!", "Shall I?"), turn("yes", "Done."), turn("and send a receipt", "Sent."), frame=frame
    )
    assert [one.scripted for one in found.turns] == [0, 0, 1]
    assert found.observed.expected
    assert found.speaker == "C-7"


def call(turn, **arguments):
    return Call("1", turn, "get_order", None, arguments, "reads", "span")


def test_a_fact_is_given_where_a_call_has_a_value_that_was_said_by_then():
    texts = ["my order is O-1", "O-2 please"]
    assert facts_given(texts, [call(1, order_id="O-1", days=1, note="nothing said")]) == {"order_id": "O-1"}
    assert facts_given(texts, [call(1, order_id="O-2")]) == {}  # said only later
    assert facts_given(texts, [call(1, order_id="O-1"), call(2, order_id="O-2")]) == {}  # one name, two values


def reply(text, *asks):
    return Message("agent", text, 1, asks=asks)


PROPOSAL = reply("Shall I cancel order O-1?", Ask(AskKind.PROPOSAL, "Shall I cancel order O-1?"))


def test_a_yes_to_a_proposal_is_consent_to_the_tool_that_it_names():
    for yes in ("Yes please", "ok, go ahead", "Sí, adelante", "好的"):
        assert because_of(yes, (PROPOSAL,), ACTS).consent == ("cancel_order",)


def test_a_no_and_a_message_that_nothing_was_proposed_before_are_none_for_certain():
    assert because_of("No, keep it", (PROPOSAL,), ACTS).consent == ()
    assert because_of("Cancel O-1", (), ACTS).consent == ()
    assert because_of("Cancel O-1", (reply("It has shipped."),), ACTS).consent == ()


def test_what_the_words_leave_open_is_not_recorded():
    assert because_of("I guess that would work", (PROPOSAL,), ACTS) is None
    assert because_of("yes but not O-1", (PROPOSAL,), ACTS) is None
    assert because_of("yes", None, ACTS) is None  # the reply before was not captured
    assert because_of("yes", (reply("Is there anything else?", Ask(AskKind.OTHER, "anything else")),), ACTS) is None
