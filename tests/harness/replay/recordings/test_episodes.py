from __future__ import annotations

from dataclasses import replace

from harness.model.episode import End, EpisodeKey, Feedback, Observed, Pause
from harness.replay.recordings.episodes import of_episode
from tests.harness.scoring import build

TALK = ("My blender is broken.", build.said("Your e-mail?"), "ana@example.com", build.verify(), build.refund(),
        build.said("Refunded."))  # fmt: skip


def test_messages_and_calls_stand_in_the_order_of_the_conversation():
    recording = of_episode(build.episode(*TALK))
    told = [(each.role, each.text, each.turn, [call.tool for call in each.calls]) for each in recording.messages]
    assert told == [
        ("user", "My blender is broken.", 1, []),
        ("agent", "Your e-mail?", 1, []),
        ("user", "ana@example.com", 2, []),
        ("agent", None, 2, ["verify_identity"]),
        ("agent", None, 2, ["issue_refund"]),
        ("agent", "Refunded.", 2, []),
    ]
    assert recording.turns == 2


def test_calls_that_ran_at_the_same_time_are_of_one_message():
    episode = build.episode("Hello", build.verify(), build.refund(), build.refund("O-2002"), build.said("Done."))
    first, second, third = episode.calls
    episode.calls = [first, replace(second, started=first.started, ended=third.started), third]
    assert [len(each.calls) for each in of_episode(episode).messages] == [0, 2, 1, 0]


def test_state_clock_seed_and_changes_are_those_of_the_episode():
    material = replace(build.material(), given={"orders": {"O-1001": {"status": "delivered"}}})
    episode = build.episode(*TALK)
    recording = of_episode(episode, material)
    assert recording.snapshot == material.given
    assert (recording.clock, recording.seed, recording.speaker) == (episode.clock, 7, "C-7")
    assert recording.changes == episode.state_changes
    assert recording.outcome == "resolved"
    assert recording.agent == episode.agent
    assert recording.workflow == material.workflow.workflow
    assert recording.labels["scenario"] == "scenario"


def test_without_its_material_the_start_state_is_not_known():
    assert of_episode(build.episode(*TALK)).snapshot is None


def test_an_error_keeps_its_text_and_kind():
    refused = build.call("issue_refund", {"order_id": "O-1"}, error="no such order")
    call = next(of_episode(build.episode("Refund!", refused, build.said("No."))).calls())
    assert (call.error, call.error_type, call.answered, call.result) == ("no such order", "refused", True, None)


def test_broken_arguments_stay_as_they_were_written():
    broken = build.call("get_order", None, raw='{"order_id": ', error="no JSON", kind="bad_arguments")
    call = next(of_episode(build.episode("Where is it?", broken, build.said("Sorry."))).calls())
    assert (call.raw, call.arguments, call.flaw) == ('{"order_id": ', None, "no JSON")


def test_a_call_that_nothing_shows_to_have_run_has_no_result():
    unseen = build.call("get_order", {"order_id": "O-1"}, error="nothing shows it", kind="outside")
    call = next(of_episode(build.episode("Where is it?", unseen, build.said("Sorry."))).calls())
    assert (call.answered, call.error) == (False, None)


def test_an_observed_episode_has_feedback_and_no_state():
    observed = Observed(
        "talk-1", instructions="Be kind.", feedback=(Feedback("thumb", 0.0, "down"),), lacks={"times": "x"}
    )
    recording = of_episode(build.episode(*TALK, end=End("observed"), observed=observed), build.material())
    assert (recording.snapshot, recording.changes, recording.seed) == (None, None, None)
    assert recording.feedback == [Feedback("thumb", 0.0, "down")]
    assert (recording.messages[0].role, recording.messages[0].text) == ("system", "Be kind.")
    assert recording.flaws == ["it lacks times: x"]


def test_what_no_message_shows_is_told():
    episode = build.episode(*TALK, end=End("agent_error", text="boom"))
    episode.pauses = [Pause(2, {"approve": "refund"}, "yes", answered=True)]
    assert of_episode(episode).flaws == [
        'turn 2: the agent paused for a person ({"approve": "refund"}), which no message shows',
        "it broke off: agent error: boom",
    ]


def test_the_id_is_the_same_each_time_and_another_for_another_trial():
    episode, again = build.episode(*TALK), build.episode(*TALK)
    other = build.episode(*TALK, key=EpisodeKey("run", "agent@1", "scenario", 2))
    assert of_episode(episode).id == of_episode(again).id != of_episode(other).id
