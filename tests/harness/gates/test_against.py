"""Rules against a baseline, as decide() holds them."""

from dataclasses import replace

import pytest

from harness.gates.decide import decide
from harness.model.baseline import Baseline
from harness.model.result import Decision
from harness.model.status import Measure
from tests.harness.gates.build import measured, result, results, trials, workflow

RULE = {"metric": "task_success", "against": "prod", "max_drop": "0.02"}
SURE = {**RULE, "confidence": "0.95"}
COST = {"metric": "cost_usd", "against": "prod", "max_rise": "0.10"}


def held(rule, new, old, **known):
    """The rows of a rule over new results, with the old ones as baseline `prod`."""
    baseline = Baseline("prod", "run-1", tuple(old), **known)
    verdict = decide(workflow(rule), new, baselines={"prod": baseline})
    return [row for row in verdict.rules if row.rule == "r"]


def one(rule, new, old, **known):
    (row,) = held(rule, new, old, **known)
    return row


def test_the_drop_of_paired_episodes_decides():
    row = one(RULE, results("P" * 95 + "FFFPP"), results("P" * 95 + "PPPFF"))
    assert row.decision is Decision.PASSED
    assert (row.figure, row.shown, row.bound) == (0.01, "0.01", "drop at most 0.02")
    assert "3 of 100 pairs got worse and 2 better: a drop of 0.01, 0.02 allowed against prod" in row.reason
    assert one(RULE, results("P" * 97 + "FFF"), results("P" * 100)).decision is Decision.FAILED


def test_better_is_never_worse():
    row = one(RULE, results("P" * 10), results("F" * 10))
    assert (row.decision, row.figure) == (Decision.PASSED, -1)


def test_with_confidence_the_upper_bound_of_the_drop_decides():
    """0.98^149 < 0.05 < 0.98^148: so many pairs, none worse, show a drop under 2 %."""
    assert one(SURE, results("P" * 149), results("P" * 149)).decision is Decision.PASSED
    undecided = one(SURE, results("P" * 148), results("P" * 148))
    assert undecided.decision is Decision.UNDECIDED
    assert "at this rate about 149 pairs would decide, 1 more" in undecided.reason
    assert one(SURE, results("P" * 50 + "F" * 50), results("P" * 100)).decision is Decision.FAILED
    assert one(SURE, results("P" * 99 + "F"), results("P" * 100)).decision is Decision.UNDECIDED


def test_what_is_not_judged_on_either_side_may_be_the_worst():
    assert one(RULE, results("P" * 99 + "N"), results("P" * 100)).decision is Decision.PASSED
    assert one(RULE, results("P" * 97 + "NNN"), results("P" * 100)).decision is Decision.UNDECIDED
    assert one(RULE, results("P" * 97 + "FFF"), results("P" * 97 + "NNN")).decision is Decision.UNDECIDED
    assert one(RULE, results("P" * 95 + "FFFFF"), results("PNN" + "P" * 97)).decision is Decision.FAILED
    assert one(RULE, results("NNN"), results("PPP")).decision is Decision.UNDECIDED


def test_what_has_no_twin_is_told_and_not_compared():
    row = one(RULE, [*results("PPP"), *results("FF", item="new")], results("PPP"))
    assert row.decision is Decision.PASSED
    assert row.n == 3
    assert "2 not compared: not in the baseline" in row.reason


def test_scenarios_of_the_baseline_that_are_here_no_more_are_told():
    """A scenario that failed and was taken out makes no version better."""
    gone = results("PF", item="gone")
    row = one(RULE, results("PPP"), [*results("PPP"), *gone])
    assert (row.decision, row.n) == (Decision.PASSED, 3)
    assert "2 scenarios of the baseline are not rated here: gone0, gone1" in row.reason
    elsewhere = [*results("P", item="x", family="g"), *results("P", item="y", tier="explore")]
    assert "not rated here" not in one(RULE, results("PPP"), [*results("PPP"), *elsewhere]).reason
    plan, baseline = workflow(RULE), Baseline("prod", "run-1", (*results("PPP"), *gone))
    part = decide(plan, results("PPP"), "--only s", baselines={"prod": baseline})
    assert not any("not rated here" in row.reason for row in part.rules)


def test_a_scenario_that_changed_is_not_compared():
    row = one(RULE, results("FPP"), results("PPP"), changed_items={"s0": "its text"})
    assert row.decision is Decision.PASSED
    assert "1 not compared: changed since (its text)" in row.reason


def test_a_metric_that_is_scored_otherwise_now_is_not_compared():
    row, *_ = held(RULE, results("PPP"), results("PPP"), changed_metrics={"task_success": "version 1, now 2"})
    assert row.decision is Decision.UNDECIDED
    assert "task_success is scored otherwise now (version 1, now 2)" in row.reason


def test_a_new_family_has_nothing_to_be_compared_with_and_others_decide():
    new = [*results("PP"), *results("PP", item="g", family="g")]
    rows = held(RULE, new, results("PP"))
    assert [(row.cell["family"], row.decides, row.decision) for row in rows] == [
        ("f", True, Decision.PASSED),
        ("g", False, Decision.SKIPPED),
    ]


def test_without_its_baseline_a_rule_is_skipped_or_if_required_undecided():
    for required, decision in (("false", Decision.SKIPPED), ("true", Decision.UNDECIDED)):
        verdict = decide(workflow({**RULE, "required": required}), results("P"))
        assert [row.decision for row in verdict.rules if row.rule == "r"] == [decision]


def test_trials_are_paired_by_number():
    row = one(RULE, trials("PF"), trials("FP"))
    assert "1 of 2 pairs got worse and 1 better" in row.reason


def test_with_generalise_a_scenario_is_one_observation():
    """Two of 200 scenarios lost all their trials: 8 of 800 pairs, and the bound of 2 of 200."""
    old = [each for n in range(200) for each in trials("PPPP", f"s{n}")]
    new = [each for n in range(200) for each in trials("FFFF" if n < 2 else "PPPP", f"s{n}")]
    wide = {**SURE, "max_drop": "0.05", "generalise": "true"}
    assert one(wide, new, old).high == pytest.approx(one(SURE, results("FF" + "P" * 198), results("P" * 200)).high)
    assert one({**SURE, "max_drop": "0.05"}, new, old).high < one(wide, new, old).high


def test_a_measure_may_rise_by_a_share_of_the_baseline():
    old = measured([1.0, 2.0, 3.0])
    assert one(COST, measured([1.1, 2.2, 3.3]), old).decision is Decision.PASSED
    row = one(COST, measured([1.2, 2.4, 3.6]), old)
    assert (row.decision, row.shown, row.bound) == (Decision.FAILED, "0.2", "rise at most 0.10")
    assert "mean 2.4 against 2 in prod over 3 pairs: a rise by 0.2 of it, 0.10 allowed" in row.reason
    assert one(COST, measured([0.5, 1.0, 1.5]), old).figure == -0.5


def test_a_quantile_may_rise_too_and_then_figures_decide():
    rule = {**COST, "stat": "p95"}
    old = measured([1.0] * 19 + [2.0])
    assert one(rule, measured([1.05] * 19 + [9.0]), old).decision is Decision.PASSED
    assert one(rule, measured([1.0] * 18 + [2.0, 2.0]), old).decision is Decision.FAILED


def test_with_confidence_bounds_on_both_quantiles_decide():
    """Of 80 values a 95th percentile is bounded by the largest and the 72nd: P(Binomial(80, 0.95) >= 72) = 0.982."""
    rule = {**COST, "stat": "p95", "max_rise": "0.30", "confidence": "0.95"}
    old = [1 + n / 400 for n in range(80)]
    assert one(rule, measured(old), measured(old)).decision is Decision.PASSED
    assert one(rule, measured([2 * value for value in old]), measured(old)).decision is Decision.FAILED
    open_ = one({**rule, "max_rise": "0.01"}, measured(old), measured(old))
    assert open_.decision is Decision.UNDECIDED
    assert "pairs would decide" in open_.reason
    assert one(rule, measured(old[:60]), measured(old[:60])).decision is Decision.UNDECIDED


def test_a_rise_that_is_undecided_says_how_many_pairs_would_decide():
    old = [1.0 + n / 50 for n in range(40)]
    new = [value * (1.5 if n % 2 else 0.6) for n, value in enumerate(old)]
    row = one({**COST, "confidence": "0.95"}, measured(new), measured(old))
    assert row.decision is Decision.UNDECIDED
    assert "at these values about" in row.reason
    assert "pairs would decide" in row.reason


def test_a_measure_of_which_more_is_better_may_drop():
    rule = {"metric": "csat", "against": "prod", "max_drop": "0.10"}
    old = [scored(n, value) for n, value in enumerate([4, 5, 3])]
    assert one(rule, [scored(n, value) for n, value in enumerate([4, 4, 3])], old).decision is Decision.PASSED
    assert one(rule, [scored(n, value) for n, value in enumerate([3, 4, 2])], old).decision is Decision.FAILED


def scored(number, value):
    return replace(result("P", f"s{number}"), scores={"csat": Measure("points", value)})


def test_a_drop_is_not_asked_of_what_is_better_low():
    row = one({**RULE, "metric": "cost_usd"}, measured([1.0]), measured([1.0]))
    assert row.decision is Decision.UNDECIDED
    assert "less of cost_usd is better: write `max_rise: 0.02`" in row.reason


def test_a_rise_with_confidence_is_bounded_in_pairs():
    old = [1.0 + n / 50 for n in range(40)]
    close = [value * (1.02 if n % 2 else 1.0) for n, value in enumerate(old)]
    sure = {**COST, "confidence": "0.95"}
    assert one(sure, measured(close), measured(old)).decision is Decision.PASSED
    noisy = [value * (1.8 if n % 2 else 0.3) for n, value in enumerate(old)]
    assert one(sure, measured(noisy), measured(old)).decision is Decision.UNDECIDED
    assert one(sure, measured([2 * value for value in close]), measured(old)).decision is Decision.FAILED


@pytest.mark.parametrize("side", ["new", "old"])
def test_a_cost_that_is_not_known_leaves_it_undecided(side):
    whole, holed = [1.0] * 5, [1.0] * 4 + [None]
    new, old = (holed, whole) if side == "new" else (whole, holed)
    row = one(COST, measured(new), measured(old))
    assert row.decision is Decision.UNDECIDED
    assert "1 not known" in row.reason


def test_a_figure_of_nothing_has_no_share():
    assert one(COST, measured([0.0, 0.0]), measured([0.0, 0.0])).decision is Decision.PASSED
    assert one(COST, measured([0.1, 0.0]), measured([0.0, 0.0])).decision is Decision.UNDECIDED


def test_an_episode_that_failed_is_counted_by_the_rule_that_compared_it():
    verdict = decide(workflow(RULE), results("F"), baselines={"prod": Baseline("prod", "r", tuple(results("F")))})
    assert verdict.decision is Decision.PASSED
    assert verdict.uncounted == ()


@pytest.mark.parametrize(("required", "decision"), [(False, Decision.SKIPPED), (True, Decision.UNDECIDED)])
def test_a_run_is_not_held_against_itself(required, decision):
    rows = results("P")
    itself = {"prod": Baseline("prod", rows[0].key.run, tuple(rows))}
    verdict = decide(workflow({**RULE, "required": required}), rows, baselines=itself)
    (row,) = (row for row in verdict.rules if row.rule == "r")
    assert row.decision is decision
    assert "this run is the baseline `prod` itself" in row.reason
    assert verdict.decision is Decision.UNDECIDED, "nothing else decides"
