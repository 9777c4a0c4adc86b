"""How models are asked, from the options of a command."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.cli.exits import UserError
from harness.llm.access import ModelAccess
from harness.llm.problem import ModelProblem


@contextmanager
def model_access(record: Path | None, replay: Path | None, max_cost: float | None) -> Iterator[ModelAccess]:
    """For all processes and agents of a command, which share a pause, a limit on money and the recorded answers.

    Raises UserError for options that can't be meant.
    """
    if max_cost is not None and not math.isfinite(max_cost):
        raise UserError(f"--max-cost {max_cost}: give a number of US dollars")
    with TemporaryDirectory(prefix="turngate-", ignore_cleanup_errors=True) as folder:
        try:
            access = ModelAccess(
                record=None if record is None else str(record.absolute()),
                replay=None if replay is None else str(replay.absolute()),
                max_cost=None if max_cost is None else str(max_cost),
                ledger=str(Path(folder) / "models.db"),
            )
        except ModelProblem as problem:
            raise UserError(str(problem)) from None
        yield access
