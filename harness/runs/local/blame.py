"""The record of an episode that did not outlive its process."""

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
_HELD = re.compile(r"^Timeout \(.*\)!$", re.MULTILINE)


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


def unbegun(task: Task, agent: AgentVersion, how: str, printed: str) -> Episode:
    """An episode whose process ended before it could begin: nobody can say by whose doing."""
    at = now()
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
        end=End("fault", "X5", f"the agent's process {how} before the episode began, twice", printed),
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
