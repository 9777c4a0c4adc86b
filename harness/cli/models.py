"""How models are asked, from the options of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from harness.cli.exits import UserError
from harness.llm.access import ModelAccess, shared_access
from harness.llm.problem import ModelProblem


@contextmanager
def model_access(record: Path | None, replay: Path | None, max_cost: float | None) -> Iterator[ModelAccess]:
    """For all processes and agents of a command. Raises UserError for options that can't be meant."""
    with ExitStack() as stack:
        try:
            access = stack.enter_context(shared_access(record, replay, max_cost))
        except ModelProblem as problem:
            raise UserError(str(problem)) from None
        yield access
