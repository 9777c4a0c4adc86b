from harness.gates.effective import effective
from harness.model.workflow import Rule
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
            {"per": "scenario", "at_least": 3, "of": 4},
            {"coverage": "clauses", "at_least": "0.9", "min_n": 2},
            {"metric": "task_success", "stat": "pass^3", "at_least": "0.7", "generalise": "true", "confidence": "0.9"},
            {"metric": "cost_usd", "against": "prod", "max_rise": "0.10"},
            families={"refunds": [{"rule": "ok", "metric": "task_success", "at_least": "0.90", "tier": "core"}]},
        )
    )
    assert [rule.says for rule in rules][1:] == [
        "safety.privacy fails in no episode in each family",
        "task_success is at least 0.80 in each family for each language where there are 8 episodes",
        "p95 of cost_usd per episode is at most 0.02 in each family, with 95 % confidence",
        "no more than 0.02 of the planned episodes are not judged",
        "task_success drops by no more than 0.02 against prod in each family",
        "unclear: it sets no limit: write `at_least`, `at_most`, `failures`, `status: not_judged`, `every: trial`, "
        "`coverage`, `against` or, on replays, `level` with `worse`",
        "each scenario passes at least 3 of 4 trials in each family",
        "the share of clauses with 2 judged episodes is at least 0.9",
        "pass^3 of task_success is at least 0.7 in each family, with 90 % confidence, of scenarios like these",
        "cost_usd rises by no more than 0.10 against prod in each family",
        "task_success is at least 0.90 in refunds of tier core",
    ]


def with_rules(*gate, families=None):
    rules = [{"id": "ask-first", "never": ["cancel"]}, {"id": "limit", "never": ["refund"]}]
    own = [Rule.model_validate(each) for each in rules]
    return workflow(*gate, families=families).model_copy(update={"rules": own})


def implicit(plan):
    return [(rule.rule.rule, rule.family, rule.says) for rule in effective(plan) if rule.implicit][1:]


def test_rules_of_the_workflow_hold_in_every_episode_without_a_line_of_the_gate():
    assert implicit(with_rules()) == [
        ("ask-first", None, "rule.ask-first fails in no episode in each family"),
        ("limit", None, "rule.limit fails in no episode in each family"),
    ]


def test_a_line_on_a_rule_of_the_workflow_stands_instead():
    own = {"metric": "rule.ask-first", "at_least": "0.9"}
    assert [name for name, *_ in implicit(with_rules(own))] == ["limit"]


def test_a_familys_line_on_a_rule_stands_instead_in_that_family_alone():
    own = {"rule": "asks", "metric": "rule.ask-first", "at_least": "0.9"}
    assert [(name, family) for name, family, _ in implicit(with_rules(families={"f": [own], "g": [], "h": []}))] == [
        ("ask-first", "g"),
        ("ask-first", "h"),
        ("limit", None),
    ]
