"""The effective gate: the rules as written, and those that apply whether or not anybody wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from harness.gates.kinds import Kind, UnclearRule, kind_of
from harness.gates.ruling import percent
from harness.model.workflow import GateRule, Workflow

ALWAYS = (
    "Rules of the workflow hold in every episode, unless a line on metric rule.<id> says otherwise.",
    "Nothing selected, or no rule that decides: undecided.",
    "Planned episodes that are missing count as not judged.",
    "An episode that failed or was not judged, and that no rule counts: undecided.",
    "Scenarios of tier explore are in no rate.",
    "A rule on a metric holds family by family.",
    "Trials that agree spare others only where the figure alone decides: no critical scenario, no confidence.",
    "Rules with confidence are corrected for their number, in all cells (Holm), so that no claim holds by chance.",
    "Quarantine and waivers hold until their day, by the date of the run; what has ended fails the gate.",
    "A failed rule fails the gate, whatever else is undecided.",
)
"""What holds in every gate without being a rule of its own."""

_ENOUGH = Decimal("0.6")
_MUST_PASS = GateRule.model_validate({"rule": "critical scenarios", "tier": "critical", "every": "trial"})


@dataclass(frozen=True, slots=True)
class EffectiveRule:
    """A rule, the family it belongs to (None: the whole workflow), and whether it applies without being written."""

    rule: GateRule
    family: str | None = None
    implicit: bool = False

    @property
    def must_pass(self) -> bool:
        """Whether it asks for every trial of critical scenarios, which nothing exempts from."""
        return self.rule.tier == "critical" and self.rule.every == "trial"

    @property
    def says(self) -> str:
        """The rule as a sentence, or what is unclear about it."""
        try:
            return _sentence(self.rule, kind_of(self.rule), self.family)
        except UnclearRule as problem:
            return f"unclear: {problem}"


def effective(workflow: Workflow) -> tuple[EffectiveRule, ...]:
    """All rules of a gate: implicit ones, those written under the workflow's gate, then those of each family."""
    written = [EffectiveRule(rule) for rule in workflow.gate]
    families = [EffectiveRule(rule, name) for name, family in workflow.scenario_map.items() for rule in family.gate]
    stated = any(rule.must_pass for rule in written)
    implicit = [] if stated else [EffectiveRule(_MUST_PASS, implicit=True)]
    implicit += [each for rule in workflow.rules for each in _always(rule.id, [*written, *families], workflow)]
    return (*implicit, *written, *families)


def _always(rule_id: str, written: Sequence[EffectiveRule], workflow: Workflow) -> list[EffectiveRule]:
    """That a rule of the workflow is never broken, wherever no line of the gate holds it."""
    metric = f"rule.{rule_id}"
    holds = GateRule.model_validate({"rule": rule_id, "metric": metric, "failures": 0})
    stated = {each.family for each in written if each.rule.held == metric}
    if None in stated:
        return []
    families = [name for name in workflow.scenario_map if name not in stated] if stated else [None]
    return [EffectiveRule(holds, name, implicit=True) for name in families]


def enough_of(rule: GateRule) -> Decimal:
    """The share of recorded turns that must be compared before a rule on replays says anything."""
    return _ENOUGH if rule.compared is None else rule.compared


def bound_of(rule: GateRule) -> str:
    """The limit in few words: `at least 0.90`."""
    if rule.every is not None:
        return "every trial"
    if rule.level is not None:
        return f"worse at most {rule.worse}"
    if rule.of is not None:
        return f"at least {rule.at_least} of {rule.of}"
    if rule.against is not None:
        return f"rise at most {rule.max_rise}" if rule.max_drop is None else f"drop at most {rule.max_drop}"
    if rule.failures is not None:
        return f"failures at most {rule.failures}"
    return f"at least {rule.at_least}" if rule.at_least is not None else f"at most {rule.at_most}"


def _sentence(rule: GateRule, kind: Kind, family: str | None) -> str:
    where = _where(rule, family)
    sure = f", with {percent(float(rule.confidence))} confidence" if rule.confidence is not None else ""
    if rule.generalise:
        sure += ", of scenarios like these"
    match kind:
        case Kind.EVERY_TRIAL:
            return f"every trial of every {rule.tier} scenario passes{where}"
        case Kind.SOME_TRIALS:
            what = f"passes {rule.metric} in" if rule.metric else "passes"
            return f"each scenario {what} {bound_of(rule)} trials{where}"
        case Kind.REPLAYS:
            share = percent(float(enough_of(rule)))
            return (
                f"no more than {rule.worse} recordings are worse than with the current version, replayed at level "
                f"{rule.level}, where at least {share} of their turns can be compared"
            )
        case Kind.COVERAGE:
            episodes = f"{rule.min_n} judged episodes" if rule.min_n else "a judged episode"
            return f"the share of {rule.coverage} with {episodes} is {bound_of(rule)}{where}"
        case Kind.AGAINST:
            way, most = ("drops", rule.max_drop) if rule.max_rise is None else ("rises", rule.max_rise)
            stat = f"{rule.stat} of " if rule.stat else ""
            return f"{stat}{rule.metric} {way} by no more than {most} against {rule.against}{where}{sure}"
        case Kind.NOT_JUDGED:
            what = f" by {rule.metric}" if rule.metric else ""
            return f"no more than {rule.at_most} of the planned episodes are not judged{what}{where}"
        case Kind.FAILURES:
            episodes = f"no more than {rule.failures} episodes" if rule.failures else "no episode"
            return f"{rule.metric} fails in {episodes}{where}{sure}"
        case Kind.LIMIT if rule.pass_hat is not None:
            return f"{rule.stat} of {rule.metric} is {bound_of(rule)}{where}{sure}"
        case Kind.LIMIT if rule.stat is None and rule.per is None:
            return f"{rule.metric} is {bound_of(rule)}{where}{sure}"
        case Kind.LIMIT:
            stat, per = rule.stat or "mean", rule.per or "episode"
            return f"{stat} of {rule.metric} per {per} is {bound_of(rule)}{where}{sure}"


def _where(rule: GateRule, family: str | None) -> str:
    by = [name for name in rule.each if name != "family"]
    if family is not None:
        parts = [f"in {family}"]
    elif rule.metric is not None or rule.of is not None or "family" in rule.each:
        parts = ["in each family"]
    else:
        parts = []
    parts += [f"for each {name}" for name in by]
    if rule.tier is not None and rule.every is None:
        parts.append(f"of tier {rule.tier}")
    if rule.min_n is not None and rule.coverage is None:
        parts.append(f"where there are {rule.min_n} episodes")
    return "".join(f" {part}" for part in parts)
