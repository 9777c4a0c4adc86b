"""What holds of any conversation: played by the same agent it is the same, reads may change places, writes may not."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.cli.replaying import setting_of
from harness.model.replay import Level, Verdict
from tests.harness.replay.shop import Turn, agent_playing, bundle_of, recording_of, replayed

READS = st.sampled_from(
    [("get_order", {"order_id": "O-1"}), ("get_order", {"order_id": "O-2"}), ("list_orders", {"page": 1})]
)
WRITES = st.one_of(
    st.builds(lambda text: ("set_note", {"order_id": "O-1", "note": text}), st.sampled_from(["a", "b", "c"])),
    st.sampled_from([("cancel_order", {"order_id": "O-1"}), ("cancel_order", {"order_id": "O-2"})]),
)
USER = st.sampled_from(
    ["Where is O-1?", "Yes, please.", "No.", "It is O-2.", "And then?", "You said it is paid.", "Thanks!", "是"]
)
REPLY = st.sampled_from(
    ["It is paid.", "Shall I cancel it?", "What is your order number?", "I can't do that.", "Done. Anything else?"]
)
TURNS = st.builds(Turn, USER, st.lists(st.one_of(READS, WRITES), max_size=4).map(tuple), REPLY)
TALKS = st.lists(TURNS, min_size=1, max_size=5)
LEVELS = st.sampled_from([Level.TURNS, Level.FORWARD, Level.CONTINUE])
usual = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    blocks = ("", 'replay: {tools: {"*": recorded}}', "replay: {tools: {get_order: recorded}}")
    return [bundle_of(tmp_path_factory.mktemp("shop"), block) for block in blocks]


@usual
@given(turns=TALKS, level=LEVELS, which=st.integers(0, 2))
def test_a_recording_replayed_through_the_agent_that_made_it_never_diverges(bundles, turns, level, which):
    bundle = bundles[which]
    result = replayed(recording_of(turns, setting_of(bundle)), bundle, agent_playing(turns), level)
    assert result.finding.verdict is Verdict.SAME, result.finding
    assert result.compared == result.recorded_turns == len(turns)
    assert result.misses == result.unused == result.finding.divergences == ()


@usual
@given(turns=TALKS, data=st.data(), level=LEVELS)
def test_reads_between_two_writes_in_another_order_are_never_worse(bundles, turns, data, level):
    bundle = bundles[0]
    moved = [Turn(turn.user, shuffled(turn.calls, data), turn.reply) for turn in turns]
    result = replayed(recording_of(turns, setting_of(bundle)), bundle, agent_playing(moved), level)
    assert result.finding.verdict in (Verdict.SAME, Verdict.BENIGN), result.finding


@usual
@given(turns=TALKS, data=st.data(), level=st.sampled_from([Level.TURNS, Level.FORWARD]), which=st.integers(0, 2))
def test_a_changed_argument_of_a_write_always_shows(bundles, turns, data, level, which):
    bundle = bundles[which]
    written = [(at, place) for at, turn in enumerate(turns) for place, call in enumerate(turn.calls) if writes(call)]
    turns, written = (turns, written) if written else ([NOTED], [(0, 0)])
    at, place = data.draw(st.sampled_from(written))
    calls = list(turns[at].calls)
    tool, arguments = calls[place]
    calls[place] = (tool, {**arguments, list(arguments)[-1]: "another"})
    changed = [*turns[:at], Turn(turns[at].user, tuple(calls), turns[at].reply), *turns[at + 1 :]]
    result = replayed(recording_of(turns, setting_of(bundle)), bundle, agent_playing(changed), level)
    assert result.finding.verdict is not Verdict.SAME
    assert any(each.write and each.turn == at + 1 for each in result.finding.divergences), result.finding


NOTED = Turn("Note it.", (("set_note", {"order_id": "O-1", "note": "a"}),), "Done.")


def writes(call):
    return call[0] in ("set_note", "cancel_order")


def shuffled(calls, data):
    """The calls with the reads between two writes in any order."""
    moved, run = [], []
    for call in (*calls, None):
        if call is not None and not writes(call):
            run.append(call)
            continue
        moved += data.draw(st.permutations(run))
        run = []
        moved += [call] if call is not None else []
    return tuple(moved)
