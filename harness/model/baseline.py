"""A run that others are held against, as a gate sees it: its results, and what of them can't be compared any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.model.result import Result
from harness.model.workflow import Workflow


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


def baseline_file(workflow: Workflow, name: str, root: Path | None = None) -> Path | None:
    """The file that the workflow names for a baseline; None if it names none. `root`: the folder that the workflow's
    paths are relative to; by default that of its file, as that is named from the current folder.
    """
    if name not in workflow.baselines:
        return None
    folder = root if root is not None else Path(workflow.at.file).parent if workflow.at is not None else Path()
    return folder / workflow.baselines[name]
