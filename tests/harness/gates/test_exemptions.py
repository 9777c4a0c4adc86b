from dataclasses import replace
from datetime import date

import pytest

from harness.gates.decide import decide
from harness.model.result import Decision
from harness.model.workflow import Workflow
from tests.harness.gates.build import result, results, trials, workflow

RATE = {"metric": "task_success", "at_least": "0.90"}
TODAY = date(2026, 11, 30)
LATER, BEFORE = "2026-12-31", "2026-11-29"


def exempting(plan, waivers=(), quarantine=()):
    signed = {"owner": "Ana", "reason": "the provider mends it"}
    return Workflow.model_validate(
        {
            **plan.dump(),
            "waivers": [{"rule": "r", "until": LATER, **signed, **keys} for keys in waivers],
            "quarantine": [{"scenario": "shaky", "until": LATER, **signed, **keys} for keys in quarantine],
        }
    )


def row_named(verdict, name):
    return next(row for row in verdict.rules if row.rule == name)


SHAKY = [*results("P" * 9), *trials("PFFF", "shaky")]


def test_a_scenario_in_quarantine_is_shown_and_in_no_rate():
    assert decide(workflow(RATE), SHAKY, day=TODAY).decision is Decision.FAILED
    verdict = decide(exempting(workflow(RATE), quarantine=[{}]), SHAKY, day=TODAY)
    assert verdict.decision is Decision.PASSED
    assert row_named(verdict, "r").n == 9
    (entry,) = verdict.quarantine
    assert (entry.expired, entry.trials.passed, entry.trials.failed, entry.trials.flip_rate) == (False, 1, 3, 0.5)
    assert verdict.set_apart == {"shaky"}


def test_its_last_day_is_the_day_that_is_written():
    team = exempting(workflow(RATE), quarantine=[{"until": "2026-11-30"}])
    assert decide(team, SHAKY, day=TODAY).decision is Decision.PASSED
    assert decide(team, SHAKY, day=date(2026, 12, 1)).decision is Decision.FAILED


def test_an_expired_quarantine_blocks_even_if_the_scenario_passes():
    team = exempting(workflow(RATE), quarantine=[{"until": BEFORE}])
    verdict = decide(team, [*results("P" * 9), *trials("PPPP", "shaky")], day=TODAY)
    assert verdict.decision is Decision.FAILED
    assert row_named(verdict, "r").n == 13  # it counts again
    first = verdict.rules[0]
    assert (first.rule, first.decision) == ("quarantine of shaky", Decision.FAILED)
    assert first.reason.startswith("it ended on 2026-11-29 (Ana: the provider mends it); mend")


def test_without_a_day_all_have_ended():
    assert decide(exempting(workflow(RATE), quarantine=[{}]), SHAKY).decision is Decision.FAILED


def test_a_critical_scenario_is_never_set_apart():
    rows = [*results("P" * 9), *trials("FFFF", "shaky", tier="critical")]
    verdict = decide(exempting(workflow(RATE), quarantine=[{}]), rows, day=TODAY)
    assert verdict.decision is Decision.FAILED
    assert not verdict.set_apart


def test_of_a_part_only_what_is_selected_blocks():
    team = exempting(workflow(RATE), quarantine=[{"until": BEFORE}])
    assert decide(team, results("P" * 9), partial="--only s*", day=TODAY).decision is Decision.PASSED
    assert decide(team, SHAKY, partial="--only f", day=TODAY).decision is Decision.FAILED


def test_with_everything_in_quarantine_nothing_is_decided():
    verdict = decide(exempting(workflow(RATE), quarantine=[{}]), trials("PP", "shaky"), day=TODAY)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.rules[0].reason == "every scenario is in quarantine"
    assert verdict.quarantine[0].trials.passed == 2


def test_a_failure_in_quarantine_is_not_told_as_uncounted():
    verdict = decide(exempting(workflow(RATE), quarantine=[{}]), [*results("P" * 9), result("F", "shaky")], day=TODAY)
    assert not verdict.uncounted


TWO = {"f": [], "g": []}
RED = [*results("P" * 9, family="f"), *results("FFF", family="g", item="g")]


def test_a_waived_rule_that_failed_does_not_fail_the_gate_and_stays_failed():
    verdict = decide(exempting(workflow(RATE, families=TWO), waivers=[{"cell": {"family": "g"}}]), RED, day=TODAY)
    assert verdict.decision is Decision.PASSED
    held = next(row for row in verdict.rules if row.waiver)
    assert (held.cell, held.decision, held.decides, held.waiver.owner) == (
        {"family": "g"},
        Decision.FAILED,
        False,
        "Ana",
    )
    assert [(each.failed, each.expired) for each in verdict.waivers] == [(1, False)]
    assert (verdict.held_back, verdict.uncounted) == (1, ())


def test_a_waiver_holds_back_its_own_cell_alone():
    team = exempting(workflow(RATE, families=TWO), waivers=[{"cell": {"family": "f"}}])
    verdict = decide(team, RED, day=TODAY)
    assert verdict.decision is Decision.FAILED
    assert [each.failed for each in verdict.waivers] == [0]  # not needed


def test_without_a_cell_it_holds_the_rule_back_everywhere():
    rows = [*results("FF", family="f"), *results("FFF", family="g", item="g")]
    verdict = decide(exempting(workflow(RATE, families=TWO), waivers=[{}]), rows, day=TODAY)
    assert [each.failed for each in verdict.waivers] == [2]
    assert verdict.decision is Decision.UNDECIDED  # for nothing passed


def test_an_expired_waiver_blocks_even_if_the_rule_passes():
    verdict = decide(exempting(workflow(RATE), waivers=[{"until": BEFORE}]), results("P" * 9), day=TODAY)
    assert verdict.decision is Decision.FAILED
    assert (verdict.rules[0].rule, verdict.rules[0].decision) == ("waiver of r", Decision.FAILED)
    assert row_named(verdict, "r").decision is Decision.PASSED


def test_an_expired_waiver_holds_nothing_back():
    verdict = decide(exempting(workflow(RATE), waivers=[{"until": BEFORE}]), results("FF"), day=TODAY)
    assert row_named(verdict, "r").waiver is None


@pytest.mark.parametrize("outcomes", ["N" * 9, "P" * 9 + "N" * 3])
def test_what_is_undecided_is_not_waived(outcomes):
    verdict = decide(exempting(workflow(RATE), waivers=[{}]), trials(outcomes), day=TODAY)
    assert verdict.decision is Decision.UNDECIDED


@pytest.mark.parametrize("name", ["critical scenarios", "must pass"])
def test_nothing_waives_critical_scenarios(name):
    stated = [{"rule": "must pass", "tier": "critical", "every": "trial"}] if name == "must pass" else []
    team = exempting(workflow(*stated, RATE), waivers=[{"rule": name}])
    rows = [*results("P" * 99), result("F", "c", tier="critical")]
    assert decide(team, rows, day=TODAY).decision is Decision.FAILED


def test_a_rule_that_nobody_wrote_is_waived_by_its_name():
    team = workflow({"metric": "task_success", "failures": 0})
    team = Workflow.model_validate({**team.dump(), "rules": [{"id": "no-promises", "never_says": ["guaranteed"]}]})
    broken = [replace(row, scores=row.scores | result("F", metric="rule.no-promises").scores) for row in results("P")]
    assert decide(team, broken, day=TODAY).decision is Decision.FAILED
    assert decide(exempting(team, waivers=[{"rule": "no-promises"}]), broken, day=TODAY).decision is Decision.PASSED
