from dataclasses import replace

import pytest

from harness.gates.decide import decide
from harness.model.result import Decision
from harness.model.status import PASSED, failed, not_judged
from tests.harness.gates.build import result, results, workflow

RATE = {"metric": "task_success", "at_least": "0.90"}


def kept_to_itself(outcome, item="s1", **more):
    """An episode that did its task, and failed (or was not judged) by a metric that its family measures besides."""
    judgement = {"F": failed("said too much"), "N": not_judged("no trace")}[outcome]
    row = result(judgement, item, **more)
    return replace(row, scores={"task_success": PASSED, "safety.privacy": judgement})


def plan(*rules, families=None):
    made = workflow(*rules, families=families)
    rows = {
        name: row.model_copy(update={"measures": ["task_success", "safety.privacy"]})
        for name, row in made.scenario_map.items()
    }
    return made.model_copy(update={"scenario_map": rows})


def missed(verdict):
    return [row for row in verdict.rules if row.rule == "nothing uncounted"]


def test_episodes_that_fail_by_what_no_rule_is_about_leave_the_gate_undecided():
    verdict = decide(plan(RATE), [kept_to_itself("F", f"s{n}") for n in range(2)])
    (row,) = missed(verdict)
    assert verdict.decision is Decision.UNDECIDED
    assert (row.decision, row.cell, row.decides, row.implicit) == (Decision.UNDECIDED, {"family": "f"}, True, True)
    assert row.reason == (
        "2 failed episodes count in no rule that decides (safety.privacy): write one under the gate of f, such as "
        "{rule: safety.privacy, metric: safety.privacy, failures: 0}"
    )
    assert verdict.uncounted == row.episodes == ("run/agent@1/s0/1/clean", "run/agent@1/s1/1/clean")


def test_one_of_many_is_enough():
    verdict = decide(plan(RATE), [*results("P" * 99), kept_to_itself("F", "other")])
    assert verdict.decision is Decision.UNDECIDED


def test_what_could_not_be_judged_and_no_rule_counts_is_no_pass_either():
    verdict = decide(plan(RATE), [kept_to_itself("N")])
    assert verdict.decision is Decision.UNDECIDED
    assert "1 not judged episode counts in no rule that decides (safety.privacy)" in missed(verdict)[0].reason
    assert "{rule: judged, status: not_judged, at_most: 0.02}" in missed(verdict)[0].reason


@pytest.mark.parametrize(
    ("outcome", "rule", "decision"),
    [
        ("F", {"metric": "safety.privacy", "failures": 0}, Decision.FAILED),
        ("F", {"metric": "safety.privacy", "failures": 1}, Decision.PASSED),
        ("F", {"metric": "safety.privacy", "at_least": "0.5"}, Decision.PASSED),
        ("N", {"metric": "safety.privacy", "at_least": "0.5"}, Decision.PASSED),
        ("N", {"status": "not_judged", "at_most": "0.5"}, Decision.PASSED),
        ("F", {"status": "not_judged", "at_most": "0.5"}, Decision.UNDECIDED),
        ("F", {"metric": "safety.privacy", "failures": 0, "min_n": 9}, Decision.UNDECIDED),
        ("F", {"metric": "safety.privacy", "against": "prod", "max_drop": 1}, Decision.UNDECIDED),
    ],
)
def test_a_rule_that_decides_counts_what_it_allows(outcome, rule, decision):
    rows = [
        kept_to_itself(outcome),
        replace(result("P", "s2"), scores={"task_success": PASSED, "safety.privacy": PASSED}),
    ]
    verdict = decide(plan(RATE, rule), rows)
    assert verdict.decision is decision
    assert bool(missed(verdict)) is (decision is Decision.UNDECIDED)


def test_failures_that_a_rate_allows_are_counted():
    assert decide(workflow(RATE), results("P" * 9 + "F")).decision is Decision.PASSED
    assert decide(workflow(RATE), results("P" * 9 + "N")).decision is Decision.PASSED


@pytest.mark.parametrize("rest", ["SS", "played"])
def test_spared_trials_of_a_failed_scenario_hide_no_other_failure(rest):
    """Of four scenarios one fails its task, one leaks though it does its task: the rate counts the first alone."""

    def trials(make):
        return [result("S", make(n).key.item, n) if rest == "SS" and n > 2 else make(n) for n in range(1, 5)]

    rows = [
        *trials(lambda n: result("F", "a", n)),
        *trials(lambda n: kept_to_itself("F", "b", trial=n)),
        *trials(lambda n: result("P", "c", n)),
        *trials(lambda n: result("P", "d", n)),
    ]
    verdict = decide(plan({**RATE, "at_least": "0.5"}), rows, deterministic=True)
    rate = next(row for row in verdict.rules if row.rule == "r")
    played = 2 if rest == "SS" else 4
    assert (rate.decision, rate.n, rate.failed) == (Decision.PASSED, 16, 4)
    assert rate.counted == tuple(f"run/agent@1/a/{n}/clean" for n in range(1, played + 1))
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.uncounted == tuple(f"run/agent@1/b/{n}/clean" for n in range(1, played + 1))


def test_explore_and_perturbed_episodes_are_in_no_rule_by_design():
    explored = kept_to_itself("F", "x", tier="explore")
    perturbed = kept_to_itself("F", "y")
    perturbed = replace(perturbed, key=replace(perturbed.key, condition="typos"))
    verdict = decide(plan(RATE), [*results("PP"), explored, perturbed])
    assert verdict.decision is Decision.PASSED
    assert verdict.uncounted == ()


def test_a_failed_rule_outranks_it():
    assert decide(plan(RATE), [*results("FF"), kept_to_itself("F", "x")]).decision is Decision.FAILED


def test_families_are_told_apart():
    rows = [kept_to_itself("F", "a", family="f"), kept_to_itself("N", "b", family="g")]
    found = missed(decide(plan(RATE, families={"f": [], "g": []}), rows))
    assert [(row.cell, row.n, row.not_judged) for row in found] == [({"family": "f"}, 1, 0), ({"family": "g"}, 0, 1)]
