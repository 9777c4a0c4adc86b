"""What pytest calls. It is loaded in every project of an environment, so nothing is imported here that is not needed in
all of them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from inspect import isasyncgenfunction, iscoroutinefunction
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from harness.pytest_plugin.collect import ScenarioFile, workflow_above
from harness.pytest_plugin.options import SESSION, STAGE, add_options, options_of
from harness.pytest_plugin.verdicts import Verdicts

_MARKERS = (
    "turngate(workflow, family, tier): on every scenario that turngate plays",
    "critical: a scenario of turngate every trial of which must pass",
    "core: a scenario of turngate that the rules of its workflow decide on",
    "explore: a scenario of turngate that is shown and decides nothing",
)
_AGENT = "turngate_agent"
_TOLD = "turngate"
"""What the controller of pytest-xdist tells its workers: the name of the session."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options `--turngate-…`."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Name the session, in all processes alike, and have one of them decide the gates."""
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    options_of(config)  # a wrong one is told before anything is collected
    told: dict[str, Any] | None = getattr(config, "workerinput", None)
    if told is None:
        config.stash[SESSION] = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{token_hex(8)}"
        config.pluginmanager.register(Verdicts(config), "turngate-verdicts")
    else:
        config.stash[SESSION] = told[_TOLD]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist the name of the session."""
    node.workerinput[_TOLD] = node.config.stash[SESSION]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """The scenarios of a file, if it is one of a workflow's."""
    root = workflow_above(file_path)
    return None if root is None else ScenarioFile.from_parent(parent, path=file_path, root=root)


@pytest.fixture(scope="session")
def turngate_agent() -> object:
    """The agent that scenarios are played against: a name as for `turngate run --agent`, or the agent itself; None is
    the workflow's own. Override it in a `conftest.py`; --turngate-agent goes before that.
    """
    return None


def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> None:
    """Refuse an agent's fixture that has to be awaited, where no plugin has made a plain function of it."""
    if fixturedef.argname == _AGENT and (iscoroutinefunction(fixturedef.func) or isasyncgenfunction(fixturedef.func)):
        pytest.fail(
            f"the fixture {_AGENT} is asynchronous, and nothing here awaits it: make it a plain `def` (the agent that "
            "it gives may be asynchronous), or have a plugin for asynchronous fixtures do so "
            "(@pytest_asyncio.fixture of pytest-asyncio)",
            pytrace=False,
        )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End what plays, before gates are decided on what was played."""
    stage = session.config.stash.get(STAGE, None)
    if stage is not None:
        stage.close()
