"""From a stored run to the view that every report is laid out from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from harness.gates.changes import Change, changes
from harness.model.result import GateVerdict, Result
from harness.model.source import Where
from harness.model.workflow import Workflow
from harness.reports.reliability import pass_hats
from harness.reports.run_view import Against, Failure, RunView, failures, unscripted
from harness.reports.scenario_map import rule_lines, scenario_map
from harness.runs.baselines import baselines_for, read_baselines
from harness.scoring.builtin import SCORERS
from harness.store.records import RunRecord
from harness.store.store import Store

_AGENTS = 4
"""Agents of one run that are named."""
_ON_THE_MAP = ("turns", "tool_calls", "latency_seconds", "cost_usd")
"""The measures that stand on the map; all of them are in the result file."""


def dimensions() -> dict[str, str]:
    """Metric to dimension, in the order of the map's columns: the judgements, then the measures that are shown."""
    judged = {scorer.name: scorer.dimension for scorer in SCORERS if scorer.unit is None and scorer.name != "rules"}
    measured = {scorer.name: scorer.dimension for scorer in SCORERS if scorer.unit is not None}
    return {**judged, **{name: measured[name] for name in _ON_THE_MAP if name in measured}}


def gather(
    store: Store,
    run: str,
    workflow: Workflow,
    verdict: GateVerdict,
    results: Sequence[Result],
    notes: Sequence[str] = (),
) -> RunView:
    """Everything that a report of one agent version's run shows; of an observed one, of several."""
    record = store.run(run)
    by_key = {result.key: result for result in results}
    rated = [result for result in results if result.key.item not in verdict.set_apart]
    scored = [(by_key[key], judged) for key, judged in store.scored(run)]
    found = failures(scored)
    rows = _rows(workflow, results, observed=record.observed)
    times = [value for result in results for value in result.turn_seconds if value is not None]
    return RunView(
        run=run,
        workflow=record.workflow,
        agent=_listed([agent.label for agent in record.agents]),
        agent_digest=_listed([agent.source_digest for agent in record.agents]),
        scenarios=len({result.key.item for result in results}),
        trials=max((result.key.trial for result in results), default=0),
        created=record.created,
        agent_seconds=sum(times),
        map=scenario_map(rows, tuple(dimensions()), rated),
        pass_hats=pass_hats(rows, rated, deterministic=record.deterministic),
        verdict=verdict,
        failures=found,
        findings={result.key.id: judged.primary for result, judged in scored if judged.primary is not None},
        slips=sum(len(judged.slips) for _, judged in scored),
        notes=tuple(notes),
        results=tuple(results),
        rules=rule_lines(workflow, rated),
        observed=record.observed,
        unscripted=unscripted(scored),
        places={} if record.observed else _places(store, run, found),
        against=() if record.observed else tuple(_against(store, record, workflow, results)),
    )


def _places(store: Store, run: str, found: Sequence[Failure]) -> dict[str, Where]:
    """Where the scenarios of failures are written."""
    scenarios = store.scenarios(run, dict.fromkeys(each.item for each in found))
    return {item: scenario.at for item, scenario in scenarios.items() if scenario.at is not None}


def _against(store: Store, run: RunRecord, workflow: Workflow, results: Sequence[Result]) -> Iterator[Against]:
    """The run beside each baseline that its gate names and that is set."""
    named = read_baselines(store, workflow, None)
    for name, baseline in baselines_for(store, run.id, named).items():
        found = changes(baseline, results, deterministic=run.deterministic)
        twins = [each for each in found.twins if each.second.state != "spared"]
        broken = Counter(each.second.key.item for each in twins if each.change is Change.BROKEN)
        fixed = sum(each.change is Change.FIXED for each in twins)
        yield Against(name, baseline.run, dict(broken), fixed, len(twins), found.apart)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _AGENTS
    return ", ".join(names[:_AGENTS]) + (f" and {more} more" if more > 0 else "")


def _rows(workflow: Workflow, results: Sequence[Result], *, observed: bool) -> tuple[str, ...]:
    """The families that stand on the map: all of the workflow, so that holes are seen; of observed conversations, which
    nobody chose, those that they fall under. Last those of a run that a workflow as it is now has no row for.
    """
    there = dict.fromkeys(result.family for result in results)
    rows = (name for name in workflow.scenario_map if not observed or name in there)
    return tuple(dict.fromkeys([*rows, *there]))
