from dataclasses import replace

from harness.gates.coverage import clauses_of
from harness.gates.decide import decide
from harness.gates.plan import Plan, refusals
from harness.model.material import Clause, Document
from harness.model.result import Decision
from harness.model.scenario import Scenario
from harness.model.workflow import Rule
from tests.harness.gates.build import OUTCOMES, result, results, workflow

ALL = {"coverage": "clauses", "at_least": 1}
CLAUSES = {"R1": ("s0",), "R2": ("s1", "s2"), "R3": ()}


def row(rule, found, clauses=CLAUSES, partial=None, plan=None):
    plan = plan or workflow(rule)
    verdict = decide(plan, found, partial, clauses=clauses)
    return next(each for each in verdict.rules if each.rule == "r")


def test_a_clause_that_no_episode_exercises_is_a_hole():
    held = row(ALL, results("PPP"))
    assert held.decision is Decision.FAILED
    assert held.n == 3
    assert held.reason == "2 of 3 clauses have a judged episode (0.667), 1 asked for; not: R3"
    assert row({**ALL, "at_least": "0.6"}, results("PPP")).decision is Decision.PASSED


def test_failed_episodes_exercise_a_clause_too_and_unjudged_ones_may_have():
    assert row({**ALL, "at_least": "0.6"}, results("FFF")).decision is Decision.PASSED
    assert row({**ALL, "at_least": "0.6"}, results("NPP")).decision is Decision.UNDECIDED


def test_min_n_asks_for_so_many_of_each():
    assert row({**ALL, "at_least": "0.3", "min_n": 2}, results("PPP")).decision is Decision.PASSED
    assert row({**ALL, "at_least": "0.6", "min_n": 2}, results("PPP")).decision is Decision.FAILED


def test_a_rule_of_the_workflow_exercises_its_clause_wherever_it_applies():
    plan = workflow(ALL).model_copy(update={"rules": [Rule(id="ask", clause="R3", never=["cancel"])]})
    applied = [replace(each, scores={**each.scores, "rule.ask": OUTCOMES["P"]}) for each in results("PPP")]
    assert row(ALL, applied, plan=plan).decision is Decision.PASSED
    idle = [replace(each, scores={**each.scores, "rule.ask": OUTCOMES["A"]}) for each in results("PPP")]
    assert row(ALL, idle, plan=plan).decision is Decision.FAILED


def test_a_family_without_a_judged_episode_is_a_hole():
    plan = workflow({"coverage": "families", "at_least": 1}, families={"f": [], "g": []})
    assert row(None, results("PP"), plan=plan).reason.endswith("not: g")
    both = [*results("PP"), result("P", "g0", family="g")]
    assert row(None, both, plan=plan).decision is Decision.PASSED


def test_explore_covers_nothing_and_a_part_is_not_held_to_it():
    assert row(ALL, [*results("P"), result("P", "s1", tier="explore")]).reason.endswith("not: R2, R3")
    assert row(ALL, results("P"), partial="--only s0").decision is Decision.SKIPPED


def test_a_policy_without_clauses_covers_nothing():
    assert row(ALL, results("P"), clauses={}).decision is Decision.UNDECIDED


def test_coverage_counts_no_failed_episode():
    verdict = decide(workflow({**ALL, "at_least": "0.1"}), results("FPP"), clauses=CLAUSES)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.uncounted


def scenario(name, *clauses):
    return Scenario.model_validate(
        {"id": name, "family": "f", "user": {"turns": ["Hello"]}, "expect": {}, "clauses": list(clauses)}
    )


def test_clauses_and_the_scenarios_about_them():
    document = Document("p.md", "", tuple(Clause(id_, "", "", "p.md") for id_ in ("R1", "R2")))
    assert clauses_of([document], [scenario("a", "R1"), scenario("b", "R1")]) == {"R1": ("a", "b"), "R2": ()}


def refused(rule, clauses, trials=1, plan=None):
    plan = plan or workflow(rule)
    found = refusals(Plan(plan, [scenario("s0", "R1"), scenario("s1", "R2")], {}, trials, clauses))
    return [text for _, text in found]


def test_what_no_planned_episode_covers_is_refused():
    (text,) = refused(ALL, CLAUSES)
    assert text == (
        "gate rule `r`: 2 of 3 clauses are planned to be exercised, 1 asked for; not: R3: add scenarios, or ask for "
        "less"
    )
    assert refused({**ALL, "at_least": "0.6"}, CLAUSES) == []
    assert "not: R1, R2, R3" in refused({**ALL, "min_n": 2}, CLAUSES)[0]
    assert refused({**ALL, "min_n": 2, "at_least": "0.6"}, CLAUSES, trials=2) == []
    assert "no numbered clauses" in refused(ALL, {})[0]


def test_a_clause_that_a_rule_is_about_may_come_up_anywhere():
    plan = workflow(ALL).model_copy(update={"rules": [Rule(id="ask", clause="R3", never=["cancel"])]})
    assert refused(ALL, CLAUSES, plan=plan) == []


def test_coverage_is_of_the_whole_workflow():
    plan = workflow(families={"f": [{"rule": "r", **ALL}]})
    assert "write it under the workflow's `gate`" in refused(None, CLAUSES, plan=plan)[0]
