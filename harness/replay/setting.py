"""What all replays of a workflow's recordings share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from harness.episodes.task import Stage
from harness.model.episode import Digests
from harness.model.material import Ground, Price
from harness.model.scenario import Scenario
from harness.model.workflow import Workflow
from harness.replay.policy import Policy
from harness.users.acts import Acts
from harness.users.scripted import Script
from tools_sandbox.schema import SandboxSchema, ToolSpec
from tools_sandbox.start import StartState

MANY = 1_000_000
"""Turns that a recorded user may take: as many as are on record."""


@dataclass(frozen=True, slots=True)
class Setting:
    """`workflow` with the row that recordings without a scenario stand under, and `stand_in`, the scenario that expects
    nothing of them. `digests` gives those of a scenario as it is now. `tools`: all that an agent is told of, of which
    the sandbox has some and the recorded results answer the others.
    """

    workflow: Workflow
    stand_in: Scenario
    scenarios: Mapping[str, Scenario]
    digests: Callable[[Scenario], Digests]
    start: StartState
    ground: Ground
    prices: tuple[Price, ...]
    clock: datetime | None
    policy: Policy
    acts: Acts
    tools: tuple[ToolSpec, ...]
    played: dict[str, tuple[Scenario, Script, Digests]] = field(default_factory=dict)
    """Scenarios as they are played on, by id, compiled when first asked for."""

    @classmethod
    def of(
        cls,
        workflow: Workflow,
        stand_in: Scenario,
        scenarios: Mapping[str, Scenario],
        digests: Callable[[Scenario], Digests],
        start: StartState,
        ground: Ground,
        prices: tuple[Price, ...],
        clock: datetime | None,
    ) -> Setting:
        """Compiled once. No tool is let through: what the workflow lets through is answered from the record."""
        schema = ground.schema
        simulated = {tool.name for tool in start.tools} - {*workflow.passthrough}
        return cls(
            workflow,
            stand_in,
            scenarios,
            digests,
            start,
            ground,
            prices,
            clock,
            Policy.of(workflow.replay, schema, simulated),
            Acts.of(schema, workflow.tools),
            _told_of(schema, start, workflow.passthrough),
        )

    @property
    def schema(self) -> SandboxSchema:
        """The shape of the sandbox, with the marks of tools that live elsewhere."""
        return self.ground.schema

    @property
    def free(self) -> tuple[str, ...]:
        """The state that any conversation may change."""
        return tuple(self.workflow.may_change)

    def stage(self, scenario: Scenario, clock: datetime) -> Stage:
        """What a conversation is played on; the user has as many turns as are on record."""
        if scenario.id not in self.played:
            user = scenario.user.model_copy(update={"max_turns": MANY})
            played = scenario.model_copy(update={"user": user})
            self.played[scenario.id] = played, Script.of(played, self.schema, self.acts), self.digests(scenario)
        played, script, digests = self.played[scenario.id]
        return Stage(played, script, self.start, self.schema, clock, digests, may_change=self.free)


def _told_of(schema: SandboxSchema, start: StartState, passthrough: Collection[str]) -> tuple[ToolSpec, ...]:
    known = {**{tool.name: tool for tool in start.tools}, **schema.tools}
    anything = {"type": "object", "additionalProperties": True}
    more = [ToolSpec(name, "", "writes", anything) for name in passthrough if name not in known]
    return (*known.values(), *more)
