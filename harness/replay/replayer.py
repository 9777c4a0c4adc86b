"""Replaying recordings, several at a time: each at one level against an agent, and beside another version if asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from harness.model.recording import Recording
from harness.model.replay import Finding, Level, ReplayResult
from harness.replay.levels.course import Course
from harness.replay.levels.forward import pair_forward, replay_forward
from harness.replay.levels.going_on import replay_on
from harness.replay.levels.playing import Cast
from harness.replay.levels.turns import pair_turns, replay_turns
from harness.replay.reading import read
from harness.replay.recorded import RecordedTalk
from harness.replay.setting import Setting

_REPLAY: dict[Level, Callable[[RecordedTalk, Cast, Setting], Awaitable[Course]]] = {
    Level.TURNS: replay_turns,
    Level.FORWARD: replay_forward,
    Level.CONTINUE: replay_on,
}
_PAIR: dict[Level, Callable[[Course, Course, RecordedTalk, Setting], tuple[Finding, int]]] = {
    Level.TURNS: pair_turns,
    Level.FORWARD: pair_forward,
    Level.CONTINUE: pair_forward,
}


async def replay(
    recording: Recording, level: Level, setting: Setting, new: Cast, old: Cast | None = None
) -> tuple[ReplayResult, ReplayResult | None]:
    """The replay of one recording by the new version, and by the old one in the same way if there is one; then the
    new one's result says what their differences mean.
    """
    talk = read(recording, setting)
    course = await _REPLAY[level](talk, new, setting)
    if old is None:
        return course.result, None
    before = await _REPLAY[level](talk, old, setting)
    paired, turns = _PAIR[level](before, course, talk, setting)
    return replace(course.result, paired=paired, paired_turns=turns), before.result
