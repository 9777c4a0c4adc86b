"""What all levels have in common that play an agent: the tools of a recording, the task, and what came of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

from harness.episodes.begun import Begun
from harness.episodes.task import Limits, Task
from harness.model.episode import AgentVersion, Episode, EpisodeKey
from harness.model.replay import Level, UnusedResult
from harness.replay.recorded import RecordedTalk
from harness.replay.setting import Setting
from harness.replay.tools.side import ReplayedTools
from harness.users.view import UserSide
from tools_sandbox.call import Call, CallError

Play = Callable[[Task, Begun], Awaitable[Episode]]
"""Plays a conversation that was begun against the agent."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is replayed: the agent, how it is played, how many conversations at a time, and in which replay."""

    agent: AgentVersion
    play: Play
    room: asyncio.Semaphore
    replay: str
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Replayed:
    """An episode that came of a recording, with what its tools did. `why_not`: why nothing can be said of its last
    turn, where that is not the agent's doing.
    """

    episode: Episode
    tools: ReplayedTools
    why_not: str = ""

    @property
    def stopped(self) -> Call | None:
        """The call that no recorded result answers and that ended it, as one that was tried: nobody knows what would
        have come of it.
        """
        call = self.tools.stopped
        return None if call is None else replace(call, error=CallError("outside", "no recorded result answers it"))

    def unused(self, turns: Collection[int]) -> tuple[UnusedResult, ...]:
        """The recorded results of these turns that answered nothing."""
        return tuple(UnusedResult(call.turn, call.tool, call.arguments) for call in self.tools.unused(turns))


async def go_on(talk: RecordedTalk, upto: int, user: UserSide, level: Level, cast: Cast, setting: Setting) -> Replayed:
    """Play on from the end of a recorded turn (0: from the beginning) for as long as the user talks."""
    async with cast.room:
        made = talk.calls(upto)
        tools = ReplayedTools(
            lambda tracer: talk.sandbox(upto, tracer),
            talk.calls(len(talk.turns)),
            len(made),
            setting.policy,
            setting.schema,
            [tool.name for tool in setting.tools],
        )
        begun = Begun(user, talk.messages(upto), talk.times(upto), made, tools.open, setting.tools)
        stage = setting.stage(talk.material.scenario, talk.opening.clock)
        task = Task(key_of(talk, level, cast), stage, seed_of(talk), limits=cast.limits)
        episode = await cast.play(task, begun)
    broke_off = episode.end.kind in ("fault", "no_answer")
    return Replayed(episode, tools, episode.end.text if broke_off else "")


def key_of(talk: RecordedTalk, level: Level, cast: Cast) -> EpisodeKey:
    """The key of a replayed conversation."""
    return EpisodeKey(cast.replay, cast.agent.label, talk.recording.id, 1, level.value)


def seed_of(talk: RecordedTalk) -> int:
    """The recorded seed, else one that depends on the recording alone, so that versions pair."""
    recording = talk.recording
    if recording.seed is not None:
        return recording.seed
    return int.from_bytes(hashlib.sha256(recording.id.encode()).digest()[:6])
