"""The scorers that every run uses, listed one by one: importing a module registers nothing."""

from __future__ import annotations

from harness.scoring.efficiency import EFFICIENCY
from harness.scoring.registry import Scorer
from harness.scoring.rules import rules
from harness.scoring.success import task_success

SCORERS: tuple[Scorer, ...] = (task_success, rules, *EFFICIENCY)
