"""Rules on replayed recordings."""

import pytest

from harness.gates.decide import decide
from harness.gates.effective import effective
from harness.gates.kinds import UnclearRule, kind_of
from harness.gates.replays import decide_replays
from harness.model.episode import AgentVersion
from harness.model.replay import Level, ReplaySummary, Verdict
from harness.model.result import Decision
from harness.model.workflow import GateRule, Workflow

NEW, OLD = AgentVersion("agent", "2", ""), AgentVersion("agent", "1", "")
RULE = {"rule": "replays", "level": "turns", "worse": 0, "compared": "0.6"}


def workflow(*rules):
    family = {
        "about": "a", "source": ["authored"], "measures": ["task_success"], "failures": ["TO1"],
        "gate": [{"rule": "works", "metric": "task_success", "at_least": "0.9"}], "review": {},
    }  # fmt: skip
    return Workflow.model_validate({"workflow": "w", "scenario_map": {"f": family}, "gate": list(rules)})


def summary(level=Level.TURNS, compared=10, paired_turns=10, paired=True, **verdicts):
    counts = {verdict: verdicts.get(verdict.value, 0) for verdict in Verdict}
    against = {"against": OLD, "paired": counts, "paired_turns": paired_turns} if paired else {}
    return ReplaySummary("w", level, NEW, counts, 10, compared, {}, 0, 0, **against)


def decided(*rules, **told):
    return decide_replays(workflow(*rules), summary(**told))


def test_none_worse_and_enough_compared_passes():
    verdict = decided(RULE, same=8, better=2)
    assert verdict.decision is Decision.PASSED
    assert [(row.rule, row.figure, row.bound) for row in verdict.rules] == [("replays", 0.0, "worse at most 0")]


def test_one_worse_fails_unless_it_is_allowed():
    assert decided(RULE, same=9, worse=1).decision is Decision.FAILED
    assert decided({**RULE, "worse": 1}, same=9, worse=1).decision is Decision.PASSED


def test_too_little_compared_is_undecided_whatever_was_found_which_is_told():
    assert decided(RULE, same=9, paired_turns=5).decision is Decision.UNDECIDED
    assert decided(RULE, same=9, paired_turns=6).decision is Decision.PASSED  # exactly 60 %
    verdict = decided(RULE, same=9, worse=1, paired_turns=1)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.rules[0].reason.endswith("; 1 of 10 recordings are worse")
    assert decided({**RULE, "compared": "0.5"}, same=9, paired_turns=5).decision is Decision.PASSED


def test_without_a_rule_none_may_be_worse():
    verdict = decided(same=9, worse=1)
    assert (verdict.decision, verdict.rules[0].implicit) == (Decision.FAILED, True)
    assert decided(same=9).decision is Decision.PASSED


def test_against_the_recording_alone_nothing_gates():
    """A rule is skipped; and what speaks against the new version is no pass."""
    fine = decided(RULE, paired=False, same=10)
    assert fine.decision is Decision.SKIPPED
    assert [row.decides for row in fine.rules] == [False]
    assert decided(RULE, paired=False, same=9, worse=1).decision is Decision.UNDECIDED
    assert decided(paired=False, compared=5, same=10).decision is Decision.UNDECIDED


@pytest.mark.parametrize("level", [Level.RESCORE, Level.CONTINUE])
def test_what_is_simulated_or_only_scored_gates_nothing(level):
    assert decided(RULE, level=level, worse=5).decision is Decision.SKIPPED


def test_a_rule_of_another_level_is_another_rule():
    assert decided({**RULE, "worse": 5}, level=Level.FORWARD, worse=1).decision is Decision.FAILED


def test_nothing_replayed_is_undecided():
    assert decided(RULE).decision is Decision.UNDECIDED


def test_a_run_skips_it_and_says_what_decides_it():
    rules = effective(workflow(RULE))
    assert any("replayed at level turns" in rule.says for rule in rules)
    verdict = decide(workflow(RULE), [])
    assert verdict.decision is Decision.UNDECIDED  # no episode: nothing to do with replays


@pytest.mark.parametrize("keys", [{"level": "turns"}, {"worse": 0}, {**RULE, "metric": "task_success"}])
def test_half_a_rule_is_unclear(keys):
    with pytest.raises(UnclearRule):
        kind_of(GateRule.model_validate({"rule": "r", **keys}))


def test_only_two_levels_may_gate():
    with pytest.raises(ValueError, match="level"):
        GateRule.model_validate({"rule": "r", "level": "continue", "worse": 0})
