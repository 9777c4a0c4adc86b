"""The options `--turngate-…`, and what is kept for the length of a session."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from harness.pytest_plugin.playing import Stage
    from harness.workflow.bundle import Bundle

RUN = "turngate_run"
"""The property of a test report that names the run."""
SESSION = pytest.StashKey[str]()
"""The name of the session, the same in all processes of pytest-xdist: when it began, and letters of its own."""
BUNDLES: pytest.StashKey[dict[Path, Bundle | Exception]] = pytest.StashKey()
"""The bundles of the session by their folders, or why they can't be loaded."""
STAGE: pytest.StashKey[Stage] = pytest.StashKey()
"""What plays in this process, once a scenario was asked for."""


@dataclass(frozen=True, slots=True)
class Options:
    """As given, else from the environment. `trials`: of each scenario, None: the workflow's number; `workers`:
    processes that a named agent runs in, 0: in the one of the tests; `concurrency`: trials of a scenario at a time.
    """

    agent: str | None
    trials: int | None
    store: str | None
    workers: int
    concurrency: int

    @property
    def where(self) -> tuple[str, ...]:
        """What a command needs to find what this session stores."""
        return ("--store", self.store) if self.store and self.store != os.environ.get("TURNGATE_STORE") else ()


def add_options(parser: pytest.Parser) -> None:
    """Tell pytest of them."""
    group = parser.getgroup("turngate", "turngate: scenarios of workflows")
    agent = "file.py:name, module:name, openai:MODEL or an address [env var: TURNGATE_AGENT; default: the fixture's]"
    group.addoption("--turngate-agent", metavar="AGENT", help=agent)
    trials = "trials a scenario [env var: TURNGATE_TRIALS; default: the workflow's]"
    group.addoption("--turngate-trials", type=int, metavar="N", help=trials)
    store = "SQLite file or database URL [env var: TURNGATE_STORE; default: .turngate/turngate.db]"
    group.addoption("--turngate-store", metavar="STORE", help=store)
    workers = "processes that a named agent runs in; 0: in this one [env var: TURNGATE_WORKERS; default: 1]"
    group.addoption("--turngate-workers", type=int, metavar="N", help=workers)
    concurrency = "trials of a scenario at a time [env var: TURNGATE_CONCURRENCY; default: 8]"
    group.addoption("--turngate-concurrency", type=int, metavar="N", help=concurrency)


def options_of(config: pytest.Config) -> Options:
    """Raises UsageError for a number that can't be meant."""
    workers, concurrency = _number(config, "workers", 0), _number(config, "concurrency", 1)
    return Options(
        agent=config.getoption("turngate_agent") or os.environ.get("TURNGATE_AGENT"),
        trials=_number(config, "trials", 1),
        store=config.getoption("turngate_store") or os.environ.get("TURNGATE_STORE"),
        workers=1 if workers is None else workers,
        concurrency=8 if concurrency is None else concurrency,
    )


def _number(config: pytest.Config, name: str, least: int) -> int | None:
    option, variable = f"--turngate-{name}", f"TURNGATE_{name.upper()}"
    given: int | None = config.getoption(f"turngate_{name}")
    source, text = (option, str(given)) if given is not None else (variable, os.environ.get(variable, ""))
    if not text:
        return None
    if not text.strip().lstrip("-").isdecimal() or int(text) < least:
        raise pytest.UsageError(f"{source}={text}: a whole number, at least {least}")
    return int(text)
