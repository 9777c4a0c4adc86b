"""Feedback and labels in words, made printable."""

from __future__ import annotations

import json
from collections.abc import Mapping

from harness.model.episode import Feedback
from harness.reports.printable import one_line
from tools_sandbox.call import Json


def feedback_text(one: Feedback, limit: int = 60) -> str:
    """`thumb down`, `turn 2: rating 4 · slow`."""
    value = "" if one.value is None or one.label in ("up", "down") else f"{one.value:g}"
    told = " ".join(part for part in (one.name, value, one.label or "") if part)
    where = "" if one.turn is None else f"turn {one.turn}: "
    return one_line(f"{where}{told}{f' · {one.explanation}' if one.explanation else ''}", limit)


def labels_text(labels: Mapping[str, Json], limit: int = 80) -> str:
    """`reward=1 task=3`."""
    shown = (f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in labels.items())
    return one_line(" ".join(shown), limit)
