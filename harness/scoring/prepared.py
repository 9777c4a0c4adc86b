"""Work that a scorer does once for all episodes of a scenario, or of a workflow: indexes of state, knowledge, tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from harness.model.material import Ground, Material

S = TypeVar("S", Ground, Material)
T = TypeVar("T")


def prepared(source: S, build: Callable[[S], T]) -> T:
    """`build(source)`, worked out at the first call and kept with the source."""
    kept: T | None = source.prepared.get(build)
    if kept is None:
        kept = source.prepared[build] = build(source)
    return kept
