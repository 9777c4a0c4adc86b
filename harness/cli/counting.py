"""How far a command has come that reads or writes many things: a count on stderr, where somebody watches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from harness.cli.out import console

T = TypeVar("T")


def counted(things: Iterable[T], doing: str, place: Console | None = None) -> Iterator[T]:
    """The same things, counted as they go by. `place`: the console of what else is told meanwhile."""
    place = place or console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=place, transient=True, disable=not place.is_terminal) as progress:
        task = progress.add_task(doing, total=None)
        for number, thing in enumerate(things, 1):
            progress.update(task, description=f"{doing}: {number:,}")
            yield thing
