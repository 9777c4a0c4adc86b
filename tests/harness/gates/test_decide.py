from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.decide import decide
from harness.model.episode import EpisodeKey
from harness.model.result import Decision, Result
from harness.model.status import PASSED
from harness.model.workflow import Rule
from tests.harness.gates.build import measured, result, results, trials, workflow

RATE = {"metric": "task_success", "at_least": "0.90"}


def decided(verdict):
    return [(row.cell, row.decision) for row in verdict.rules if row.decides]


def test_one_family_at_zero_is_red_though_the_mean_is_97_percent():
    rows = [*results("P" * 97, family="f"), *results("FFF", family="g", item="g")]
    verdict = decide(workflow(RATE, families={"f": [], "g": []}), rows)
    assert verdict.decision is Decision.FAILED
    assert decided(verdict) == [({"family": "f"}, Decision.PASSED), ({"family": "g"}, Decision.FAILED)]


def test_one_pass_and_four_infrastructure_faults_are_undecided():
    verdict = decide(workflow(RATE), trials("PNNNN"))
    (row,) = [row for row in verdict.rules if row.rule == "r"]
    assert verdict.decision is Decision.UNDECIDED
    assert (row.n, row.not_judged, row.planned) == (1, 4, 5)


def test_missing_episodes_are_no_smaller_denominator():
    assert decide(workflow(RATE), results("P" * 9 + "M" * 2)).decision is Decision.UNDECIDED
    enough = decide(workflow(RATE), results("P" * 18 + "M" * 2))
    assert [row.decision for row in enough.rules if row.rule == "r"] == [Decision.PASSED]


@pytest.mark.parametrize("place", [{}, {"item": "beside", "tier": "explore"}])
def test_while_any_episode_is_missing_no_gate_passes(place):
    verdict = decide(workflow(RATE), [*results("P" * 18), result("M", **place)])
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.rules[-1].reason == "1 of 19 planned episodes were not played"
    assert decide(workflow(RATE), [*results("F" * 18), result("M", **place)]).decision is Decision.FAILED


def test_what_does_not_apply_is_outside():
    verdict = decide(workflow(RATE), results("P" * 9 + "F" + "A" * 90))
    assert verdict.decision is Decision.PASSED
    assert verdict.rules[1].n == 10


def test_a_rule_that_applies_nowhere_is_undecided():
    verdict = decide(workflow(RATE), results("AAA"))
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.rules[1].reason == "it applies to none of 3 episodes, so nothing shows that it holds"


def test_cells_that_a_metric_does_not_apply_to_do_not_decide():
    rows = [*results("PPP", family="f"), *results("AAA", family="g", item="g")]
    verdict = decide(workflow({"metric": "task_success", "failures": 0}, families={"f": [], "g": []}), rows)
    assert verdict.decision is Decision.PASSED
    assert [(row.cell, row.decision, row.decides) for row in verdict.rules if row.rule == "r"] == [
        ({"family": "f"}, Decision.PASSED, True),
        ({"family": "g"}, Decision.SKIPPED, False),
    ]


def test_nothing_selected_is_undecided():
    verdict = decide(workflow(RATE), [])
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.rules[0].reason == "no episode was selected"


def test_a_gate_that_decides_nothing_is_undecided():
    verdict = decide(workflow(), results("PP"))
    assert verdict.decision is Decision.UNDECIDED
    assert "every rule was skipped" in verdict.rules[-1].reason


def test_critical_scenarios_must_pass_every_trial_without_a_rule():
    rows = [*trials("PPPF", "must", tier="critical"), *results("P" * 100)]
    verdict = decide(workflow(RATE), rows)
    first = verdict.rules[0]
    assert verdict.decision is Decision.FAILED
    assert first.implicit
    assert first.reason == "3 of 4 trials passed"
    assert first.episodes[0] == "run/agent@1/must/4/clean", "the failing episode comes first"


def test_explore_is_in_no_rate():
    rows = [*results("PP"), *results("FFFF", tier="explore", item="x")]
    assert decide(workflow(RATE), rows).decision is Decision.PASSED
    assert decide(workflow(RATE), results("PPPP", tier="explore")).decision is Decision.UNDECIDED


def test_min_n_lists_small_cells_and_does_not_let_them_decide():
    small = {"metric": "task_success", "each": ["family", "language"], "at_least": "0.8", "min_n": 3}
    rows = [*results("PPP", language="en"), *results("FF", language="es", item="t")]
    verdict = decide(workflow(small), rows)
    assert decided(verdict)[0] == ({"family": "f", "language": "en"}, Decision.PASSED)
    listed = [row for row in verdict.rules if not row.decides and row.rule == "r"]
    assert [(row.cell["language"], row.decision, row.n) for row in listed] == [("es", Decision.SKIPPED, 2)]
    assert listed[0].reason.startswith("fewer than 3 episodes: 0 of 2 passed")


def test_a_rule_with_no_cell_of_min_n_is_undecided():
    verdict = decide(workflow({**RATE, "min_n": 9}), results("PPPP"))
    assert verdict.decision is Decision.UNDECIDED


def test_not_judged_episodes_do_not_shrink_a_cell_below_min_n():
    rows = results("F" * 7 + "N")
    assert decide(workflow({**RATE, "min_n": 8}), rows).decision is Decision.FAILED


def test_spared_trials_count_towards_min_n_and_make_the_figure_exact():
    verdict = decide(workflow({**RATE, "min_n": 4}), trials("PPSS"), deterministic=True)
    assert verdict.decision is Decision.PASSED
    assert verdict.rules[1].exact
    assert (verdict.rules[1].n, verdict.rules[1].agreed) == (4, 2)


def test_trials_spared_before_the_run_turned_out_not_to_agree_are_not_judged():
    """By hand: 3 of 4 passed, 2 not judged; 0.6 lies between the worst, 3/6, and the best, 5/6."""
    rows = [*trials("PPSS", "a"), *trials("PF", "b")]
    verdict = decide(workflow({**RATE, "at_least": "0.6"}), rows)
    row = next(row for row in verdict.rules if row.rule == "r")
    assert (row.decision, row.n, row.failed, row.not_judged) == (Decision.UNDECIDED, 4, 1, 2)


def test_trials_that_agree_prove_no_rate():
    """29 clean trials bound a rate of 0.90 at 95 % confidence (0.9^29 < 0.05); two that agree don't."""
    sure = workflow({**RATE, "confidence": "0.95"})
    spared = decide(sure, trials("PP" + "S" * 27), deterministic=True)
    assert spared.decision is Decision.UNDECIDED
    assert not spared.rules[1].exact
    assert (spared.rules[1].n, spared.rules[1].not_judged) == (2, 27)
    assert decide(sure, trials("P" * 28), deterministic=True).decision is Decision.UNDECIDED
    assert decide(sure, trials("P" * 29), deterministic=True).decision is Decision.PASSED
    cheap = workflow({"metric": "cost_usd", "stat": "p50", "at_most": 1, "confidence": "0.95"})
    assert decide(cheap, measured([0.5] * 4), deterministic=True).decision is Decision.UNDECIDED
    assert decide(cheap, measured([0.5] * 5), deterministic=True).decision is Decision.PASSED


def test_a_critical_scenario_is_not_shown_to_pass_by_trials_that_were_not_played():
    verdict = decide(workflow(RATE), trials("PPSS", tier="critical"), deterministic=True)
    first = verdict.rules[0]
    assert (first.decision, first.reason) == (Decision.UNDECIDED, "2 of 4 trials passed, 2 not judged")
    assert decide(workflow(RATE), trials("PPPP", tier="critical"), deterministic=True).decision is Decision.PASSED


def test_figures_of_a_deterministic_agent_are_exact_with_no_trial_to_spare():
    """Figures that its trials don't agree on, such as times, are not."""
    rows = trials("PP")
    assert decide(workflow(RATE), rows, deterministic=True).rules[1].exact
    assert not decide(workflow(RATE), rows).rules[1].exact
    assert not decide(workflow(RATE), trials("PF"), deterministic=True).rules[1].exact
    slow = {"metric": "turns", "at_most": 9}
    varied = [replace(row, key=replace(row.key, item="s", trial=n)) for n, row in enumerate(measured([4, 6], "turns"))]
    assert not decide(workflow(slow), varied, deterministic=True).rules[1].exact
    steady = [replace(row, key=replace(row.key, item="s", trial=n)) for n, row in enumerate(measured([4, 4], "turns"))]
    assert decide(workflow(slow), steady, deterministic=True).rules[1].exact


def test_only_episodes_played_as_written_are_in_a_rate():
    perturbed = [replace(row, key=replace(row.key, condition="typos")) for row in results("FFF")]
    assert decide(workflow(RATE), [*results("P"), *perturbed]).decision is Decision.PASSED
    assert decide(workflow(RATE), perturbed).rules[0].reason == "no episode was selected"


def held(outcomes, *gate, families=None):
    """The gate of a workflow with the rule `ask`, whose outcome in each episode is given; all else passed."""
    ask = Rule.model_validate({"id": "ask", "before": ["cancel"], "need": "consent"})
    plan = workflow(RATE, *gate, families=families).model_copy(update={"rules": [ask]})
    rows = [replace(row, scores={**row.scores, "task_success": PASSED}) for row in results(outcomes, metric="rule.ask")]
    verdict = decide(plan, rows)
    return verdict, [row for row in verdict.rules if row.metric == "rule.ask"]


def test_a_rule_of_the_workflow_is_held_in_every_episode_without_a_line_of_the_gate():
    verdict, (row,) = held("PPFA")
    assert verdict.decision is Decision.FAILED
    assert (row.rule, row.implicit, row.n, row.failed) == ("ask", True, 3, 1)
    assert row.episodes[0] == "run/agent@1/s2/1/clean"
    assert held("PPPA")[0].decision is Decision.PASSED
    assert held("PPN")[0].decision is Decision.UNDECIDED


def test_a_rule_of_the_workflow_that_nothing_falls_under_decides_nothing():
    verdict, rows = held("AAA")
    assert verdict.decision is Decision.PASSED
    assert (rows[0].decision, rows[0].reason) == (Decision.SKIPPED, "it applies to none of 3 episodes")


def test_a_line_of_the_gate_on_a_rule_of_the_workflow_stands_instead():
    verdict, (row,) = held("PPPF", {"metric": "rule.ask", "at_least": "0.7"})
    assert verdict.decision is Decision.PASSED
    assert not row.implicit


def test_a_part_skips_what_nothing_selected_falls_under():
    verdict = decide(workflow(RATE, families={"f": [], "g": [{"rule": "g", **RATE}]}), results("P"), partial="--only f")
    (row,) = [row for row in verdict.rules if row.rule == "g"]
    assert (row.decision, row.reason) == (Decision.SKIPPED, "nothing selected falls under the rule")


def test_failed_episodes_are_counted_where_they_count():
    verdict = decide(workflow(RATE, {"status": "not_judged", "at_most": 1}), results("PFFN"))
    assert [(row.metric, row.failed) for row in verdict.rules if row.rule == "r"] == [("task_success", 2), (None, 0)]


def test_too_much_not_judged_is_undecided_never_failed():
    judged = {"status": "not_judged", "at_most": "0.02"}
    verdict = decide(workflow(judged), results("P" * 9 + "N"))
    assert verdict.decision is Decision.UNDECIDED
    assert decide(workflow(judged), results("P" * 98 + "NN")).decision is Decision.PASSED
    assert decide(workflow(judged), results("P" * 97 + "NNM")).decision is Decision.UNDECIDED
    assert decide(workflow(judged), [*results("P" * 10), *results("N" * 9, tier="explore", item="x")]).decision is (
        Decision.PASSED
    )


def test_a_failed_rule_beats_an_undecided_one():
    verdict = decide(workflow(RATE, {"status": "not_judged", "at_most": 0}), results("FFFN"))
    assert [row.decision for row in verdict.rules if row.decides] == [Decision.FAILED, Decision.UNDECIDED]
    assert verdict.decision is Decision.FAILED


def test_a_rule_against_a_baseline_is_skipped_unless_required():
    against = {"metric": "task_success", "against": "prod", "max_drop": "0.02"}
    verdict = decide(workflow(RATE, against), results("PPP"))
    assert verdict.decision is Decision.PASSED
    assert verdict.rules[2].reason == "no baseline `prod` is set: nothing to compare with"
    assert decide(workflow(RATE, {**against, "required": "true"}), results("PPP")).decision is Decision.UNDECIDED


def test_an_unclear_rule_is_undecided_and_says_what_to_write():
    verdict = decide(workflow({"metric": "task_success"}), results("PPP"))
    assert verdict.decision is Decision.UNDECIDED
    assert "the rule is unclear: it sets no limit" in verdict.rules[1].reason


def test_a_family_without_an_episode_is_undecided():
    families = {"f": [], "g": [{"rule": "g works", **RATE}]}
    verdict = decide(workflow(RATE, families=families), results("PPP"))
    assert verdict.decision is Decision.UNDECIDED
    assert [row.reason for row in verdict.rules if row.rule == "g works"] == [
        "no scenario falls under the rule, so nothing shows that it holds"
    ]


def test_a_misspelt_metric_is_undecided():
    verdict = decide(workflow({"metric": "task_sucess", "at_least": "0.9"}), results("PPP"))
    assert verdict.decision is Decision.UNDECIDED


@pytest.mark.parametrize(
    ("values", "decision"),
    [
        ([Decimal("0.01")] * 20, Decision.PASSED),
        ([Decimal("0.01")] * 18 + [Decimal("0.03")] * 2, Decision.FAILED),
        ([Decimal("0.01")] * 19 + [None], Decision.UNDECIDED),
        ([None] * 3, Decision.UNDECIDED),
    ],
)
def test_a_budget_is_never_kept_by_missing_usage(values, decision):
    cheap = {"metric": "cost_usd", "per": "episode", "stat": "p95", "at_most": "0.02"}
    assert decide(workflow(cheap), measured(values)).decision is decision


def test_a_measure_without_a_statistic_is_held_by_its_mean():
    verdict = decide(workflow({"metric": "turns", "at_most": 5}), measured([4, 6], "turns"))
    assert verdict.rules[1].reason == "mean is 5 over 2, at most 5 asked for"
    assert verdict.rules[1].episodes == ("run/agent@1/s1/1/clean", "run/agent@1/s0/1/clean"), "the worst comes first"
    assert verdict.decision is Decision.PASSED


def test_per_success_looks_at_episodes_that_passed():
    cheap = {"metric": "cost_usd", "per": "success", "stat": "max", "at_most": "0.02"}
    good, bad, open_ = (measured([cost], verdict=verdict) for cost, verdict in ((0.01, "P"), (9.0, "F"), (0.01, "N")))
    assert decide(workflow(cheap), [*good, *bad]).rules[1].decision is Decision.PASSED
    assert decide(workflow(cheap), [*good, *open_]).decision is Decision.UNDECIDED


def test_per_turn_takes_the_times_of_all_turns():
    fast = {"metric": "latency_seconds", "per": "turn", "stat": "max", "at_most": 2}

    def row(item, *seconds):
        key = EpisodeKey("run", "agent@1", item, 1)
        return Result(key, "f", "core", {}, "played", PASSED, {}, None, seconds)

    verdict = decide(workflow(fast), [row("a", 0.5, 1.0), row("b", 1.5)])
    assert (verdict.decision, verdict.rules[1].n) == (Decision.PASSED, 3)
    assert decide(workflow(fast), [row("a", 0.5, 2.5), row("b", 1.5)]).decision is Decision.FAILED
    assert decide(workflow(fast), [row("a", 0.5), row("b")]).decision is Decision.UNDECIDED
    assert decide(workflow(fast), [row("a", 0.5, None)]).decision is Decision.UNDECIDED
    assert decide(workflow(fast), [row("a", 2.5, None)]).decision is Decision.FAILED


def test_every_turn_that_nobody_knows_the_time_of_counts_as_missing():
    """Of three turns of 10 s and three of no known time the median may be as quick as can be."""
    quick = {"metric": "latency_seconds", "per": "turn", "stat": "p50", "at_most": 2}
    rows = [
        Result(EpisodeKey("run", "agent@1", item, 1), "f", "core", {}, "played", PASSED, {}, None, seconds)
        for item, seconds in (("a", (10.0, 10.0, 10.0)), ("b", (None, None, None)))
    ]
    verdict = decide(workflow(quick), rows)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.rules[1].reason == "p50 is 10 over 3, at most 2 asked for, 3 not known"


def test_a_rate_of_a_measure_and_a_statistic_of_a_judgement_are_undecided():
    assert decide(workflow({"metric": "turns", "failures": 0}), measured([4], "turns")).decision is Decision.UNDECIDED
    assert decide(workflow({"metric": "task_success", "at_most": "0.5"}), results("PF")).decision is Decision.UNDECIDED
    assert decide(workflow({**RATE, "per": "episode"}), results("PP")).decision is Decision.PASSED
    stat = {"metric": "task_success", "at_least": "0.5", "stat": "p95"}
    assert decide(workflow(stat), results("PP")).decision is Decision.UNDECIDED


def test_the_figure_is_told_from_the_limit():
    verdict = decide(workflow({"metric": "task_success", "at_least": "0.8"}), results("P" * 2399 + "F" * 601))
    assert verdict.decision is Decision.FAILED
    assert verdict.rules[1].shown == "0.7997"


def test_a_partial_selection_keeps_its_text():
    verdict = decide(workflow(RATE), results("PPP"), partial="--only refunds")
    assert verdict.partial == "--only refunds"


JUDGED = workflow(
    {"metric": "task_success", "each": ["family", "language"], "at_least": "0.6", "min_n": 2},
    {"metric": "task_success", "at_least": "0.5", "confidence": "0.8"},
    {"metric": "task_success", "failures": 1},
    {"status": "not_judged", "at_most": "0.2"},
    {"tier": "critical", "every": "trial"},
    families={"f": [{"rule": "f", "metric": "task_success", "at_least": "0.7"}], "g": []},
)

ROWS = st.lists(
    st.builds(
        lambda outcome, item, family, tier, language: (
            outcome,
            f"{family}{tier}{language}{item}",
            family,
            tier,
            language,
        ),
        st.sampled_from("PPPFFNAMS"),
        st.integers(0, 3),
        st.sampled_from("fg"),
        st.sampled_from(["critical", "core", "explore"]),
        st.sampled_from(["en", "es"]),
    ),
    min_size=1,
    max_size=25,
)


def built(rows):
    return [
        result(outcome, item, trial, family=family, tier=tier, language=language)
        for trial, (outcome, item, family, tier, language) in enumerate(rows)
    ]


def by_cell(verdict):
    return {(row.rule, row.bound, str(row.cell), row.decides): row.decision for row in verdict.rules}


@given(ROWS, st.data())
def test_an_episode_that_passes_after_all_breaks_no_rule(rows, data):
    failing = [index for index, row in enumerate(rows) if row[0] == "F"]
    if not failing:
        return
    index = data.draw(st.sampled_from(failing))
    better = [*rows[:index], ("P", *rows[index][1:]), *rows[index + 1 :]]
    before, after = by_cell(decide(JUDGED, built(rows))), by_cell(decide(JUDGED, built(better)))
    assert not [cell for cell, was in before.items() if was is Decision.PASSED and after[cell] is Decision.FAILED]


@given(ROWS, st.data())
def test_losing_a_judgement_makes_nothing_pass(rows, data):
    judged = [index for index, row in enumerate(rows) if row[0] in "PF"]
    if not judged:
        return
    index = data.draw(st.sampled_from(judged))
    worse = [*rows[:index], (data.draw(st.sampled_from("NM")), *rows[index][1:]), *rows[index + 1 :]]
    before, after = decide(JUDGED, built(rows)), decide(JUDGED, built(worse))
    was = by_cell(before)
    assert not [
        cell for cell, now in by_cell(after).items() if now is Decision.PASSED and was[cell] is not Decision.PASSED
    ]
    assert not (after.decision is Decision.PASSED and before.decision is not Decision.PASSED)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(rows, random):
    ordered = built(rows)
    shuffled = random.sample(ordered, len(ordered))
    before, after = decide(JUDGED, ordered), decide(JUDGED, shuffled)
    assert before.decision is after.decision
    assert [(row.cell, row.decision, row.figure, row.reason) for row in before.rules] == [
        (row.cell, row.decision, row.figure, row.reason) for row in after.rules
    ]


@pytest.mark.parametrize("claimed", [10**400, Decimal("1e400"), 1e308])
@pytest.mark.parametrize("how", [{}, {"stat": "p95"}, {"confidence": "0.9"}, {"stat": "p50", "confidence": "0.9"}])
def test_a_value_beyond_all_reason_breaks_a_limit_and_nothing_else(claimed, how):
    rows = measured([1, claimed, 3, claimed], "tokens_in")
    row = decide(workflow({"metric": "tokens_in", "at_most": 100, **how}), rows).rules[1]
    assert row.decision is (Decision.UNDECIDED if "confidence" in how else Decision.FAILED)
    assert row.figure == 3.0 if how.get("stat") == "p50" else row.figure > 1e307
