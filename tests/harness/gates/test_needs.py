import pytest

from harness.gates.decide import decide
from harness.gates.kinds import UnclearRule
from harness.gates.needs import need_of
from harness.gates.plan import Plan
from harness.gates.plan import refusals as refused
from harness.model.result import Decision
from harness.model.scenario import Scenario
from harness.model.source import Where
from tests.harness.gates.build import results, rule, workflow

UNITS = {"task_success": None, "cost_usd": "USD", "turns": "turns"}


def refusals(plan, known, trials=None):
    return [text for _, text in refused(Plan(plan, known, UNITS, trials or plan.trials))]


def scenarios(count: int, family: str = "f", **more: object) -> list[Scenario]:
    return [
        Scenario.model_validate(
            {"id": f"{family}{n}", "family": family, "user": {"turns": ["Hello"]}, "expect": {}, **more}
        )
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("keys", "needed"),
    [
        ({"metric": "task_success", "at_least": 0.9}, 1),
        ({"metric": "task_success", "at_least": 0.9, "min_n": 8}, 8),
        ({"metric": "task_success", "at_least": 0.9, "confidence": 0.95}, 29),
        ({"metric": "task_success", "at_least": 0.9, "confidence": 0.95, "min_n": 40}, 40),
        ({"metric": "cost_usd", "stat": "p95", "at_most": 1, "confidence": 0.95}, 59),
        ({"metric": "score", "stat": "p90", "at_least": 1, "confidence": 0.95}, 2),
        ({"metric": "cost_usd", "stat": "mean", "at_most": 1, "confidence": 0.95}, 10),
        ({"metric": "cost_usd", "stat": "p95", "against": "prod", "max_rise": 0.1, "confidence": 0.95}, 72),
        ({"metric": "task_success", "against": "prod", "max_drop": 0.02, "confidence": 0.95}, 149),
        ({"metric": "safety.privacy", "failures": 0}, 1),
        ({"tier": "critical", "every": "trial"}, 1),
    ],
)
def test_clean_trials_that_a_rule_needs(keys, needed):
    assert str(need_of(rule(**keys))) == str(needed)


def test_nothing_proves_a_rate_of_one():
    with pytest.raises(UnclearRule, match="ask for `failures: 0`"):
        need_of(rule(metric="task_success", at_least=1, confidence=0.95))


def test_a_rule_that_the_plan_can_satisfy_is_not_refused():
    sure = {"metric": "task_success", "at_least": 0.9, "confidence": 0.95}
    assert refusals(workflow(sure, trials=3), scenarios(10)) == []
    assert refusals(workflow({"metric": "task_success", "at_least": 0.9}), scenarios(1)) == []


def test_a_bound_that_the_planned_trials_cannot_reach_is_refused_with_what_would():
    sure = {"metric": "task_success", "at_least": 0.9, "confidence": 0.95}
    assert refusals(workflow(sure, trials=2), scenarios(10)) == [
        "gate rule `r`: f: it takes 29 trials without a failure, and 20 are planned: "
        "play 3 trials of each scenario, add scenarios, or ask for less"
    ]
    assert refusals(workflow(sure, trials=2), scenarios(10), trials=3) == []


def test_a_rule_whose_cells_are_all_too_small_is_refused():
    small = {"metric": "task_success", "each": ["family", "language"], "at_least": 0.8, "min_n": 8}
    assert refusals(workflow(small, trials=2), scenarios(3, slices={"language": "en"})) == [
        "gate rule `r`: it needs 8 episodes in a cell, and at most 6 are planned: add scenarios or trials"
    ]


def test_cells_below_min_n_do_not_refuse_a_rule_that_others_decide():
    small = {"metric": "task_success", "each": ["language"], "at_least": 0.8, "min_n": 3}
    many = [*scenarios(3, slices={"language": "en"}), *scenarios(1, slices={"language": "es"})]
    assert refusals(workflow(small), many) == []


def test_unclear_rules_are_refused_with_their_place():
    unclear = {"metric": "task_success", "$at": Where("workflow.yaml", 12, 5)}
    ((at, text),) = refused(Plan(workflow(unclear), scenarios(1), UNITS, 1))
    assert at == Where("workflow.yaml", 12, 5)
    assert text.startswith("gate rule `r`: it sets no limit")


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"metric": "task_success", "at_least": 90}, "write 0.90 for 90 %"),
        ({"metric": "turns", "at_most": -1}, "turns is never below 0, so it can't be at most -1"),
        ({"metric": "task_success", "at_least": "-0.1"}, "its share lies between 0 and 1: not -0.1"),
        ({"metric": "task_success", "at_most": "0.1"}, "task_success passes or fails: ask for `at_least` of its share"),
        ({"metric": "task_success", "at_least": "0.9", "stat": "p95"}, "without `stat` and `per`"),
        ({"metric": "task_success", "at_least": "0.9", "per": "success"}, "without `stat` and `per`"),
        ({"metric": "turns", "failures": 0}, "turns is a measure, which neither passes nor fails"),
    ],
)
def test_a_rule_that_does_not_fit_its_metric_is_refused(keys, told):
    (text,) = refusals(workflow(keys), scenarios(1))
    assert told in text
    assert refusals(workflow({"metric": "turns", "at_least": 90}), scenarios(1)) == []


def test_a_row_of_the_map_without_a_scenario_is_a_hole_and_no_mistake():
    """Its rule is undecided when the gate is, so the hole can't be overlooked."""
    families = {"f": [], "g": [{"rule": "g works", "metric": "task_success", "at_least": 0.9}]}
    hole = workflow(families=families)
    assert refusals(hole, scenarios(1)) == []
    assert decide(hole, results("P")).decision is Decision.UNDECIDED


def test_a_drop_is_refused_only_where_not_even_a_better_version_would_show_it():
    """149 pairs that are just as good, and 8 that are all better, show a drop under 2 %: 0.98^149 < 0.05."""
    sure = {"metric": "task_success", "against": "prod", "max_drop": 0.02, "confidence": 0.95}
    assert refusals(workflow(sure), scenarios(20)) == []
    (text,) = refusals(workflow(sure), scenarios(2))
    assert "it takes 149 trials without a failure" in text


def test_no_drop_at_all_is_shown_by_a_version_that_is_better():
    none = {"metric": "task_success", "against": "prod", "max_drop": 0, "confidence": 0.95}
    assert refusals(workflow(none), scenarios(20)) == []
    assert need_of(rule(**none)).episodes < 20


def test_rules_on_replays_are_of_the_whole_workflow():
    families = {"f": [{"rule": "replays", "level": "turns", "worse": 3}]}
    (text,) = refusals(workflow(families=families), scenarios(1))
    assert "replays are of the whole workflow" in text
