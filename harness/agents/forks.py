"""What an agent forks off must not go on as if it were turngate: playing, storing and telling a second time."""

from __future__ import annotations

import os


class ForksEnd:
    """A process that is forked within the `with` ends where it would leave it. Those of `subprocess` and
    `multiprocessing` end by themselves before that.
    """

    def __enter__(self) -> None:
        self._home = os.getpid()

    def __exit__(self, *_: object) -> None:
        if os.getpid() != self._home:
            os._exit(0)
