"""Gates as a whole: several rules and cells, kinds that look at scenarios, and what the design promises of them."""

import pytest

from harness.gates.decide import decide
from harness.gates.plan import Plan, planned, refusals
from harness.model.result import Decision
from tests.harness.gates.build import measured, results, trials, workflow
from tests.harness.gates.test_needs import UNITS, scenarios

SURE = {"metric": "task_success", "at_least": "0.90", "confidence": "0.95"}
STEADY = {"per": "scenario", "at_least": 3, "of": 4}


def rows(found, name="r"):
    return [row for row in found.rules if row.rule == name]


def row(rule, found, **known):
    (only,) = rows(decide(workflow(rule), found, **known))
    return only


def test_one_family_at_nothing_is_red_though_the_mean_is_97_percent():
    families = {"good": [], "dead": []}
    found = [*results("P" * 97, item="g", family="good"), *results("FFF", item="d", family="dead")]
    verdict = decide(workflow({"metric": "task_success", "at_least": "0.90"}, families=families), found)
    assert verdict.decision is Decision.FAILED
    assert {row.cell["family"]: row.decision for row in rows(verdict)} == {
        "dead": Decision.FAILED,
        "good": Decision.PASSED,
    }


def test_one_pass_and_four_faults_are_undecided():
    """Not judged: X codes, of which the agent is not to blame."""
    judged = {"rule": "judged", "status": "not_judged", "at_most": "0.02"}
    plan = workflow({"metric": "task_success", "at_least": "0.90"}, judged)
    assert decide(plan, results("PNNNN")).decision is Decision.UNDECIDED


def test_rules_with_confidence_are_corrected_for_their_number():
    """30 of 30 show 0.90 alone (0.9^30 = 0.042), not as one of two (0.025)."""
    assert decide(workflow(SURE), results("P" * 30)).decision is Decision.PASSED
    two = workflow(SURE, {**SURE, "rule": "again"})
    verdict = decide(two, results("P" * 30))
    assert verdict.decision is Decision.UNDECIDED
    (held,) = rows(verdict)
    assert held.tested is not None
    assert (held.tested.claim, held.tested.among) == ("kept", 2)
    assert held.tested.p == pytest.approx(0.9**30)
    assert held.tested.p_adjusted == pytest.approx(2 * 0.9**30)
    assert held.confidence == held.tested.adjusted == pytest.approx(0.975)
    assert "each with 97.5 % confidence" in held.reason
    assert "about 36 trials would decide, 6 more" in held.reason
    assert "(95 % over 2 rules and cells together, by Holm)" in held.reason
    assert decide(two, results("P" * 36)).decision is Decision.PASSED


def test_a_cell_of_which_nothing_could_be_judged_makes_it_no_easier_for_the_others():
    """30 of 30 show 0.90 alone, and not as one of two cells, whatever became of the other."""
    families = {"f": [], "g": []}
    found = [*results("P" * 30), *results("N" * 30, item="g", family="g")]
    verdict = decide(workflow(SURE, families=families), found)
    assert [row.decision for row in rows(verdict)] == [Decision.UNDECIDED, Decision.UNDECIDED]


def test_a_claim_that_is_made_leaves_the_others_to_fewer():
    """Family f with 60 of 60 is shown among two (0.0018), so that g with 30 of 30 stands alone (0.042)."""
    found = [*results("P" * 60), *results("P" * 30, item="g", family="g")]
    assert decide(workflow(SURE, families={"f": [], "g": []}), found).decision is Decision.PASSED


def test_rules_without_confidence_are_not_corrected():
    (held,) = rows(decide(workflow({"metric": "task_success", "at_least": "0.9"}), results("P" * 9)))
    assert held.tested is None


def test_three_of_four_trials_of_each_scenario():
    steady = [*trials("PPPF", "a"), *trials("PFPP", "b")]
    assert row(STEADY, steady).decision is Decision.PASSED
    short = row(STEADY, [*steady, *trials("PPFF", "c")])
    assert (short.decision, short.shown, short.bound) == (Decision.FAILED, "2 of 4", "at least 3 of 4")
    assert short.reason == "1 of 3 scenarios passed fewer than 3 of 4 trials; the fewest were 2 of 4"


@pytest.mark.parametrize(
    ("outcomes", "decision"),
    [
        ("PPPN", Decision.PASSED),
        ("PPFN", Decision.UNDECIDED),
        ("PFFN", Decision.FAILED),
        ("PPMM", Decision.UNDECIDED),
        ("PPP", Decision.PASSED),
        ("PP", Decision.UNDECIDED),
        ("FF", Decision.FAILED),
        ("PPPPPPFF", Decision.PASSED),
        ("PPPPPFFF", Decision.FAILED),
    ],
)
def test_trials_of_a_scenario_that_are_not_judged_and_more_or_fewer_than_asked_for(outcomes, decision):
    assert row(STEADY, trials(outcomes)).decision is decision


def test_trials_of_each_scenario_may_be_asked_of_a_metric():
    assert row({**STEADY, "metric": "faithfulness"}, trials("PPPF", metric="faithfulness")).decision is Decision.PASSED


@pytest.mark.parametrize("outcomes", ["FF", "FN", "NN"])
def test_what_is_not_judged_does_pass_hat_k_no_good(outcomes):
    """Of two scenarios one never passes twice: pass^2 is one half, whether that is known or may be so."""
    for limit, decision in (("0.5", Decision.PASSED), ("0.6", Decision.FAILED if outcomes != "NN" else "undecided")):
        rule = {"metric": "task_success", "stat": "pass^2", "at_least": limit}
        assert row(rule, [*trials("PP", "a"), *trials(outcomes, "b")]).decision == decision


def test_pass_hat_k():
    """(C(3, 3) + C(4, 3)) / 2 / C(4, 3) = (1 + 4) / 8."""
    rule = {"metric": "task_success", "stat": "pass^3", "at_least": "0.6"}
    held = row(rule, [*trials("PPPF", "a"), *trials("PPPP", "b")])
    assert (held.decision, held.figure) == (Decision.PASSED, 0.625)
    assert held.low is not None
    assert held.low < 0.625 < held.high
    assert row({**rule, "at_least": "0.7"}, [*trials("PPPF", "a"), *trials("PPPP", "b")]).decision is Decision.FAILED
    assert row(rule, trials("PP")).decision is Decision.UNDECIDED
    assert row(rule, trials("PPPN")).decision is Decision.UNDECIDED, "with the open one failed it is 1/4"


def test_scenarios_like_these_are_bounded_by_how_many_there_are():
    """28 scenarios of ten clean trials each do not show 0.90 (0.9^28 = 0.052), 29 do."""
    many = [each for n in range(29) for each in trials("P" * 10, f"s{n}")]
    general = {**SURE, "generalise": "true"}
    assert row(general, many).decision is Decision.PASSED
    fewer = row(general, many[:280])
    assert fewer.decision is Decision.UNDECIDED
    assert "only more scenarios: about 29 at this rate, 1 more" in fewer.reason
    assert row(SURE, many[:280]).decision is Decision.PASSED, "of these scenarios it is shown"


def test_a_deterministic_agent_is_exact_for_these_scenarios_and_not_for_others():
    found = [each for n in range(5) for each in trials("PP", f"s{n}")]
    plain = {"metric": "task_success", "at_least": "0.9"}
    assert row(plain, found, deterministic=True).exact
    general = row({**plain, "generalise": "true"}, found, deterministic=True)
    assert not general.exact
    assert general.low == pytest.approx(0.025 ** (1 / 5))


def test_failures_none_of_which_was_seen_are_bounded_by_scenario_if_asked():
    """None of 3 scenarios: 1 - 0.05^(1/3) = 0.632."""
    found = [each for n in range(3) for each in trials("PPPP", f"s{n}")]
    zero = {"metric": "task_success", "failures": 0}
    assert "at most 0.221 with 95 % confidence" in row(zero, found).reason, "1 - 0.05^(1/12)"
    assert "at most 0.632 with 95 % confidence" in row({**zero, "generalise": "true"}, found).reason


def test_a_cost_of_scenarios_like_these_takes_ten_of_them():
    rule = {"metric": "cost_usd", "at_most": "2", "confidence": "0.95", "generalise": "true"}
    assert "it takes 10 scenarios at least" in row(rule, measured([1.0] * 9)).reason
    assert row(rule, measured([1.0 + n / 100 for n in range(10)])).decision is Decision.PASSED


def refused(plan, known, trials_):
    return [text for _, text in refusals(Plan(plan, known, UNITS, trials_))]


def test_what_no_result_of_the_planned_trials_could_satisfy():
    assert "it takes 4 trials of each scenario, and 3 are planned" in refused(workflow(STEADY), scenarios(9), 3)[0]
    assert refused(workflow(STEADY), scenarios(1), 4) == []
    hat = {"metric": "task_success", "stat": "pass^3", "at_least": "0.9"}
    assert "it takes 3 trials of each scenario" in refused(workflow(hat), scenarios(9), 2)[0]
    assert refused(workflow(hat), scenarios(9), 3) == []
    sure = workflow({**hat, "confidence": "0.95"})
    assert "it takes 87 trials without a failure, and 45 are planned: play 12" in refused(sure, scenarios(9), 5)[0]
    assert refused(sure, scenarios(9), 11) != [], "3 blocks of 3 of each of 9 scenarios are 27, not 29"
    assert refused(sure, scenarios(9), 12) == []
    general = workflow({**SURE, "generalise": "true"})
    assert "it takes 29 scenarios without a failure, and there are 9" in refused(general, scenarios(9), 99)[0]
    assert refused(general, scenarios(29), 1) == []


def test_what_is_corrected_takes_more_trials_and_is_refused_by_that():
    two = workflow(SURE, {**SURE, "rule": "again"})
    texts = refused(two, scenarios(30), 1)
    assert len(texts) == 2
    assert "it takes 36 trials without a failure, corrected for 2 rules and cells, and 30 are planned" in texts[0]
    assert refused(two, scenarios(36), 1) == []


def test_what_a_plan_needs_is_what_its_clean_run_shows():
    """However many scenarios: a plan is refused if and only if the run in which every trial passes is not green."""
    for count in range(20, 80, 3):
        plan = workflow(SURE, {**SURE, "rule": "b", "at_least": "0.95"}, {**SURE, "rule": "c", "at_least": "0.8"})
        met = all(each.met for each in planned(Plan(plan, scenarios(count), UNITS, 1)))
        assert met == (decide(plan, results("P" * count)).decision is Decision.PASSED), count
