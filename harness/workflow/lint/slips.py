"""Names that people choose freely, and that are so like another one that they are most likely a slip of the pen.

Taken as they stand they would be words that nothing else has: a stance that no proposal meets, a fact that nobody asks
for, a slice of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from harness.model.source import Where
from harness.workflow.lint.reach import answers
from harness.workflow.lint.subject import Report, Subject, Written
from harness.workflow.validate import Path
from tools_sandbox.nearest import slip

_BRACED = re.compile(r"\{(\w+)\}")


def check_slips(subject: Subject, report: Report) -> None:
    """Slices, what a user knows and wants, the marks of tools, and what is filled in between braces."""
    told = _Slips(report)
    slices = Counter(key for written in subject.scenarios for key in written.scenario.slices)
    for written in subject.scenarios:
        for key in written.scenario.slices:
            common = [name for name, count in slices.items() if count > slices[key]]
            told.check("slice", key, common, written.key_at("slices", key))
        _user(written, subject, told)
    simulated = {tool.name for tool in subject.start.tools}
    for name, tool in subject.workflow.tools.items():
        if name not in simulated and name not in subject.workflow.passthrough:
            told.check("tool", name, simulated, subject.key_at("tools", name))
        for answer, path in answers({name: tool}):
            for text, below in _texts(answer):
                told.braces(text, tool.args, subject.at(*path, *below))


class _Slips:
    def __init__(self, report: Report) -> None:
        self._report = report

    def check(self, kind: str, name: str, known: Iterable[str], where: Where) -> None:
        """A name that none is, though one is very like it."""
        names = list(known)
        if name not in names and (meant := slip(name, names)):
            self._report.warn(where, f"there is no other {kind} `{name}`", meant=meant)

    def braces(self, text: str, known: Collection[str], where: Where) -> None:
        """Braces that stay as they stand, since nothing of that name is filled in."""
        for name in _BRACED.findall(text):
            if name not in known and (meant := slip(name, known)):
                self._report.warn(where, f"`{{{name}}}` stays as it stands: nothing of that name is known", meant=meant)


def _user(written: Written, subject: Subject, told: _Slips) -> None:
    user = written.scenario.user
    known = {*user.knows, *user.answers}
    for number, line in enumerate(user.turns):
        path: Path = ("user", "turns", number)
        for slot in line.now or ():
            told.check("slot", slot, known, written.key_at(*path, "now", slot))
        for place, text in enumerate(line.say):
            told.braces(text, {*known, *(line.now or ())}, written.at(*path, "say", place))
    for name in ("wants", "agrees_to", "declines"):
        for number, stance in enumerate(getattr(user, name)):
            told.check("act", stance.name, subject.tools, written.key_at("user", name, number))


def _texts(answer: Any) -> Iterator[tuple[str, Path]]:
    """Every text that arguments are filled into, with its path."""
    for key, value in answer.set.items():
        yield from ((text, ("set", key)) for text in _leaves(value))
    if answer.return_ is not None:
        yield from ((text, ("return",)) for text in _leaves(answer.return_.value))
    if getattr(answer, "error", None) is not None:
        yield answer.error, ("error",)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from _leaves(member)
    elif isinstance(value, list):
        for member in value:
            yield from _leaves(member)
