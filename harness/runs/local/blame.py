"""The record of an episode that did not outlive its process, and whether one that did can be what was played."""

from __future__ import annotations

import re
from dataclasses import replace

from harness import __version__
from harness.agents.usercode import is_user_file
from harness.episodes.task import Task
from harness.model.episode import AgentVersion, End, Episode
from traces.clock import now

_FRAME = re.compile(r'^  File "(?P<file>[^"\n]+)", line (?P<line>\d+) in (?P<name>.+)$', re.MULTILINE)
"""A line of what Python's faulthandler writes about a process that crashes or is stuck."""
_LATEST = 1e10
"""Seconds since the epoch: in the year 2286."""
_HELD = re.compile(r"^Timeout \(.*\)!$", re.MULTILINE)


def is_record_of(task: Task, episode: Episode, agent: AgentVersion) -> bool:
    """Whether what a process tells can be the record of what it was to play: an agent may have written it instead."""
    stage = task.stage
    told = (episode.key, episode.attempt, episode.seed, episode.clock, episode.digests, episode.agent, episode.observed)
    given = (task.key, task.attempt, task.seed, stage.clock.isoformat(), stage.digests, agent, None)
    times = [episode.started, episode.ended, *(time for turn in episode.turns for time in (turn.started, turn.ended))]
    return told == given and all(0 <= time <= _LATEST for time in times)


def end_of_process(how: str, printed: str) -> End:
    """The end that an agent has made of itself and its process. `how`: what goes on after "the agent's process";
    `printed`: what the process wrote to its standard streams by itself.
    """
    if _HELD.search(printed):
        how = "held the interpreter for longer than a turn may take, so that nothing else could run"
    return End("agent_error", "FL4", f"the agent's process {how}", printed, _place(printed))


def ended(sketch: Episode, end: End, printed: str) -> Episode:
    """The episode as it last stood, with its end and what the process wrote by itself."""
    return replace(sketch, end=end, stderr=sketch.stderr + printed, ended=max(now(), sketch.started))


def unbegun(task: Task, agent: AgentVersion, how: str, printed: str, *, forged: bool) -> Episode:
    """An episode of which its process has told nothing before it ended: nobody can say by whose doing, unless what it
    said was `forged`.
    """
    at = now()
    unknown = End("fault", "X5", f"the agent's process {how} before the episode began, twice", printed)
    return Episode(
        key=task.key,
        attempt=task.attempt,
        seed=task.seed,
        clock=task.stage.clock.isoformat(),
        digests=task.stage.digests,
        agent=agent,
        speaker=task.stage.scenario.speaker,
        conversation_id="",
        messages=[],
        turns=[],
        calls=[],
        model_calls=[],
        pauses=[],
        state_changes=[],
        end=end_of_process(how, printed) if forged else unknown,
        unsaid=[],
        outcome="open",
        spans_missing="the episode was not begun",
        stderr=printed,
        started=at,
        ended=at,
        harness_version=__version__,
    )


def _place(printed: str) -> str | None:
    """Where in the user's own code a crash report says that it was."""
    frames = [match for match in _FRAME.finditer(printed) if is_user_file(match["file"])]
    return f"{frames[0]['file']}:{frames[0]['line']} in {frames[0]['name']}" if frames else None
