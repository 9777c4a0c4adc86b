"""What a scenario asks for, all of its expectations taken together: those of lines and of every branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.model.expect import CallItem, Expect
from harness.model.scenario import Scenario


def expectations(scenario: Scenario) -> Iterator[Expect]:
    """Those of the whole conversation and of its lines, with their branches."""
    yield from branches(scenario.expect)
    yield from of_lines(scenario)


def of_lines(scenario: Scenario) -> Iterator[Expect]:
    """Those of the scripted lines alone."""
    for line in scenario.user.turns:
        if line.expect is not None:
            yield from branches(line.expect)


def branches(expect: Expect) -> Iterator[Expect]:
    """An expectation and everything in its `any_of`."""
    yield expect
    for branch in expect.any_of:
        yield from branches(branch)


def asked_calls(expects: Iterable[Expect]) -> list[CallItem]:
    """The calls that some expectations want made."""
    return [item for expect in expects if expect.calls for item in (*expect.calls.required, *expect.calls.in_order)]
