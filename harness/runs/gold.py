"""Gold paths are played before the agent is: a scenario whose own right answer fails can't blame anybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from harness.agents.gold import GoldAgent
from harness.agents.source import AgentSource, kind_of
from harness.episodes.play import play
from harness.episodes.task import Stage, Task
from harness.model.episode import AgentVersion, AskKind, Episode, EpisodeKey
from harness.model.expect import Expect
from harness.model.scenario import Scenario
from harness.model.status import Status
from harness.model.workflow import Workflow
from harness.runs.seeds import seed_of
from harness.scoring.score import metric_units, score
from harness.workflow.bundle import Bundle
from tools_sandbox.values import show
from traces.capture import Tracing

_GOLD = AgentVersion("gold path", "1", source_digest="")


async def broken_scenarios(bundle: Bundle, prepared: Mapping[str, Stage], tracing: Tracing) -> dict[str, str]:
    """The scenarios whose gold path does not pass, and why. One without a gold path is taken as it is."""
    broken = {}
    workflow = _judged_only(bundle.workflow)
    for item, stage in prepared.items():
        if not stage.scenario.gold:
            continue
        key = EpisodeKey("gold", "gold", item, 1)
        seed = seed_of(bundle.workflow.workflow, item, 1, key.condition)
        source = AgentSource(_GOLD, kind_of(GoldAgent(stage.scenario.gold, item), "the gold path"))
        episode = await play(Task(key, stage, seed), source, tracing)
        material = replace(bundle.material(item), workflow=workflow, scenario=_at_any_cost(stage.scenario))
        scored = score(episode, material)
        if scored.verdict.status is not Status.PASSED:
            where = scored.primary.evidence.where if scored.primary else None
            why = scored.primary.text if scored.primary else scored.verdict.reason
            broken[item] = "; ".join([f"{why} ({where})" if where else why, *_without_a_yes(episode)])
    return broken


def _without_a_yes(episode: Episode) -> Iterator[str]:
    """The questions of the gold path's replies that got no yes to a tool, or no answer of the scenario's, with what the
    user said: the wording may be what fails.
    """
    for answer in episode.messages:
        because = answer.because
        if because is None or because.consent:
            continue
        asked = [ask for reply in episode.agent_messages(answer.turn - 1) for ask in reply.asks]
        for ask in asked:
            if ask.kind is AskKind.PROPOSAL or ask.quote in because.unscripted:
                yield f"the user answered {show(answer.text)} to {show(ask.quote)}"


def _judged_only(workflow: Workflow) -> Workflow:
    """The workflow without the measures of its families: what a gold path costs says nothing."""
    judged = {name for name, unit in metric_units(workflow).items() if unit is None}
    families = {
        name: family.model_copy(update={"measures": [metric for metric in family.measures if metric in judged]})
        for name, family in workflow.scenario_map.items()
    }
    return workflow.model_copy(update={"scenario_map": families})


def _at_any_cost(scenario: Scenario) -> Scenario:
    """The scenario without limits on time, tokens and money: nobody thinks behind a gold path."""
    lines = [
        line.model_copy(update={"expect": line.expect and _unlimited(line.expect)}) for line in scenario.user.turns
    ]
    user = scenario.user.model_copy(update={"turns": lines})
    return scenario.model_copy(update={"user": user, "expect": _unlimited(scenario.expect)})


def _unlimited(expect: Expect) -> Expect:
    budget = expect.budget and expect.budget.model_copy(update={"tokens": None, "cost": None, "seconds": None})
    return expect.model_copy(update={"budget": budget, "any_of": [_unlimited(branch) for branch in expect.any_of]})
