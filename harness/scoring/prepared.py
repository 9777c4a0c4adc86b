"""Work that a scorer does once for all episodes of a material: indexes of its state, its knowledge, its tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from harness.model.material import Material

T = TypeVar("T")


def prepared(material: Material, build: Callable[[Material], T]) -> T:
    """`build(material)`, worked out at the first call and kept with the material."""
    kept: T | None = material.prepared.get(build)
    if kept is None:
        kept = material.prepared[build] = build(material)
    return kept
