"""Whether expectations can fail, and whether they can hold: what asks for nothing, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.model.expect import CallItem, Expect
from harness.model.source import Item
from harness.workflow.lint.subject import Report, Subject, Written
from harness.workflow.validate import Path

Way = list[tuple[Expect, Path]]
"""An expectation and the branches taken of its `any_of`s, outermost first, which are held as one."""


def check_expectations(written: Written, subject: Subject, report: Report) -> None:
    """Expectations that any agent meets, and those that none can."""
    scenario = written.scenario
    lines = [line.expect for line in scenario.user.turns if line.expect is not None]
    if not any(expect.can_fail for expect in (scenario.expect, *lines)):
        advice = "write what must come of it: `says`, `calls`, `state`, `outcome` …"
        report.error(
            written.key_at("expect"), "nothing is expected, so that any agent passes that changes nothing", advice
        )
    for expect, path in written.expectations():
        empty = list(_empty(expect, path))
        for where in empty:
            what = f"`{where[-1]}` is empty, so that it asks for nothing"
            report.error(written.key_at(*where), what, "take it out; in a variant, `null` does")
        if path != ("expect",) and not expect.can_fail and not empty:
            what = "this asks for nothing, so that it holds whatever happens"
            report.error(written.at(*path), what, "write what must come about, or take it out")
    told: set[Path] = set()
    for way, of_lines in _ways(written):
        for path, what in _contradictions(way, of_lines, subject):
            if path not in told:
                report.error(written.at(*path), what, "no agent can do both")
            told.add(path)


def _empty(item: Item, path: Path) -> Iterator[Path]:
    """Lists and mappings that were written with nothing in them, but for `state`: there it is that none may change."""
    for name in sorted(item.model_fields_set - {"at", "state"}):
        value = getattr(item, name)
        if isinstance(value, Item):
            yield from _empty(value, (*path, name))
            if value.model_fields_set <= {"at"}:
                yield (*path, name)
        elif isinstance(value, list | dict) and not value:
            yield (*path, name)
        elif isinstance(value, dict):
            yield from ((*path, name, key) for key, member in value.items() if member == [])


def _ways(written: Written) -> Iterator[tuple[Way, Way]]:
    """Every way in which the conversation or a line can meet what is expected; with that of the conversation, what its
    lines expect in any case.
    """
    lines: Way = []
    for number, line in enumerate(written.scenario.user.turns):
        if line.expect is not None:
            path: Path = ("user", "turns", number, "expect")
            lines.append((line.expect, path))
            yield from ((way, []) for way in _branches(line.expect, path))
    yield from ((way, lines) for way in _branches(written.scenario.expect, ("expect",)))


def _branches(expect: Expect, path: Path) -> Iterator[Way]:
    if not expect.any_of:
        yield [(expect, path)]
    for number, branch in enumerate(expect.any_of):
        yield from ([(expect, path), *rest] for rest in _branches(branch, (*path, "any_of", number)))


def _contradictions(way: Way, of_lines: Way, subject: Subject) -> Iterator[tuple[Path, str]]:
    """What can't hold, with the place of the later part of it."""
    required = [(item, where) for expect, path in (*way, *of_lines) for item, where in _required(expect, path)]
    forbidden = {tool: rule.id for rule in subject.workflow.rules for tool in rule.never}
    for item, where in required:
        if item.tool in forbidden:
            yield where, f"`{item.tool}` is required, and the rule `{forbidden[item.tool]}` forbids it"
    said = [words.match for expect, _ in way for words in expect.says]
    for expect, path in way:
        for number, words in enumerate(expect.never_says):
            if words.match in said:
                yield (*path, "never_says", number), "this must be said and must never be said"
        if expect.calls is None:
            continue
        for number, item in enumerate(expect.calls.never):
            if _covered(item, required):
                yield (*path, "calls", "never", number), f"`{item.tool}` is required and must never be called"
        for number, limit in enumerate(expect.calls.at_most):
            if (wanted := len(_covered(limit.call, required))) > limit.times:
                what = f"`{limit.call.tool}` is required {wanted} times, and at most {limit.times} are allowed"
                yield (*path, "calls", "at_most", number), what
        for number, (first, second) in enumerate(expect.calls.before):
            if (first.tool, first.arguments) == (second.tool, second.arguments):
                yield (*path, "calls", "before", number), f"`{first.tool}` would have to come before itself"


def _required(expect: Expect, path: Path) -> Iterator[tuple[CallItem, Path]]:
    for number, item in enumerate(expect.calls.required if expect.calls else ()):
        yield item, (*path, "calls", "required", number)


def _covered(item: CallItem, required: Iterable[tuple[CallItem, Path]]) -> list[CallItem]:
    """The required calls that are certain to be such a call: of its tool, with all the arguments it speaks of."""
    return [one for one, _ in required if one.tool == item.tool and item.arguments.items() <= one.arguments.items()]
