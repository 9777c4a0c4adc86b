"""The progress bar of a run, on stderr."""

from __future__ import annotations

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from harness.cli.out import console
from harness.model.status import Status
from harness.runs.executor import Played
from harness.runs.rehearse import Progress as RunProgress


class Bar(RunProgress):
    """Episodes, rate, failures so far."""

    def __init__(self) -> None:
        self.run: str | None = None
        self.planned = self.done = 0
        self._failed = self._not_judged = 0
        place = console(stderr=True)
        self.shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[failures]}"),
            console=place,
            transient=True,
            disable=not place.is_terminal,
        )
        self._task = self.shown.add_task("getting ready", total=None, count="", rate="", failures="")

    def begins(self, run: str, planned: int) -> None:
        """The bar gets its length."""
        self.run, self.planned = run, planned
        self.shown.reset(self._task, total=planned, description="episodes")
        self._completed(0)

    def played(self, episode: Played) -> None:
        """One more."""
        self.done += 1
        self._failed += episode.status is Status.FAILED
        self._not_judged += episode.status is Status.NOT_JUDGED
        elapsed = self.shown.tasks[0].elapsed or 0
        failures = f"{self._failed} failed" + (f", {self._not_judged} not judged" if self._not_judged else "")
        rate = f"{self.done / elapsed:.0f}/s" if elapsed else ""
        self.shown.update(self._task, rate=rate, failures=failures)
        self._completed(self.done)

    def grows(self, count: int, open_: int) -> None:
        """The bar gets longer."""
        self.planned += count
        checks = f"{open_} check{'s' if open_ > 1 else ''} open"
        self.shown.update(self._task, total=self.planned, description=f"episodes, {checks}")
        self._completed(self.done)

    def spared(self, count: int) -> None:
        """So many need not be waited for."""
        self._completed(self.done + count)

    def _completed(self, number: int) -> None:
        self.shown.update(self._task, completed=number, count=f"{number}/{self.planned}")
