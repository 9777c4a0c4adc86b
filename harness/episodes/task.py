"""What an episode is played from: plain references, the same for every executor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from harness.model.episode import Digests, EpisodeKey
from harness.model.scenario import Scenario
from harness.model.workflow import Tool
from harness.users.acts import Acts
from harness.users.scripted import Script
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.start import StartState


@dataclass(frozen=True)
class Stage:
    """All that the trials of one scenario share: prepared once, never changed."""

    scenario: Scenario
    script: Script
    start: StartState
    schema: SandboxSchema
    """The sandbox's, with the marks of tools that live elsewhere."""
    clock: datetime
    digests: Digests
    passthrough: frozenset[str] = frozenset()
    may_change: tuple[str, ...] = ()

    @cached_property
    def simulated(self) -> frozenset[str]:
        """The tools that run in the sandbox and nowhere else."""
        return frozenset(tool.name for tool in self.start.tools) - self.passthrough


def staging(
    start: StartState,
    schema: SandboxSchema,
    clock: datetime,
    passthrough: frozenset[str] = frozenset(),
    may_change: tuple[str, ...] = (),
    written: Mapping[str, Tool] | None = None,
) -> Callable[[Scenario, Digests], Stage]:
    """Makes the stages of a workflow's scenarios, the users compiled for its sandbox. `written`: the tools in the
    file.
    """
    acts = Acts.of(schema, written)

    def stage(scenario: Scenario, digests: Digests) -> Stage:
        script = Script.of(scenario, schema, acts)
        return Stage(scenario, script, start, schema, clock, digests, passthrough, may_change)

    return stage


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper limits, in seconds, and in tool calls and in the agent's messages of one turn. In the calling process a
    blocked event loop can't be ended, so a breached time limit is only reported there once the loop runs again.
    """

    turn_seconds: float = 120.0
    episode_seconds: float = 900.0
    turn_calls: int = 100
    turn_messages: int = 100


@dataclass(frozen=True, slots=True)
class Task:
    """One episode to be played."""

    key: EpisodeKey
    stage: Stage
    seed: int
    attempt: int = 1
    limits: Limits = Limits()
