"""The verdict of a gate: every rule in every cell, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from harness.gates.case import Given
from harness.gates.coverage import Clauses
from harness.gates.effective import effective
from harness.gates.exemptions import expired, hold_back, quarantine, waived
from harness.gates.flips import trials_of
from harness.gates.holding import held
from harness.gates.noise import noise_floors
from harness.gates.readings import Readings
from harness.gates.uncounted import uncounted
from harness.model.baseline import Baseline
from harness.model.result import Decision, GateVerdict, Result, RuleResult, UntilDecided
from harness.model.workflow import Workflow


def decide(
    workflow: Workflow,
    results: Sequence[Result],
    partial: str | None = None,
    *,
    deterministic: bool = False,
    observed: bool = False,
    day: date = date.max,
    baselines: Mapping[str, Baseline] = MappingProxyType({}),
    clauses: Clauses = MappingProxyType({}),
    until: UntilDecided | None = None,
    besides: Mapping[str, str] = MappingProxyType({}),
) -> GateVerdict:
    """The gate of a workflow over the planned episodes of one agent version. Those of a condition other than `clean`
    are in no rate, and neither are those of scenarios in quarantine.

    A failed rule fails the gate; else an undecided one leaves it undecided, and so does an episode that did not pass
    and that no rule counts, and one that was planned and not played; it passes only if some rule passed.

    `partial` says in words why these are not all the episodes of the workflow. The decision is then about these alone:
    FAILED is to be believed, anything else is to be shown as "partial: no gate", never as passed.

    `deterministic`: all played trials of every scenario went the same way, at least two of each. That is no proof:
    where the noise between trials is asked for (`confidence`), and of critical scenarios, only trials that were played
    count. Where it does not hold, trials that were spared are not judged.

    `observed`: conversations that were not played but read from telemetry. Nobody chose them, so a rule that none of
    them falls under is skipped, and says so.

    `day`: the date of the run, by which quarantine and waivers end; without one all of them have.

    `baselines`: those that are set, by name. `clauses`: those of the knowledge, by id, each with the scenarios that
    name it. `until`: how trials went on until rules were decided, so that what decides must hold at every look.

    `besides`: what else would have to hold and does not, each with why in words: it is then undecided at best.
    """
    clean = [result for result in results if result.key.condition == "clean"]
    trials = () if observed else trials_of(clean)
    quarantined = quarantine(workflow, clean, trials, day)
    apart = {each.quarantine.scenario for each in quarantined if not each.expired}
    rated = [result for result in clean if result.key.item not in apart]
    if not rated:
        nothing = "every scenario is in quarantine" if clean else "no episode was selected"
        row = _implicit("something to judge", nothing)
        return GateVerdict(Decision.UNDECIDED, (row,), partial, quarantine=quarantined, trials=trials)
    readings = Readings(rated, deterministic=deterministic)
    given = Given(workflow, rated, readings, partial, observed, baselines, clauses, until)
    every = effective(workflow)
    rules = [
        row
        for rule, rows in zip(every, held(every, given), strict=True)
        for row in hold_back(rule, rows, workflow.waivers, day)
    ]
    missed = uncounted(workflow, rated, rules)
    waivers = waived(workflow, rules, day, whole=partial is None)
    rules = [*expired(quarantined, waivers), *rules, *missed]
    if missing := sum(result.state == "missing" for result in results):
        left = f"{missing} of {len(results)} planned episodes were not played"
        rules.append(_implicit("all that was planned was played", left))
    rules += [_implicit(what, why) for what, why in besides.items()]
    decision = _overall(row.decision for row in rules if row.decides)
    if decision is Decision.SKIPPED:
        rules.append(_implicit("something decides", "every rule was skipped, so nothing shows that the agent may ship"))
        decision = Decision.UNDECIDED
    ids = tuple(id_ for row in missed for id_ in row.episodes)
    noise = () if observed else noise_floors(workflow.scenario_map, rated, readings)
    return GateVerdict(decision, tuple(rules), partial, ids, waivers, quarantined, trials, until, noise)


def _overall(decisions: Iterable[Decision]) -> Decision:
    seen = set(decisions)
    order = (Decision.FAILED, Decision.UNDECIDED, Decision.PASSED)
    return next((decision for decision in order if decision in seen), Decision.SKIPPED)


def _implicit(rule: str, reason: str) -> RuleResult:
    return RuleResult(rule, Decision.UNDECIDED, reason, implicit=True)
