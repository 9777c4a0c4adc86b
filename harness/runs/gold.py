"""Gold paths are played before the agent is: a scenario whose own right answer fails can't blame anybody."""

from __future__ import annotations

from collections.abc import Mapping

from harness.agents.gold import GoldAgent
from harness.agents.source import AgentSource, kind_of
from harness.episodes.play import play
from harness.episodes.task import Limits, Stage, Task
from harness.model.episode import AgentVersion, EpisodeKey
from harness.model.status import Status
from harness.runs.seeds import seed_of
from harness.scoring.score import score
from harness.workflow.bundle import Bundle
from traces.capture import Tracing

_GOLD = AgentVersion("gold path", "1", source_digest="")
_LIMITS = Limits(turn_seconds=10)


async def broken_scenarios(bundle: Bundle, prepared: Mapping[str, Stage], tracing: Tracing) -> dict[str, str]:
    """The scenarios whose gold path does not pass, and why. One without a gold path is taken as it is."""
    broken = {}
    for item, stage in prepared.items():
        if not stage.scenario.gold:
            continue
        key = EpisodeKey("gold", "gold", item, 1)
        seed = seed_of(bundle.workflow.workflow, item, 1, key.condition)
        source = AgentSource(_GOLD, kind_of(GoldAgent(stage.scenario.gold, item), "the gold path"))
        episode = await play(Task(key, stage, seed, limits=_LIMITS), source, tracing)
        scored = score(episode, bundle.material(item))
        if scored.verdict.status is not Status.PASSED:
            where = scored.primary.evidence.where if scored.primary else None
            why = scored.primary.text if scored.primary else scored.verdict.reason
            broken[item] = f"{why} ({where})" if where else why
    return broken
