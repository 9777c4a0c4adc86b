"""What an agent forks off must not go on as if it were turngate: playing, storing and telling a second time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def forks_end() -> Iterator[None]:
    """A process that is forked within the `with` ends where it would leave it. Those of `subprocess` and
    `multiprocessing` end by themselves before that.
    """
    home = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != home:
            os._exit(0)
