"""R2, `forward`: the user's turns in their order until one no longer fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from harness.model.episode import Episode
from harness.model.replay import Finding, Fit, Level, ReplayedTurn, ReplayResult, Verdict
from harness.replay.fit.signs import fitting
from harness.replay.judged import as_compared, held_against, recorded_episode, recorded_side, side
from harness.replay.levels.course import Course, nothing_of_both
from harness.replay.levels.playing import Cast, Replayed, go_on, key_of
from harness.replay.levels.stopped import at_the_miss, writes_at_misses
from harness.replay.recorded import RecordedTalk, RecordedTurn, last_answered
from harness.replay.setting import Setting
from harness.replay.user import RecordedUser
from tools_sandbox.call import net_changes


async def replay_forward(talk: RecordedTalk, cast: Cast, setting: Setting) -> Course:
    """The verdict is over the turns that fit; the rest is not comparable."""
    turns = talk.comparable()
    if not turns:
        return nothing(talk, Level.FORWARD, cast)
    user = RecordedUser(talk, turns, setting.acts, fitting(talk, setting))
    replayed = await go_on(talk, 0, user, Level.FORWARD, cast, setting)
    return settled(talk, replayed, user.fits, Level.FORWARD, cast, setting)


def pair_forward(old: Course, new: Course, talk: RecordedTalk, setting: Setting) -> tuple[Finding, int]:
    """What the differences of two versions' conversations mean, over the turns that fit both."""
    upto, finding = min(max(old.episodes, default=0), max(new.episodes, default=0)), nothing_of_both()
    if upto:
        whole = upto == len(talk.turns)
        mine, theirs = (
            as_compared(cut(course.episodes[max(course.episodes)], upto), talk, setting, whole=whole)
            for course in (old, new)
        )
        finding = held_against(mine, theirs, range(1, upto + 1), talk, setting)
    for _, more in writes_at_misses(old.result, new.result, setting):
        finding = _with(finding, more)
    return finding, sum(turn.answered for turn in talk.turns[:upto])


def settled(
    talk: RecordedTalk, replayed: Replayed, fits: Sequence[Fit], level: Level, cast: Cast, setting: Setting
) -> Course:
    """What came of a conversation, over the recorded turns that were said and answered."""
    said = talk.turns[: sum(fit.fits for fit in fits) - bool(replayed.why_not)]
    upto = last_answered(said)
    whole = upto == len(talk.turns)
    recorded = recorded_episode(talk, upto, key_of(talk, level, cast), setting)
    new = as_compared(cut(replayed.episode, upto), talk, setting, whole=whole)
    turns = [
        ReplayedTurn(
            turn.number,
            turn.said.text,
            Fit(turn.number, fits=True),
            recorded_side(turn),
            side(new, {turn.number}) if turn.number <= upto else None,
            why_not=turn.why_not,
        )
        for turn in said
    ]
    finding = Finding(Verdict.NOT_COMPARABLE, (replayed.why_not or "no turn fits",))
    if upto:
        finding = held_against(recorded, new, _compared(talk, new, upto), talk, setting)
    if replayed.why_not:
        turns.append(_broken_off(talk.turns[len(said)], replayed, setting))
        finding = _with(finding, turns[-1].finding)
    turns += _left(talk, fits, len(turns), replayed.episode.end.text)
    result = ReplayResult(
        talk.recording.id,
        talk.recording.workflow,
        level,
        cast.agent,
        tuple(turns),
        finding,
        talk.opening.kind,
        tuple(replayed.tools.misses),
        replayed.unused(range(1, upto + 1)),
        tuple(talk.notes),
    )
    return Course(result, {upto: new} if upto else {})


def _compared(talk: RecordedTalk, new: Episode, upto: int) -> Collection[int]:
    """The turns up to one that are held against each other. Where a message was not answered then, what is said to it
    now has no counterpart, but what is called may be what was called after the next.
    """
    called = {call.turn for call in new.calls}
    return {turn.number for turn in talk.turns[:upto] if turn.answered or turn.number in called}


def cut(episode: Episode, upto: int) -> Episode:
    """The episode up to the end of a turn."""
    if not episode.turns or episode.turns[-1].number <= upto:
        return episode
    calls = [call for call in episode.calls if call.turn <= upto]
    return replace(
        episode,
        messages=[message for message in episode.messages if message.turn <= upto],
        turns=[turn for turn in episode.turns if turn.number <= upto],
        calls=calls,
        model_calls=[call for call in episode.model_calls if call.turn <= upto],
        pauses=[pause for pause in episode.pauses if pause.turn <= upto],
        state_changes=net_changes(calls),
        end=replace(episode.end, kind="cut", code=None),
    )


def _broken_off(turn: RecordedTurn, replayed: Replayed, setting: Setting) -> ReplayedTurn:
    """The turn in which it could not go on; of one that a miss stopped, what was called so far."""
    then, fit = recorded_side(turn), Fit(turn.number, fits=True)
    stopped = replayed.stopped
    if stopped is None:
        return ReplayedTurn(turn.number, turn.said.text, fit, then, None, why_not=replayed.why_not)
    made = [call for call in replayed.episode.calls if call.turn == turn.number]
    now, finding = at_the_miss(then, made, stopped, setting)
    return ReplayedTurn(turn.number, turn.said.text, fit, then, now, why_not=replayed.why_not, finding=finding)


def _with(finding: Finding, more: Finding | None) -> Finding:
    """A finding with that of a turn that broke off, of which only a write counts."""
    if more is None or more.verdict is not Verdict.WORSE:
        return finding
    return Finding(
        Verdict.WORSE,
        (*finding.evidence, *more.evidence),
        (*finding.divergences, *more.divergences),
        tuple(dict.fromkeys([*finding.worse_by, *more.worse_by])),
    )


def _left(talk: RecordedTalk, fits: Sequence[Fit], told: int, end: str = "") -> Iterator[ReplayedTurn]:
    """The recorded turns behind those told already, which were not said or not answered; and why. `end`: what ended the
    conversation.
    """
    why = ""
    for turn in talk.turns[told:]:
        fit = fits[turn.number - 1] if turn.number <= len(fits) else Fit(turn.number, fits=True)
        if not why and fit.fits and not turn.answered:
            yield ReplayedTurn(turn.number, turn.said.text, fit, recorded_side(turn), None, why_not=turn.why_not)
            continue
        if not why:
            why = turn.why_not or (fit.why if not fit.fits else f"the conversation had ended: {end}")
        yield ReplayedTurn(turn.number, turn.said.text, fit, recorded_side(turn), None, why_not=why)
        if not fit.fits:
            why = f"turn {turn.number} did not fit"
        elif turn.why_not:
            why = _behind(turn)


def _behind(turn: RecordedTurn) -> str:
    return f"it comes after turn {turn.number}, which can't be held against the record"


def nothing(talk: RecordedTalk, level: Level, cast: Cast) -> Course:
    """Of a recording in which no turn can be compared."""
    why = talk.turns[0].why_not if talk.turns else "there is no message of a user in it"
    turns = tuple(_left(talk, (), 0))
    recording, kind, notes = talk.recording, talk.opening.kind, tuple(talk.notes)
    finding = Finding(Verdict.NOT_COMPARABLE, (why,))
    result = ReplayResult(recording.id, recording.workflow, level, cast.agent, turns, finding, kind, notes=notes)
    return Course(result, {})
