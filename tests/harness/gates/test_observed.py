"""Gates over conversations that nobody chose or played."""

from __future__ import annotations

from harness.gates.decide import decide
from harness.model.result import Decision
from tests.harness.gates.build import results, workflow

WORKS = {"rule": "works", "metric": "task_success", "at_least": 0.9}
TIERED = {"rule": "must pass", "tier": "critical", "every": "trial"}
BY_LANGUAGE = {"rule": "by language", "metric": "task_success", "each": ["language"], "at_least": 0.5}
JUDGED = {"rule": "judged", "status": "not_judged", "at_most": 0.1}


def rows(verdict, name):
    return [row for row in verdict.rules if row.rule == name]


def test_rules_that_no_conversation_falls_under_are_skipped_and_say_why():
    team = workflow(TIERED, BY_LANGUAGE, JUDGED, families={"f": [WORKS], "other": [{**WORKS, "rule": "elsewhere"}]})
    verdict = decide(team, results("PPPP"), observed=True)
    assert verdict.decision is Decision.PASSED
    skipped = {row.rule: row.reason for row in verdict.rules if row.decision is Decision.SKIPPED}
    assert skipped["must pass"] == "no conversation falls under the rule"
    assert skipped["elsewhere"] == "no conversation falls under the rule"
    assert skipped["by language"].startswith("the conversations have no such slice (--slice NAME=ATTRIBUTE gives one)")
    assert decide(team, results("PPPP")).decision is Decision.UNDECIDED  # of played ones each would be a hole


def test_a_metric_that_applies_to_none_of_them_is_skipped():
    verdict = decide(workflow(JUDGED, families={"f": [WORKS]}), results("AAA", metric="task_success"), observed=True)
    assert rows(verdict, "works")[0].decision is Decision.SKIPPED
    assert decide(workflow(families={"f": [WORKS]}), results("AAA"), observed=True).decision is Decision.UNDECIDED


def test_shares_have_exact_bounds_over_conversations():
    """19 of 20: 0.95, whose one-sided 97.5 % Clopper-Pearson bounds are 0.7513 and 0.9987."""
    verdict = decide(workflow(families={"f": [WORKS]}), results("P" * 19 + "F"), observed=True)
    (row,) = rows(verdict, "works")
    assert (row.decision, row.figure, row.n) == (Decision.PASSED, 0.95, 20)
    assert (round(row.low, 4), round(row.high, 4)) == (0.7513, 0.9987)


def test_zero_tolerance_and_the_share_not_judged_hold():
    none = {"rule": "none", "metric": "task_success", "failures": 0}
    assert decide(workflow(none), results("PPF"), observed=True).decision is Decision.FAILED
    assert decide(workflow(none, JUDGED), results("PPN"), observed=True).decision is not Decision.PASSED


def test_too_few_to_hold_a_rule_leave_it_undecided():
    many = {**WORKS, "min_n": 8}
    assert decide(workflow(families={"f": [many]}), results("PPP"), observed=True).decision is Decision.UNDECIDED
