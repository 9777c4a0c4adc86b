from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rich.console import Console

from harness.gates.decide import decide
from harness.model.baseline import Baseline
from harness.model.failure import Evidence, Finding
from harness.model.score import Scored
from harness.model.status import PASSED, failed, not_applicable, not_judged
from harness.model.workflow import Rule
from harness.reports.reliability import pass_hats
from harness.reports.run_view import Against, RunView, failures, unscripted
from harness.reports.scenario_map import rule_lines, scenario_map
from harness.reports.terminal import show_run, verdict_line
from tests.harness.gates.build import result, results, workflow


def view(
    results,
    scored=(),
    rules=({"metric": "task_success", "at_least": "0.9"},),
    partial=None,
    own=(),
    deterministic=False,
):
    plan = workflow(*rules).model_copy(update={"rules": [Rule.model_validate(rule) for rule in own]})
    return RunView(
        run="r-1",
        workflow="w",
        agent="agent@1",
        agent_digest="0" * 64,
        scenarios=1,
        trials=len(results),
        created=datetime(2026, 11, 20, tzinfo=UTC),
        agent_seconds=1.0,
        map=scenario_map(["f"], ["task_success"], results),
        pass_hats=pass_hats(["f"], results),
        verdict=decide(plan, results, partial, deterministic=deterministic),
        failures=failures(scored),
        results=tuple(results),
        rules=rule_lines(plan, results),
    )


def printed(shown):
    out = io.StringIO()
    console = Console(file=out, width=140, markup=False, emoji=False, highlight=False)
    show_run(console, shown, {"task_success": "task_success"})
    return out.getvalue()


HOSTILE = "\x1b[31mred [bold]markup[/bold] \u202egnp"
FINDING = Finding(f"said {HOSTILE}", "SA1", (2, 1), Evidence(turn=2, quote=HOSTILE), expected="a", actual=None)


def test_counts_holes_and_verdict_are_shown():
    text = printed(view([result("P", trial=1), result("F", trial=2), result("N", trial=3)]))
    assert "1/2 1?" in text
    assert "not measured at all: faithfulness" in text
    assert "SA4" not in text, "safety is named as a whole"
    assert text.rstrip().endswith("agent@1: gate failed · 1 of 1 checks failed")


def test_what_broke_against_a_baseline_is_told_with_the_command_that_shows_it():
    broke = Against("prod", "r-0", {"s2": 2, HOSTILE: 1}, 1, 9, {})
    text = printed(replace(view(results("F")), against=(broke,)))
    assert "against prod: of 9 episodes in both, 3 broke and 1 was fixed: s2, " in text
    assert "  turngate compare prod r-1\n" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "against" not in printed(view(results("F")))


def test_the_interval_of_a_count_is_said_to_be_that_of_the_rate():
    text = printed(view(results("PPPF"), rules=({"metric": "task_success", "failures": 1},)))
    assert "1, rate [" in text
    assert "rate [" not in printed(view(results("PPPF")))


def test_what_was_not_judged_stands_beside_n():
    text = printed(view([result("P", trial=n) for n in range(19)] + [result("N", trial=19)]))
    assert "19 +1?" in text
    assert text.rstrip().endswith("gate passed")


def test_the_legend_explains_what_occurs_and_no_more():
    played = [result("P", trial=1), result("P", trial=2)]
    assert "passed/judged\n" in printed(view(played))
    text = printed(view([*played, result("S", trial=3)]))
    assert "passed/judged · +n spared: the trials that were played agreed, and the gate counts these in" in text
    text = printed(view([*played, result("N", trial=3)]))
    assert "passed/judged · n? not judged\n" in text
    assert "passed/judged · · a hole" in printed(view([]))


def test_the_gate_counts_spared_trials_as_the_played_ones():
    came = [result(each, trial=trial, metric="rule.ask-first") for trial, each in enumerate("PPS", 1)]
    shown = view(came, rules=[{"metric": "rule.ask-first", "failures": 0}], own=[ASK], deterministic=True)
    assert "rule ask-first  R6  2/2" in printed(shown)
    assert [rule.n for rule in shown.verdict.rules if rule.metric == "rule.ask-first"] == [3]


def test_passed_episodes_with_asks_that_no_fact_answers_are_counted_and_opened():
    results = [result("P", "a", 1), result("P", "a", 2), result("P", "b"), result("P", "c"), result("P", "d")]
    scored = [(each, Scored({}, PASSED, paste="answers: {}")) for each in results]
    scored += [(result("P", "e"), Scored({}, PASSED)), (result("N", "f"), Scored({}, not_judged("X3"), paste="x: {}"))]
    assert unscripted(scored) == tuple(each.key.id for each in results)
    text = printed(replace(view(results), unscripted=unscripted(scored)))
    told = "turngate show run/a/1 · turngate show run/b/1 · turngate show run/c/1"
    assert f"5 passed episodes have asks that no fact answers: {told}\n" in text
    assert "that no fact answers" not in printed(view(results))


def test_the_time_of_episodes_that_ran_at_once_is_no_wall_time():
    assert "run r-1 · 1.0 s with the agent, all episodes added up" in printed(view([result("P")]))


def test_what_could_not_be_compared_is_told_of_a_rule_that_passed_too():
    plan = workflow({"metric": "task_success", "against": "prod", "max_drop": "0.02"})
    baseline = Baseline("prod", "run-1", tuple(results("PF")))
    shown = replace(view(results("P")), verdict=decide(plan, results("P"), baselines={"prod": baseline}))
    text = printed(shown)
    assert "1 scenario of the baseline is not rated here: s1" in " ".join(text.split())
    assert text.rstrip().endswith("gate passed")


def test_brackets_are_explained_where_there_are_some():
    assert "in brackets: where chance leaves the true figure" in printed(view(results("PP")))
    assert "in brackets" not in printed(view(results("N")))


def test_exact_is_explained_once():
    text = printed(view([result("P", trial=1), result("P", trial=2)], deterministic=True))
    assert "1 exact (2)" in text
    assert text.count("that more would is not proved") == 1
    assert "exact:" not in printed(view([result("P", trial=1)]))


ASK = {"id": "ask-first", "clause": "R6", "never": ["cancel"]}


def test_rules_of_the_workflow_stand_below_the_map():
    came = ["P", "P", "F", "N", not_applicable("no cancelling")]
    text = printed(view([result(each, trial=n, metric="rule.ask-first") for n, each in enumerate(came)], own=[ASK]))
    assert "rule ask-first  R6  2/3 1?  1 failed" in text
    untouched = [result(not_applicable("no cancelling"), metric="rule.ask-first")]
    assert "rule ask-first  R6  ·" in printed(view(untouched, own=[ASK]))


def test_failed_episodes_that_no_rule_counts_are_told_in_the_last_line():
    def blamed(number):
        return replace(result("F", trial=number), scores={"task_success": PASSED})

    told = verdict_line(view([blamed(n) for n in range(3)])).plain
    assert "gate undecided · 1 of 2 checks undecided" in told
    assert told.endswith(" · 3 that did not pass count in no rule")
    assert verdict_line(view([blamed(1)], partial="--only x")).plain.endswith(
        "partial: no gate (--only x) · 1 that did not pass counts in no rule"
    )


def test_failures_of_one_kind_share_an_entry_with_the_command_that_opens_it():
    results = [result("F", trial=1), result("F", trial=2), result("P", trial=3)]
    judged = [Scored({}, failed("x"), FINDING)] * 2
    text = printed(view(results, list(zip(results, judged, strict=False))))
    assert "2 of 2 trials" in text
    assert "turngate show r" in text
    assert "--turn 2" in text
    assert "expected a · got nothing" in text


def test_hostile_text_is_shown_and_not_obeyed():
    results = [result("F")]
    text = printed(view(results, [(results[0], Scored({}, failed("x"), FINDING))]))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[31mred [bold]markup[/bold]" in text


def test_a_line_to_paste_is_offered_whole():
    results = [result("N")]
    gap = Finding("an ask that nothing answers", "X3", (1, 0))
    scored = Scored({}, not_judged("X3"), gap, paste='answers: {"x": {"say": "what the user says"}}')
    assert '    answers: {"x": {"say": "what the user says"}}' in printed(view(results, [(results[0], scored)]))


@pytest.mark.parametrize(
    ("outcomes", "partial", "ends"),
    [
        ("P", None, "gate passed"),
        ("P", "--only x", "partial: no gate (--only x)"),
        ("F", "--only x", "gate failed · 1 of 1 checks failed, of a part (--only x)"),
        ("N", None, "gate undecided · 1 of 1 checks undecided: not enough evidence to ship on"),
    ],
)
def test_the_last_line_says_what_the_gate_says(outcomes, partial, ends):
    results = [result(outcome, trial=n) for n, outcome in enumerate(outcomes, 1)]
    assert verdict_line(view(results, partial=partial)).plain == f"w · agent@1: {ends}"
