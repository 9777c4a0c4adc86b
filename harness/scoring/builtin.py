"""The scorers that every run uses, listed one by one: importing a module registers nothing."""

from __future__ import annotations

from harness.scoring.authorization import authorization
from harness.scoring.efficiency import EFFICIENCY
from harness.scoring.faithfulness import faithfulness
from harness.scoring.privacy import privacy
from harness.scoring.registry import Scorer
from harness.scoring.retention import context_retention
from harness.scoring.rules import rules
from harness.scoring.success import task_success

SCORERS: tuple[Scorer, ...] = (
    task_success,
    rules,
    faithfulness,
    context_retention,
    authorization,
    privacy,
    *EFFICIENCY,
)
