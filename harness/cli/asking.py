"""Asking before something is done that can't be undone."""

from __future__ import annotations

from harness.cli.out import console


def agreed(question: str) -> bool:
    """Whether the person at the terminal says yes; no, where there is none."""
    try:
        return console().input(question, markup=False).strip().lower() in ("y", "yes")
    except EOFError:
        return False
