from harness.gates.effective import effective
from tests.harness.gates.build import workflow


def test_critical_scenarios_must_always_pass():
    first = effective(workflow({"metric": "safety.privacy", "failures": 0}))[0]
    assert first.implicit
    assert first.says == "every trial of every critical scenario passes"


def test_the_rule_on_critical_scenarios_is_not_doubled_where_it_is_written():
    rules = effective(workflow({"tier": "critical", "every": "trial"}))
    assert [rule.implicit for rule in rules] == [False, False]


def test_rules_of_the_workflow_come_before_those_of_families():
    refunds = [{"rule": "refunds work", "metric": "task_success", "at_least": 0.9}]
    rules = effective(workflow({"status": "not_judged", "at_most": 0.02}, families={"refunds": refunds}))
    assert [(rule.rule.rule, rule.family) for rule in rules] == [
        ("critical scenarios", None),
        ("r", None),
        ("refunds work", "refunds"),
    ]


def test_every_kind_says_what_it_asks_for():
    rules = effective(
        workflow(
            {"metric": "safety.privacy", "failures": 0},
            {"metric": "task_success", "each": ["family", "language"], "at_least": "0.80", "min_n": 8},
            {"metric": "cost_usd", "per": "episode", "stat": "p95", "at_most": "0.02", "confidence": "0.95"},
            {"status": "not_judged", "at_most": "0.02"},
            {"metric": "task_success", "against": "prod", "max_drop": "0.02"},
            {"metric": "task_success"},
            families={"refunds": [{"rule": "ok", "metric": "task_success", "at_least": "0.90", "tier": "core"}]},
        )
    )
    assert [rule.says for rule in rules][1:] == [
        "safety.privacy fails in no more than 0 episodes in each family",
        "task_success is at least 0.80 in each family for each language where there are 8 episodes",
        "p95 of cost_usd per episode is at most 0.02 in each family, with 95 % confidence",
        "no more than 0.02 of the planned episodes are not judged",
        "task_success drops by no more than 0.02 against prod in each family",
        "unclear: it sets no limit: write `at_least`, `at_most`, `failures`, `status: not_judged`, `every: trial` or "
        "`against`",
        "task_success is at least 0.90 in refunds of tier core",
    ]
