from decimal import Decimal

import pytest

from harness.gates.decide import decide
from harness.gates.plan import Plan, refusals
from harness.model.result import Decision, UntilDecided
from harness.model.scenario import Scenario
from tests.harness.gates.build import measured, results, trials, workflow

SURE = {"metric": "task_success", "at_least": "0.80", "confidence": 0.95}
UNTIL = UntilDecided(planned=4, most=20)


def row(verdict, name="r"):
    return next(row for row in verdict.rules if row.rule == name)


def test_a_share_with_confidence_is_held_by_a_bound_that_holds_at_every_look():
    fixed = row(decide(workflow(SURE), trials("P" * 16)))
    looked = row(decide(workflow(SURE), trials("P" * 16), until=UNTIL))
    assert (fixed.decision, fixed.sequential) == (Decision.PASSED, False)  # 14 are enough for a fixed number
    assert (looked.decision, looked.sequential) == (Decision.UNDECIDED, True)  # it takes 17
    assert looked.wants == ("s",)
    assert looked.low < fixed.low
    decided = row(decide(workflow(SURE), trials("P" * 17), until=UNTIL))
    assert (decided.decision, decided.wants) == (Decision.PASSED, ())


def test_it_fails_by_such_a_bound_too():
    assert row(decide(workflow(SURE), trials("F" * 4), until=UNTIL)).decision is Decision.FAILED
    assert row(decide(workflow(SURE), trials("PFFF"), until=UNTIL)).decision is Decision.UNDECIDED


def test_only_whole_rounds_of_a_cell_count():
    """The second scenario has four trials, so that of the first no more are looked at; else it would weigh more."""
    found = row(decide(workflow(SURE), [*trials("P" * 16, "one"), *trials("PPPP", "two")], until=UNTIL))
    assert (found.n, found.planned, found.wants) == (8, 20, ("one", "two"))


def test_what_is_beyond_the_rounds_is_not_uncounted():
    verdict = decide(workflow(SURE), [*trials("PPPPF", "one"), *trials("PPPP", "two")], until=UNTIL)
    assert (row(verdict).failed, verdict.uncounted) == (0, ())


@pytest.mark.parametrize(
    "rule",
    [
        {"metric": "task_success", "at_least": "0.80"},
        {"metric": "task_success", "at_least": "0.80", "confidence": 0.95, "generalise": True},
        {"metric": "task_success", "at_least": "0.10", "confidence": 0.95, "stat": "pass^2"},
    ],
)
def test_what_has_no_such_bound_is_decided_on_the_planned_trials_and_wants_no_more(rule):
    found = row(decide(workflow(rule), trials("PPPP" + "F" * 12), until=UNTIL))
    assert (found.n, found.sequential, found.wants) == (4, False, ())


def test_so_is_a_measure():
    rule = {"metric": "cost_usd", "at_least": "0.1", "confidence": 0.95}
    found = row(decide(workflow(rule), measured([Decimal("0.2")] * 3), until=UNTIL))
    assert (found.sequential, found.wants) == (False, ())


@pytest.mark.parametrize("rule", [{"metric": "task_success", "failures": 0}, {"tier": "core", "every": "trial"}])
def test_a_failure_counts_whenever_it_came(rule):
    assert row(decide(workflow(rule), trials("P" * 12 + "F"), until=UNTIL)).decision is Decision.FAILED


def test_no_more_is_wanted_where_no_result_could_decide():
    """Of four trials of five at most, one failed: neither four passes nor as many failures leave 0.8 behind."""
    assert row(decide(workflow(SURE), trials("PPPF"), until=UntilDecided(4, 5))).wants == ()
    assert row(decide(workflow(SURE), trials("PPPF"), until=UntilDecided(4, 60))).wants == ("s",)


@pytest.mark.parametrize("outcomes", ["NNNN", "AAAA"])
def test_no_more_is_wanted_where_nothing_could_be_judged(outcomes):
    assert row(decide(workflow(SURE), trials(outcomes), until=UNTIL)).wants == ()


def test_what_was_not_judged_may_have_failed_or_passed():
    found = row(decide(workflow(SURE), trials("P" * 17 + "NNN"), until=UNTIL))
    assert (found.decision, found.n, found.not_judged) == (Decision.UNDECIDED, 17, 3)


def test_a_cell_that_is_too_small_wants_trials_if_they_can_make_it_large_enough():
    small = {**SURE, "min_n": 12}
    assert next(each for each in decide(workflow(small), trials("PPPP"), until=UNTIL).rules if each.wants)
    assert not any(each.wants for each in decide(workflow(small), trials("PPPP"), until=UntilDecided(4, 11)).rules)


def test_in_a_run_of_a_fixed_number_nothing_wants_more():
    assert not any(each.wants for each in decide(workflow(SURE), results("PPPP")).rules)


def scenarios(count):
    return [
        Scenario.model_validate({"id": f"s{number}", "family": "f", "user": {"turns": ["Hi."]}, "expect": {}})
        for number in range(count)
    ]


@pytest.mark.parametrize(("most", "refused"), [(8, True), (9, False)])
def test_a_plan_is_held_against_what_it_may_grow_to(most, refused):
    """17 trials of two scenarios are nine of each."""
    until = UntilDecided(4, most)
    found = refusals(Plan(workflow(SURE, trials=4), scenarios(2), {"task_success": None}, 4, until=until))
    assert any("it takes 17 trials without a failure" in each.text for each in found) == refused


def test_rules_without_such_a_bound_are_held_against_what_is_planned():
    rule = {"metric": "cost_usd", "at_most": "0.1", "stat": "p95", "confidence": 0.95}
    plan = Plan(workflow(rule, trials=4), scenarios(2), {"cost_usd": "USD"}, 4, until=UntilDecided(4, 1000))
    assert any("and 8 are planned" in each.text for each in refusals(plan))
