"""Scenarios as test items: a file of them is a collector, each of its scenarios an item."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.pytest_plugin.options import BUNDLES, RUN, STAGE, options_of

if TYPE_CHECKING:
    from harness.model.scenario import Scenario
    from harness.pytest_plugin.came import Came
    from harness.workflow.bundle import Bundle

_WORKFLOW = "workflow.yaml"
_SCENARIOS = "scenarios"
# By either key, so that a slip in one of them is told, and no scenario is left out in silence.
_IS_WORKFLOW = re.compile(rb"""^(\xef\xbb\xbf)?(\{\s*)?["']?(workflow|scenario_map)["']?\s*:""", re.MULTILINE)


def workflow_above(file: Path) -> Path | None:
    """The folder of the workflow that a file is a scenario file of; None for any other file."""
    if file.suffix not in (".yaml", ".yml"):
        return None
    for folder in file.parents:
        if folder.name == _SCENARIOS:
            workflow = folder.parent / _WORKFLOW
            return folder.parent if workflow.is_file() and _IS_WORKFLOW.search(workflow.read_bytes()) else None
    return None


class ScenarioFile(pytest.File):
    """A scenario file of a workflow. `root`: the workflow's folder."""

    def __init__(self, *, root: Path, **more: Any) -> None:
        super().__init__(**more)
        self.root = root

    def collect(self) -> Iterator[ScenarioItem]:
        """Its scenarios, in order of writing. Raises CollectError with all that is wrong in all files of the workflow,
        for the first of its files; the others refer to that.
        """
        loaded = self.config.stash.setdefault(BUNDLES, {})
        if self.root not in loaded:
            loaded[self.root] = self._load()
            if isinstance(wrong := loaded[self.root], Exception):
                raise self.CollectError(str(wrong))
        bundle = loaded[self.root]
        if isinstance(bundle, Exception):
            raise self.CollectError(f"the workflow in {self.root} can't be loaded: what is wrong stands above")
        from harness.workflow.find import shown

        file = shown(self.path)
        for scenario in bundle.scenarios.values():
            if scenario.at is not None and scenario.at.file == file:
                yield ScenarioItem.from_parent(
                    self, name=scenario.id, callobj=_asks_for_the_agent, bundle=bundle, scenario=scenario
                )

    def _load(self) -> Bundle | Exception:
        from harness.runs.prepare import load_bundle
        from harness.workflow.problems import Problems

        try:
            return load_bundle(self.root, options_of(self.config).trials)
        except Problems as problems:
            return problems


def _asks_for_the_agent(turngate_agent: object) -> None:
    """What pytest reads the fixtures of an item from."""


class ScenarioItem(pytest.Function):
    """A scenario with all its trials. It is played while the item is set up, so that what is nobody's failure is an
    error; the test itself is what the agent made of it.
    """

    def __init__(self, *, bundle: Bundle, scenario: Scenario, **more: Any) -> None:
        super().__init__(**more)
        self.bundle = bundle
        self.scenario = scenario
        workflow = bundle.workflow.workflow
        self.add_marker(pytest.mark.turngate(workflow=workflow, family=scenario.family, tier=scenario.tier))
        self.add_marker(scenario.tier)
        family = re.sub(r"\W", "_", f"family_{scenario.family}")
        self.config.addinivalue_line("markers", f"{family}: a scenario of turngate's family {scenario.family}")
        self.add_marker(family)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Where the scenario is written."""
        line = None if self.scenario.at is None else self.scenario.at.line - 1
        return self.path, line, self.name

    def setup(self) -> None:
        """Set the fixtures up, and play every trial."""
        super().setup()
        if self.config.getoption("setuponly", False):  # also --setup-plan: no test is to run
            return
        self._came = self._played(options_of(self.config).agent or self.funcargs["turngate_agent"])
        self._tell("turngate_trials", self._came.statuses)
        if not (self._came.passed or self._came.failed):
            pytest.fail(self._came.text, pytrace=False)

    def runtest(self) -> None:
        """Fail if a trial did and the scenario decides on anything."""
        from harness.reports.printable import printable

        if self._came.failed and self._came.excuse:
            pytest.xfail(f"{printable(self._came.excuse)}\n{self._came.text}")
        if self._came.failed:
            pytest.fail(self._came.text, pytrace=False)

    def _played(self, agent: object) -> Came:
        from harness.pytest_plugin.playing import MISTAKES, Stage

        if (stage := self.config.stash.get(STAGE, None)) is None:
            stage = self.config.stash[STAGE] = Stage(self.config)
        items = (each for each in self.session.items if isinstance(each, ScenarioItem) and each.bundle is self.bundle)
        chosen = list(dict.fromkeys(each.name for each in items))  # one may be there twice (--keep-duplicates)
        try:
            return stage.play(self.bundle, chosen, self.name, agent, lambda run: self._tell(RUN, run))
        except MISTAKES as mistake:
            raise pytest.fail.Exception(str(mistake), pytrace=False) from None

    def _tell(self, name: str, value: str) -> None:
        """Have the report say so, once: a plugin may try an item again."""
        self.user_properties[:] = [*(each for each in self.user_properties if each[0] != name), (name, value)]
