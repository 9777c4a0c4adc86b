"""The gates of the runs that a session has played: decided once, at the end, by the process that reports."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

from harness.pytest_plugin.options import RUN, STAGE, options_of

if TYPE_CHECKING:
    from harness.store.store import Store


class Verdicts:
    """Hears of the runs by the reports, which come from every process of pytest-xdist, and by what plays in this one:
    of an item that was interrupted there is no report.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._runs: dict[str, None] = {}
        self._lines: list[tuple[str, bool]] = []
        """What the summary says, and whether it is good."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the run of a scenario."""
        self._runs |= {str(value): None for name, value in report.user_properties if name == RUN}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Decide the gates. One that did not pass fails the session, even if every test has passed."""
        stage = self._config.stash.get(STAGE, None)
        self._runs |= dict.fromkeys(() if stage is None else stage.runs)
        if not self._runs:
            return
        from harness.store.places import open_store
        from harness.store.problem import StoreProblem

        try:
            with open_store(options_of(self._config).store, must_exist=True) as store:
                for run in self._runs:
                    self._lines += _verdict(store, run, options_of(self._config).where)
        except StoreProblem as problem:
            self._lines.append((str(problem), False))
        if session.exitstatus == pytest.ExitCode.OK and not all(good for _, good in self._lines):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what they say."""
        if self._lines:
            terminalreporter.section("turngate")
        for line, good in self._lines:
            terminalreporter.write_line(line, red=not good)


def _verdict(store: Store, run: str, where: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Decide a run's gate and write down how it ended; gives the lines that say so."""
    from harness.model.result import Decision
    from harness.reports.gate_lines import gate_lines
    from harness.reports.printable import printable
    from harness.reports.result_json import decision_of
    from harness.reports.wording import verdict_words
    from harness.runs.decided import decided, passed

    found = decided(store, store.run(run))
    missing = sum(result.state == "missing" for result in found.results)
    store.finish(run, "interrupted" if missing else "done")
    said = verdict_words(found.verdict)
    good = passed(found.verdict, found.results) or (decision_of(found.verdict) == "partial" and not missing)
    agent = printable(found.run.agents[0].label)
    yield f"{found.run.workflow} · {agent}: {said.words}{said.why}{said.uncounted}", good
    for line in gate_lines(found.verdict.rules):
        if not good and line.decision in (Decision.FAILED, Decision.UNDECIDED):
            figure = f"{line.figure} ({line.bound})".strip() if line.bound else line.figure
            place = " · ".join(filter(None, (line.rule, line.where, figure)))
            yield f"  {line.decision.value}: {place}: {line.why}", False
    yield f"  {shlex.join(['turngate', 'gate', run, *where])}    prints all of it", good
