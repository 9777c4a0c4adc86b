"""R1, `turns`: the new agent answers once at every recorded prefix."""

from __future__ import annotations

import asyncio

from harness.model.episode import Episode
from harness.model.replay import Finding, Fit, Level, ReplayedTurn, ReplayResult, ToolMiss, UnusedResult
from harness.replay.judged import as_compared, held_against, recorded_episode, recorded_side, side
from harness.replay.levels.course import Course, nothing_of_both, together
from harness.replay.levels.playing import Cast, go_on, key_of
from harness.replay.levels.stopped import at_the_miss, writes_at_misses
from harness.replay.recorded import RecordedTalk, RecordedTurn
from harness.replay.setting import Setting
from harness.replay.user import RecordedUser

_Played = tuple[ReplayedTurn, Episode | None, tuple[ToolMiss, ...], tuple[UnusedResult, ...]]


async def replay_turns(talk: RecordedTalk, cast: Cast, setting: Setting) -> Course:
    """Each decision of the recording beside that of the agent, which was told all that went before as it was."""
    played = await asyncio.gather(*(_answered(talk, turn, cast, setting) for turn in talk.turns))
    turns = tuple(turn for turn, *_ in played)
    result = ReplayResult(
        talk.recording.id,
        talk.recording.workflow,
        Level.TURNS,
        cast.agent,
        turns,
        together((turn.turn, turn.finding) for turn in turns if turn.finding is not None),
        talk.opening.kind,
        tuple(miss for _, _, misses, _ in played for miss in misses),
        tuple(result for _, _, _, unused in played for result in unused),
        tuple(talk.notes),
    )
    return Course(result, {turn.turn: episode for turn, episode, *_ in played if episode is not None})


def pair_turns(old: Course, new: Course, talk: RecordedTalk, setting: Setting) -> tuple[Finding, int]:
    """What the differences of two versions' decisions mean, and at how many turns both could be compared."""
    both = sorted(old.episodes.keys() & new.episodes.keys())
    found = [(turn, held_against(old.episodes[turn], new.episodes[turn], {turn}, talk, setting)) for turn in both]
    found += writes_at_misses(old.result, new.result, setting)
    if not found:
        return nothing_of_both(), 0
    return together(found), len(both)


async def _answered(talk: RecordedTalk, turn: RecordedTurn, cast: Cast, setting: Setting) -> _Played:
    number = turn.number
    recorded = recorded_episode(talk, number, key_of(talk, Level.TURNS, cast), setting)
    then, fit = recorded_side(turn), Fit(number, fits=True)
    if turn.why_not:
        return ReplayedTurn(number, turn.said.text, fit, then, None, why_not=turn.why_not), None, (), ()
    user = RecordedUser(talk, [turn], setting.acts)
    replayed = await go_on(talk, number - 1, user, Level.TURNS, cast, setting)
    misses = tuple(replayed.tools.misses)
    if (stopped := replayed.stopped) is not None:
        made = [call for call in replayed.episode.calls if call.turn == number]
        now, finding = at_the_miss(then, made, stopped, setting)
        why_not = f"it stopped at a call that is not on record: {misses[-1].tool}, {misses[-1].why}"
        told = ReplayedTurn(number, turn.said.text, fit, then, now, why_not=why_not, finding=finding)
        return told, None, misses, ()
    if replayed.why_not:
        return ReplayedTurn(number, turn.said.text, fit, then, None, why_not=replayed.why_not), None, misses, ()
    new = as_compared(replayed.episode, talk, setting, whole=number == len(talk.turns))
    finding = held_against(recorded, new, {number}, talk, setting)
    told = ReplayedTurn(number, turn.said.text, fit, then, side(new, {number}), finding=finding)
    return told, new, misses, replayed.unused({number})
