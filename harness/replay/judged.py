"""What both sides did in some turns of a conversation, what is judged of it, and so what their differences mean."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from harness.episodes.outcome import outcome
from harness.model.episode import AgentVersion, End, Episode, EpisodeKey, Observed
from harness.model.replay import DivergenceKind, Finding, Side, Verdict
from harness.model.status import PASSED, Status, failed
from harness.replay.divergence.comparison import compare
from harness.replay.divergence.sides import side_of
from harness.replay.divergence.verdict import TASK, judge
from harness.replay.recorded import RecordedTalk, RecordedTurn
from harness.replay.setting import Setting
from harness.scoring.score import score
from tools_sandbox.call import Call, net_changes

ANSWER = "answer"
"""The judgement that the agent gave an answer at all."""
SO_FAR = "task_success, so far"
"""Of a conversation that is not compared to its end: that nothing was done or said which the scenario does not want."""

_CHANGED = DivergenceKind.CHANGED_ARGUMENT
_BY_AGENT = ("agent_error", "limit")
_UNKNOWN = AgentVersion("agent", "recorded", "")


def recorded_episode(talk: RecordedTalk, upto: int, key: EpisodeKey, setting: Setting) -> Episode:
    """The recorded conversation up to the end of a turn."""
    calls, recording = talk.calls(upto), talk.recording
    episode = Episode(
        key=key,
        attempt=1,
        seed=recording.seed or 0,
        clock=talk.opening.clock.isoformat(),
        digests=setting.digests(talk.material.scenario),
        agent=recording.agent or _UNKNOWN,
        speaker=talk.speaker,
        conversation_id=recording.id,
        messages=talk.messages(upto),
        turns=talk.times(upto),
        calls=calls,
        model_calls=[],
        pauses=[],
        state_changes=net_changes(calls),
        end=End("observed"),
        unsaid=[],
        outcome="open",
    )
    return as_compared(episode, talk, setting, whole=upto == len(talk.turns))


def as_compared(episode: Episode, talk: RecordedTalk, setting: Setting, *, whole: bool) -> Episode:
    """An episode as it is held against another one. Both are read in the same way: their users are real, so what is
    said yes to is told by the words, and how it comes out by calls and words alone. `whole`: it is compared to its end,
    and not only up to where the other ends.
    """
    last = episode.agent_messages(episode.turns[-1].number) if episode.turns else []
    finished = whole and not any(message.asks for message in last)
    end = End("observed") if whole else End("cut", text="it is compared up to here")
    return replace(
        episode,
        speaker=talk.speaker,
        outcome=outcome(episode.calls, episode.messages, None, finished=finished, may_change=setting.free),
        end=episode.end if episode.end.kind in _BY_AGENT else end,
        observed=Observed(expected=talk.expected, state=all(_was_seen(call) for call in episode.calls)),
    )


def _was_seen(call: Call) -> bool:
    """Whether it is known what a call changed."""
    return call.origin == "sandbox" or call.kind == "reads" or not call.may_be_done


def side(episode: Episode, turns: Collection[int]) -> Side:
    """What was done in these turns. How it came out is told of what is compared to its end."""
    return Side(
        tuple(call for call in episode.calls if call.turn in turns),
        tuple((said.turn, said.text) for said in episode.messages if said.role == "agent" and said.turn in turns),
        None if episode.end.kind == "cut" else episode.outcome,
    )


def recorded_side(turn: RecordedTurn) -> Side:
    """What is on record of a turn."""
    return Side(tuple(turn.calls), tuple((reply.turn, reply.text) for reply in turn.replies))


def held_against(
    recorded: Episode, new: Episode, turns: Collection[int], talk: RecordedTalk, setting: Setting
) -> Finding:
    """What the differences of two conversations in these turns mean. Only what differs is judged."""
    then, now = side(recorded, turns), side(new, turns)
    divergences = compare(then, now, setting.schema, setting.policy.canon).divergences
    if not divergences:
        return Finding(Verdict.SAME, ())
    then, now = (judged(each, episode, talk) for each, episode in ((then, recorded), (now, new)))
    so_far = now.judgements.get(SO_FAR)
    if so_far is None or so_far.status is not Status.PASSED:
        return judge(then, now, divergences, setting.schema, setting.free)
    # The scenario wants what was added or changed; what is missing may never come, which only the end shows.
    open_ = [each for each in divergences if each.kind not in (DivergenceKind.EXTRA_WRITE, _CHANGED)]
    told = judge(then, now, open_, setting.schema, setting.free)
    return replace(told, verdict=_at_least_benign(told.verdict), divergences=divergences)


def judged(side: Side, episode: Episode, talk: RecordedTalk) -> Side:
    """The side with all that is judged of the conversation up to here."""
    whole = side_of(episode, {name: one.value for name, one in score(episode, talk.material).scores.items()})
    judgements = dict(whole.judgements)
    if TASK in judgements and episode.end.kind == "cut" and talk.expected:
        task = judgements.pop(TASK)
        judgements[SO_FAR] = task if task.status is Status.FAILED else PASSED
    broke = episode.end.kind in _BY_AGENT
    judgements[ANSWER] = failed(episode.end.text) if broke else PASSED
    return replace(side, judgements=judgements, critical=whole.critical | {ANSWER})


def _at_least_benign(verdict: Verdict) -> Verdict:
    return Verdict.BENIGN if verdict is Verdict.SAME else verdict
