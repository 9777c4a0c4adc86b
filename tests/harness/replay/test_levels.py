"""Recordings replayed at every level, on a sandbox and on what was recorded."""

import pytest

from harness.cli.replaying import setting_of
from harness.model.episode import AgentVersion
from harness.model.recording import RecordedCall, RecordedMessage, Recording, RecordingSource
from harness.model.replay import DivergenceKind, Level, Verdict
from harness.replay.summary import Tally
from tests.harness.replay.shop import WORKFLOW, Turn, agent_playing, bundle_of, recording_of, replayed

LOOK = ("get_order", {"order_id": "O-1"})
LIST = ("list_orders", {"page": 1})
NOTE = ("set_note", {"order_id": "O-1", "note": "ring twice"})
TALK = (
    Turn("Where is O-1?", (LOOK,), "It is paid."),
    Turn("Please note: ring twice.", (LOOK, LIST, NOTE), "I have noted it."),
    Turn("Thanks, bye.", (), "Goodbye."),
)
PLAYED = (Level.TURNS, Level.FORWARD, Level.CONTINUE)


@pytest.fixture
def bundle(tmp_path):
    return bundle_of(tmp_path)


def with_turn(number, **changes):
    turns = list(TALK)
    turns[number - 1] = Turn(**{**vars(turns[number - 1]), **changes})
    return turns


def recording(bundle, turns=TALK, **more):
    return recording_of(turns, setting_of(bundle), **more)


@pytest.mark.parametrize("level", PLAYED)
def test_the_same_agent_does_the_same(bundle, level):
    result = replayed(recording(bundle), bundle, agent_playing(TALK), level)
    assert (result.finding.verdict, result.compared, result.recorded_turns) == (Verdict.SAME, 3, 3)
    assert result.start == "snapshot"
    assert result.misses == result.unused == result.notes == ()


@pytest.mark.parametrize("level", PLAYED)
def test_a_changed_argument_of_a_write_is_told_and_is_worse_where_nothing_judges_it(bundle, level):
    changed = with_turn(2, calls=(LOOK, LIST, ("set_note", {"order_id": "O-1", "note": "knock"})))
    result = replayed(recording(bundle), bundle, agent_playing(changed), level)
    assert result.finding.verdict is Verdict.WORSE
    first = result.finding.first
    assert (first.kind, first.turn, first.write) == (DivergenceKind.CHANGED_ARGUMENT, 2, True)
    assert [(each.path, each.recorded, each.new) for each in first.differences] == [("note", "ring twice", "knock")]


def test_what_makes_recordings_worse_is_counted_over_all_of_them(bundle):
    forgetful = with_turn(2, calls=(LOOK, LIST))
    sly = [Turn("Where is O-1?", (LOOK,), "It is paid, guaranteed."), *forgetful[1:]]
    tally = Tally("shop", Level.TURNS, AgentVersion("new", "1", ""))
    for program in (TALK, forgetful, sly):
        tally.add(replayed(recording(bundle), bundle, agent_playing(program)))
    assert tally.summary().worse_by["missing write set_note"] == 2
    assert tally.summary().worse_by["rule.no-guarantee"] == 1


def test_reads_in_another_order_are_benign(bundle):
    result = replayed(recording(bundle), bundle, agent_playing(with_turn(2, calls=(LIST, LOOK, NOTE))))
    assert result.finding.verdict is Verdict.BENIGN
    assert [each.kind for each in result.finding.divergences] == [DivergenceKind.REORDERED_READS]


def test_a_rule_that_is_broken_now_is_worse(bundle):
    result = replayed(recording(bundle), bundle, agent_playing(with_turn(1, reply="It is paid, guaranteed.")))
    assert result.finding.verdict is Verdict.WORSE
    assert any("no-guarantee" in text for text in result.finding.evidence)
    assert [turn.finding.verdict for turn in result.turns] == [Verdict.WORSE, Verdict.SAME, Verdict.SAME]


def test_a_rule_that_was_broken_then_is_better(bundle):
    broken = recording(bundle, with_turn(1, reply="It is paid, guaranteed."))
    assert replayed(broken, bundle, agent_playing(TALK)).finding.verdict is Verdict.BETTER


def test_at_a_prefix_the_state_is_that_of_the_recorded_writes(bundle):
    """Whatever the agent did not do in its own earlier answers: it sees the note that the recorded agent wrote."""
    seen = []

    async def agent(message, session):
        seen.append((message, session.call_tool("get_order", {"order_id": "O-1"}).result["note"]))
        return "Very well."

    replayed(recording(bundle), bundle, agent)
    assert dict(seen) == {"Where is O-1?": "", "Please note: ring twice.": "", "Thanks, bye.": "ring twice"}


def test_an_agent_that_fails_is_worse(bundle):
    async def agent(message, session):
        raise RuntimeError("out of order")

    for level in PLAYED:
        result = replayed(recording(bundle), bundle, agent, level)
        assert result.finding.verdict is Verdict.WORSE
        assert any("out of order" in text for text in result.finding.evidence)


def test_forward_stops_where_the_user_no_longer_fits(bundle):
    asking = with_turn(1, reply="What is your e-mail address?")
    result = replayed(recording(bundle), bundle, agent_playing(asking), Level.FORWARD)
    assert [turn.compared for turn in result.turns] == [True, False, False]
    assert (result.turns[1].fit.reason, result.turns[1].fit.quote) == ("left_open", "What is your e-mail address?")
    assert result.turns[2].why_not == "turn 2 did not fit"
    assert result.finding.verdict is Verdict.BENIGN


def test_continued_it_is_marked_as_simulated(bundle):
    talk = (
        Turn("Cancel O-1, my e-mail address is ana@example.com.", (), "What is your order number?"),
        Turn("It is O-1.", (("cancel_order", {"order_id": "O-1"}),), "It is cancelled."),
    )

    async def agent(message, session):
        if "ana@example.com" in message and session.history:
            session.call_tool("cancel_order", {"order_id": "O-1"})
            return "It is cancelled."
        return "What is your e-mail address?"

    result = replayed(recording(bundle, talk, speaker="C-1"), bundle, agent, Level.CONTINUE)
    assert [turn.simulated for turn in result.turns][:2] == [False, False]
    assert all(turn.simulated and turn.recorded is None for turn in result.turns[2:])
    assert result.recorded_turns == 2


def test_two_versions_are_compared_with_each_other(bundle):
    """Both leave out the note, which is worse than recorded; the new one is no worse than the old one."""
    lazy = with_turn(2, calls=(LOOK, LIST))
    for level in (Level.TURNS, Level.FORWARD):
        result, other = replayed(recording(bundle), bundle, agent_playing(lazy), level, against=agent_playing(lazy))
        assert (result.finding.verdict, other.finding.verdict) == (Verdict.WORSE, Verdict.WORSE)
        assert (result.paired.verdict, result.paired_turns) == (Verdict.SAME, 3)


def test_without_a_snapshot_it_begins_from_the_start_state_and_says_so(bundle):
    result = replayed(recording(bundle, snapshot=None), bundle, agent_playing(TALK))
    assert (result.start, result.finding.verdict) == ("workflow", Verdict.SAME)
    assert any("no snapshot" in note for note in result.notes)


def test_a_snapshot_that_does_not_fit_leaves_nothing_to_compare(bundle):
    wrong = recording(bundle, snapshot={"parcels": {"P-1": {"status": "lost"}}})
    for level in PLAYED:
        result = replayed(wrong, bundle, agent_playing(TALK), level)
        assert (result.finding.verdict, result.compared) == (Verdict.NOT_COMPARABLE, 0)
        assert "parcels" in result.turns[0].why_not


def test_rows_of_the_snapshot_replace_those_of_the_start_state(bundle):
    row = {"status": "lost"}
    seen = []

    async def agent(message, session):
        seen.append(session.call_tool("get_order", {"order_id": "O-1"}).result)
        return "Very well."

    talk = [RecordedMessage("user", "Where is it?", 1), RecordedMessage("agent", "Let me see.", 1)]
    source = RecordingSource("messages", "test", "1")
    replayed(Recording("rec-1", source, talk, snapshot={"orders": {"O-1": row, "O-2": None}}), bundle, agent)
    assert seen == [row]


def test_where_the_sandbox_answers_otherwise_the_turn_is_not_compared(bundle):
    """Else what the agent makes of other data would count as its doing."""
    told = recording(bundle)
    message = told.messages[1]
    call = RecordedCall("c-1", *("get_order", None, {"order_id": "O-1"}), answered=True, result={"status": "lost"})
    told.messages[1] = RecordedMessage("agent", None, message.turn, (call,))
    result = replayed(told, bundle, agent_playing(TALK))
    assert [turn.compared for turn in result.turns] == [False, True, True]
    assert "otherwise" in result.turns[0].why_not
    assert replayed(told, bundle, agent_playing(TALK), Level.FORWARD).compared == 0


def test_a_turn_that_nobody_answered_is_not_compared(bundle):
    told = recording(bundle)
    del told.messages[-1]
    result = replayed(told, bundle, agent_playing(TALK))
    assert [turn.compared for turn in result.turns] == [True, True, False]
    assert (result.compared, result.recorded_turns) == (2, 2)  # there is nothing that could have been compared


PIECES = (
    Turn("Hello.", (), "Hello, what is it?"),
    Turn("Please note on O-1:", (), "Go on."),
    Turn("ring twice.", (LOOK, NOTE), "I have noted it."),
    Turn("Thanks, bye.", (), "Goodbye."),
)
"""A user who sends one request in two messages."""


def in_pieces(bundle):
    """On record the agent waited for the second message."""
    told = recording(bundle, PIECES)
    told.messages[:] = [each for each in told.messages if (each.role, each.turn) != ("agent", 2)]
    return told


@pytest.mark.parametrize("level", PLAYED)
def test_a_user_who_takes_two_messages_to_say_one_thing_is_followed_to_the_end(bundle, level):
    result, _ = replayed(in_pieces(bundle), bundle, agent_playing(PIECES), level, against=agent_playing(PIECES))
    assert [turn.compared for turn in result.turns] == [True, False, True, True]
    assert result.turns[1].why_not == "what the agent answered is not on record"
    assert (result.finding.verdict, result.recorded_turns, result.paired_turns) == (Verdict.SAME, 3, 3)
    early = list(PIECES)
    early[1:3] = [Turn(PIECES[1].user, (LOOK,), "Go on."), Turn(PIECES[2].user, (NOTE,), "I have noted it.")]
    verdict = replayed(in_pieces(bundle), bundle, agent_playing(early), level).finding.verdict
    assert verdict in (Verdict.SAME, Verdict.BENIGN)
    early[2] = Turn(PIECES[2].user, (("set_note", {"order_id": "O-1", "note": "knock"}),), "I have noted it.")
    assert replayed(in_pieces(bundle), bundle, agent_playing(early), level).finding.verdict is Verdict.WORSE


def test_what_is_done_at_a_first_message_already_is_no_failure(bundle):
    """The second no longer fits then, so nothing stands beside what was done."""
    early = [*PIECES[:1], Turn(PIECES[1].user, (LOOK, NOTE), "I have noted it."), *PIECES[2:]]
    result = replayed(in_pieces(bundle), bundle, agent_playing(early), Level.FORWARD)
    assert result.turns[2].fit.reason == "already_done"
    assert (result.finding.verdict, result.compared) == (Verdict.SAME, 1)


def test_a_turn_behind_one_that_can_not_be_compared_says_so(bundle):
    other = RecordedCall("c-1", "get_order", None, LOOK[1], answered=True, result={"status": "lost"})
    told = with_call(bundle, other, 1)
    result = replayed(told, bundle, agent_playing(TALK), Level.FORWARD)
    assert "otherwise" in result.turns[0].why_not
    assert result.turns[1].why_not == "it comes after turn 1, which can't be held against the record"


def test_clock_and_seed_are_those_of_the_record(bundle):
    seen = []

    async def agent(message, session):
        seen.append((session.clock.isoformat(), session.seed))
        return "Very well."

    replayed(recording(bundle, clock="2025-01-02T03:04:05+00:00", seed=77), bundle, agent)
    assert set(seen) == {("2025-01-02T03:04:05+00:00", 77)}


# Tools answered from the record

RECORDED = 'replay: {tools: {"*": recorded}, miss: %s}'


def all_recorded(tmp_path, miss="stop", more=""):
    return bundle_of(tmp_path, RECORDED % miss + more)


@pytest.mark.parametrize("level", PLAYED)
def test_on_the_record_alone_the_same_agent_does_the_same(tmp_path, level):
    bundle = all_recorded(tmp_path)
    result = replayed(recording(bundle), bundle, agent_playing(TALK), level)
    assert (result.finding.verdict, result.compared) == (Verdict.SAME, 3)
    assert result.misses == result.unused == ()


def test_a_miss_stops_the_turn_and_a_write_that_differs_still_shows(tmp_path):
    bundle = all_recorded(tmp_path)
    changed = with_turn(2, calls=(LOOK, LIST, ("set_note", {"order_id": "O-1", "note": "knock"})))
    result = replayed(recording(bundle), bundle, agent_playing(changed))
    assert [(miss.turn, miss.tool, miss.answer) for miss in result.misses] == [(2, "set_note", "stop")]
    assert [turn.compared for turn in result.turns] == [True, False, True]
    assert result.finding.verdict is Verdict.WORSE
    assert any(each.write and each.kind is DivergenceKind.CHANGED_ARGUMENT for each in result.finding.divergences)


@pytest.mark.parametrize("level", PLAYED)
@pytest.mark.parametrize("turn", [1, 2])
def test_a_write_that_a_miss_stopped_is_held_against_the_other_version_too(tmp_path, level, turn):
    """The turn is not compared, and must not be passed over for it."""
    bundle = all_recorded(tmp_path)
    knock = with_turn(turn, calls=(LOOK, LIST, ("set_note", {"order_id": "O-1", "note": "knock"})))
    told, today = recording(bundle), agent_playing(TALK)
    result, _ = replayed(told, bundle, agent_playing(knock), level, against=today)
    assert result.paired.verdict is Verdict.WORSE
    assert any("knock" in text or "in addition" in text for text in result.paired.evidence)
    assert result.paired_turns < 3
    result, _ = replayed(told, bundle, agent_playing(knock), level, against=agent_playing(knock))
    assert result.paired.verdict is not Verdict.WORSE  # both do it


def test_a_read_that_is_not_on_record_leaves_the_turn_uncompared(tmp_path):
    bundle = all_recorded(tmp_path)
    curious = with_turn(1, calls=(("get_order", {"order_id": "O-2"}),))
    for level in (Level.TURNS, Level.FORWARD):
        result = replayed(recording(bundle), bundle, agent_playing(curious), level)
        assert [miss.tool for miss in result.misses] == ["get_order"]
        assert not result.turns[0].compared
        assert result.finding.verdict is not Verdict.WORSE


def test_a_miss_may_be_an_error(tmp_path):
    bundle = all_recorded(tmp_path, "error")
    seen = []

    async def agent(message, session):
        seen.append(session.call_tool("get_order", {"order_id": "O-2"}).error)
        return "It is paid."

    result = replayed(recording(bundle), bundle, agent)
    assert {error.kind for error in seen} == {"sandbox"}
    assert {miss.answer for miss in result.misses} == {"error"}


def test_a_miss_may_be_answered_by_the_sandbox(tmp_path):
    bundle = all_recorded(tmp_path, "sandbox")
    seen = []

    async def agent(message, session):
        seen.append(session.call_tool("get_order", {"order_id": "O-2"}).result["status"])
        return "It is paid."

    result = replayed(recording(bundle), bundle, agent)
    assert set(seen) == {"shipped"}
    assert {miss.answer for miss in result.misses} == {"sandbox"}


def test_recorded_results_that_nobody_asked_for_are_listed(tmp_path):
    bundle = all_recorded(tmp_path)
    result = replayed(recording(bundle), bundle, agent_playing(with_turn(2, calls=(LOOK, NOTE))))
    assert [(left.turn, left.tool) for left in result.unused] == [(2, "list_orders")]


def test_a_recorded_error_comes_back_as_itself(tmp_path):
    bundle = all_recorded(tmp_path)
    told = recording(bundle, (Turn("Cancel O-2.", (("cancel_order", {"order_id": "O-2"}),), "I can't."),))
    seen = []

    async def agent(message, session):
        seen.append(session.call_tool("cancel_order", {"order_id": "O-2"}).error.text)
        return "I can't."

    assert replayed(told, bundle, agent).finding.verdict is Verdict.SAME
    assert seen == ["it is shipped"]


def test_a_tool_that_no_sandbox_has_is_answered_from_the_record_and_never_run(tmp_path):
    workflow = WORKFLOW.replace("rules:", "passthrough: [track]\nrules:")
    bundle = bundle_of(tmp_path, workflow=workflow)
    calls = (RecordedCall("c-1", "track", None, {"id": 1}, answered=True, result={"at": "Ghent"}),)
    talk = [
        RecordedMessage("user", "Where is it?", 1),
        RecordedMessage("agent", None, 1, calls),
        RecordedMessage("agent", "In Ghent.", 1),
    ]
    told = Recording("rec-1", RecordingSource("messages", "test", "1"), talk, snapshot={})

    async def agent(message, session):
        assert not session.passthrough
        return f"In {session.call_tool('track', {'id': 1.0}).result['at']}."

    assert replayed(told, bundle, agent).finding.verdict is Verdict.SAME


def test_a_tool_that_does_not_exist_is_refused_and_stops_nothing(tmp_path):
    bundle = all_recorded(tmp_path)

    async def agent(message, session):
        assert session.call_tool("invent", {}).error.kind == "unknown_tool"
        return "Very well."

    result = replayed(recording(bundle), bundle, agent)
    assert result.misses == ()


# What could not be seen, or did not go as it would in the sandbox


def with_call(bundle, call, turn=2):
    """The recording with something else on record of the last call of a turn."""
    told = recording(bundle)
    at = max(at for at, message in enumerate(told.messages) if message.turn == turn and message.calls)
    told.messages[at] = RecordedMessage("agent", None, turn, (call,))
    return told


def noted(**more):
    return RecordedCall("c-9", "set_note", None, NOTE[1], **{"answered": True, **more})


@pytest.mark.parametrize("level", [Level.TURNS, Level.FORWARD])
def test_a_failure_that_the_sandbox_does_not_repeat_is_not_held_against_the_agent(bundle, level):
    """The tool was down then: the same agent sees it succeed, and does nothing worse."""
    told = with_call(bundle, noted(error="timeout"))
    result = replayed(told, bundle, agent_playing(TALK), level)
    assert not result.turns[1].compared
    assert "set_note failed then (timeout)" in result.turns[1].why_not
    assert result.finding.verdict is Verdict.SAME
    assert any("carries out" in note for note in result.notes)


def test_a_failure_that_the_sandbox_repeats_is_compared(bundle):
    talk = (Turn("Cancel O-2.", (("cancel_order", {"order_id": "O-2"}),), "I can't."),)
    result = replayed(recording(bundle, talk), bundle, agent_playing(talk))
    assert (result.finding.verdict, result.compared, result.notes) == (Verdict.SAME, 1, ())


@pytest.mark.parametrize("level", PLAYED)
def test_a_write_without_a_result_on_record_is_no_other_one_when_it_succeeds(bundle, level):
    told = with_call(bundle, noted(answered=False))
    result = replayed(told, bundle, agent_playing(TALK), level)
    assert (result.finding.verdict, result.compared) == (Verdict.SAME, 3)
    assert result.notes == ("turn 2: what came of set_note is not on record; it is taken to be done",)
    left_out = replayed(told, bundle, agent_playing(with_turn(2, calls=(LOOK, LIST))), level)
    assert left_out.finding.verdict is Verdict.WORSE


def test_the_same_broken_arguments_are_the_same_however_they_were_refused(bundle):
    raw = '{"order_id": "O-1",}'
    broken = RecordedCall("c-9", "set_note", raw, None, answered=True, error="no JSON", flaw="a comma too many")
    told = with_call(bundle, broken)
    assert replayed(told, bundle, agent_sending(raw)).finding.verdict is Verdict.SAME
    assert replayed(told, bundle, agent_sending('{"order_id": "O-2",}')).finding.verdict is not Verdict.SAME


def agent_sending(raw):
    """The agent of the talk, which sends this as the arguments of its note."""
    known = agent_playing(with_turn(2, calls=(LOOK, LIST)))

    async def agent(message, session):
        reply = await known(message, session)
        if "ring twice" in message:
            session.call_tool("set_note", raw)
        return reply

    return agent


def test_what_a_success_stood_for_holds_where_the_sandbox_refuses_it(tmp_path):
    """Else the record breaks a rule that it kept, and an agent that does nothing at all is better."""
    identify = "identify: {kind: reads, args: {order_id: text}, proves: order_id, return: {from: 'orders.{order_id}'}}"
    workflow = WORKFLOW.replace("  get_order:", f"  {identify}\n  get_order:", 1).replace(
        "rules:", "rules:\n  - {id: identified, before: writes, need: identify, code: SA2}"
    )
    bundle = bundle_of(tmp_path, workflow=workflow)
    talk = [
        RecordedMessage("user", "I am O-9. Note on O-1: ring twice.", 1),
        RecordedMessage(
            "agent", None, 1,
            (RecordedCall("c-1", "identify", None, {"order_id": "O-9"}, answered=True, result={"status": "paid"}),),
        ),
        RecordedMessage("agent", "Shall I note it?", 1),
        RecordedMessage("user", "Yes.", 2),
        RecordedMessage("agent", None, 2, (noted(result={"ok": True}),)),
        RecordedMessage("agent", "Done.", 2),
    ]  # fmt: skip
    told = Recording("rec-1", RecordingSource("messages", "test", "1"), talk, snapshot={}, speaker="O-9")

    async def idle(message, session):
        return "Done."

    assert replayed(told, bundle, idle).finding.verdict is Verdict.WORSE
