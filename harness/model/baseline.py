"""A run that others are held against, as a gate sees it: its results, and what of them can't be compared any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.model.result import Result


@dataclass(frozen=True, slots=True)
class Baseline:
    """`results`: one row a planned episode of one agent version. `deterministic`: all played trials of every scenario
    of that run went the same way, so that spared trials stand for them. `changed_items`: scenarios whose own text, or
    what they are played with, has changed since, by id, with what changed; `changed_metrics`: metrics that are scored
    otherwise now, likewise. What is in either is told, never compared.
    """

    name: str
    run: str
    results: tuple[Result, ...]
    deterministic: bool = False
    changed_items: Mapping[str, str] = field(default_factory=dict)
    changed_metrics: Mapping[str, str] = field(default_factory=dict)
