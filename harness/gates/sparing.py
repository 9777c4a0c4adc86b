"""Which trials need not be played: an agent whose trials agree so far has not been shown to be deterministic."""

from __future__ import annotations

from harness.gates.cells import Placed, reaches
from harness.gates.effective import effective
from harness.model.workflow import GateRule, Workflow


def may_spare(workflow: Workflow, scenario: Placed) -> bool:
    """Whether trials of a scenario may be spared once its first ones agreed: no rule that reaches it needs every trial.
    A critical scenario is never spared, for every gate has a rule on each of its trials.
    """
    return not any(needs_every_trial(rule.rule) for rule in effective(workflow) if reaches(rule, scenario))


def needs_every_trial(rule: GateRule) -> bool:
    """Whether only trials that were played say something to a rule: it has `confidence`, so that the noise between
    trials decides, or it asks whether trials of a scenario agree (every one, M of N, pass^k). Elsewhere the figure
    alone decides.
    """
    return any(asks is not None for asks in (rule.confidence, rule.every, rule.of, rule.pass_hat))
