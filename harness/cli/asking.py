"""Asking before something is done that can't be undone."""

from __future__ import annotations

from harness.cli.exits import UserError
from harness.cli.out import console


def agreed(question: str) -> bool:
    """Whether the person at the terminal says yes. Raises UserError where nobody is there."""
    try:
        return console().input(question, markup=False).strip().lower() in ("y", "yes")
    except EOFError:
        console().print()
        raise UserError("nobody is there to be asked, so nothing was done: --yes does it without asking") from None
