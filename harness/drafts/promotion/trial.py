"""Playing the gold path of a draft before there is a file of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from harness.drafts.promotion.promote import Trial
from harness.model.scenario import Scenario
from harness.model.source import Sequence
from harness.runs.gold import broken_scenarios
from harness.runs.prepare import stages
from harness.workflow.bundle import Bundle
from harness.workflow.clock import compute_moments
from harness.workflow.problems import Problem
from harness.workflow.validate import validate
from harness.workflow.yaml_nodes import parse
from traces.capture import Tracing


def trial_in(bundle: Bundle, tracing: Tracing) -> Trial:
    """Plays drafts as scenarios of this workflow."""

    def tried(text: str) -> str:
        problems: list[Problem] = []
        scenario = _read(text, bundle, problems)
        if scenario is None or problems:
            return "; ".join(problem.what for problem in problems)
        alone = replace(bundle, scenarios={scenario.id: scenario})
        broken = asyncio.run(broken_scenarios(alone, stages(alone, [scenario]), tracing))
        return broken.get(scenario.id, "")

    return tried


def _read(text: str, bundle: Bundle, problems: list[Problem]) -> Scenario | None:
    written = parse(text, "draft")
    if not isinstance(written, Sequence):
        raise TypeError("a draft is a list of one scenario")
    return validate(Scenario, compute_moments(written[0], bundle.clock, problems), problems)
