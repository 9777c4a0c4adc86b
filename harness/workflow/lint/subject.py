"""What is checked, and where what is found is written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from harness.model.expect import Calls, Expect
from harness.model.material import Document
from harness.model.scenario import Scenario
from harness.model.source import Mapping as MappingNode
from harness.model.source import Where
from harness.model.workflow import Workflow
from harness.workflow.problems import Problem, listed
from harness.workflow.validate import Path, key_place, value_place
from tools_sandbox.nearest import nearest
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.start import StartState


@dataclass(frozen=True, slots=True)
class Written:
    """A scenario and the node it was read from, which knows the places."""

    scenario: Scenario
    node: MappingNode

    def at(self, *path: str | int) -> Where:
        """The place of the value that `path` leads to."""
        return value_place(self.node, path)

    def key_at(self, *path: str | int) -> Where:
        """The place of the key at the end of `path`."""
        return key_place(self.node, path)

    def expectations(self) -> Iterator[tuple[Expect, Path]]:
        """Every expectation with its path: of the lines, of the end, and of the branches of each."""
        for number, line in enumerate(self.scenario.user.turns):
            if line.expect:
                yield from _with_branches(line.expect, ("user", "turns", number, "expect"))
        yield from _with_branches(self.scenario.expect, ("expect",))


def _with_branches(expect: Expect, path: Path) -> Iterator[tuple[Expect, Path]]:
    yield expect, path
    for number, branch in enumerate(expect.any_of):
        yield from _with_branches(branch, (*path, "any_of", number))


def expected_calls(calls: Calls) -> Iterator[tuple[Any, Path]]:
    """Every call that is expected or forbidden, with its path below `calls`."""
    for name in ("required", "in_order", "never"):
        for number, item in enumerate(getattr(calls, name)):
            yield item, (name, number)
    for number, pair in enumerate(calls.before):
        for place, item in enumerate(pair):
            yield item, ("before", number, place)
    for number, limit in enumerate(calls.at_most):
        yield limit.call, ("at_most", number)


@dataclass(frozen=True, slots=True)
class Subject:
    """A bundle that reads well by itself."""

    root: FilePath
    workflow: Workflow
    node: MappingNode
    scenarios: tuple[Written, ...]
    knowledge: tuple[Document, ...]
    schema: SandboxSchema
    start: StartState

    def at(self, *path: str | int) -> Where:
        """The place in the workflow file of the value that `path` leads to."""
        return value_place(self.node, path)

    def key_at(self, *path: str | int) -> Where:
        """The place in the workflow file of the key at the end of `path`."""
        return key_place(self.node, path)

    @property
    def tools(self) -> set[str]:
        """Every tool that an agent may call here."""
        return {*self.schema.tools, *self.workflow.tools, *self.workflow.passthrough}


@dataclass(slots=True)
class Report:
    """What a check found: errors, which stop everything, and warnings."""

    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def error(self, where: Where, what: str, do: str | None = None) -> None:
        """Something is wrong."""
        self.errors.append(Problem(where, what, do=do))

    def warn(self, where: Where, what: str, do: str | None = None, meant: str | None = None) -> None:
        """Something is doubtful."""
        self.warnings.append(Problem(where, what, meant, do))

    def unknown(self, where: Where, kind: str, name: str, known: Iterable[str], none: str) -> None:
        """A name that is not there. `none` is the advice where nothing of that kind is."""
        names = sorted(known)
        guess = nearest(name, names)
        advice = none if not names else None if guess else f"there is {listed(names)}"
        self.errors.append(Problem(where, f"there is no {kind} `{name}`", guess, advice))
