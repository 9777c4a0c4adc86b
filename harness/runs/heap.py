"""Garbage collection while a great many short-lived objects come and go beside a large workflow that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_YOUNG = 50_000
"""New objects between two collections: some twenty episodes. Python's own 700 would be several in each."""


@contextmanager
def settled_heap() -> Iterator[None]:
    """What is alive now is not looked through again within the `with`, and what is new less often."""
    young, *older = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, *older)
    try:
        yield
    finally:
        gc.set_threshold(young, *older)
        gc.unfreeze()
