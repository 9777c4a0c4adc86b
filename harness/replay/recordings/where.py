"""Choosing recordings by what is told of them: `feedback=down`, `reward>=1`, `agent=shop@*`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from harness.replay.recordings.feedback import moment, thumb_of
from harness.store.recording_rows import RecordingSummary
from tools_sandbox.call import Json

_TERM = re.compile(r"\s*(?P<name>[^=!<>\s]+)\s*(?P<sign>!=|<=|>=|=|<|>)\s*(?P<value>.*?)\s*", re.DOTALL)
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_TIME = "begun"

FIELDS: dict[str, Callable[[RecordingSummary], list[Json]]] = {
    "id": lambda told: [told.id],
    "workflow": lambda told: [told.workflow],
    "source": lambda told: [told.source.kind],
    "file": lambda told: [told.source.where],
    "agent": lambda told: [told.agent],
    "outcome": lambda told: [told.outcome],
    _TIME: lambda told: [told.begun],
    "turns": lambda told: [told.turns],
    "calls": lambda told: [told.calls],
    "tool": lambda told: list(told.tools),
    "flaws": lambda told: [told.flaws],
    "feedback": lambda told: [each for one in told.feedback for each in (thumb_of(one), one.label, one.name)],
}
"""What may be asked for besides the names of feedback and labels. Of several values any may fit."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition. `name`: of FIELDS, of a feedback (`rating`), or of a label (`reward`). `value`: a number or text,
    which may be a pattern (`*`), whatever the case.
    """

    name: str
    sign: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read `name=value` and the like. Raises ValueError."""
        found = _TERM.fullmatch(text)
        if found is None:
            raise ValueError(f"{text}: write name=value, as in feedback=down, reward>=1 or agent!=shop@*")
        value = found["value"]
        if found["name"] == _TIME:
            if (at := moment(value)) is None:
                raise ValueError(f"{text}: write a time, as in {_TIME}>=2026-11-01 or {_TIME}<2026-11-20T10:00+01:00")
            value = repr(at)
        term = cls(found["name"], found["sign"], value)
        if term.sign in _ORDER and _number(term.value) is None:
            raise ValueError(f"{text}: {term.sign} compares numbers")
        return term

    def fits(self, told: RecordingSummary) -> bool:
        """Whether a recording is as the condition says. One without a value of that name is only `!=`."""
        values = [value for value in self._values(told) if value is not None]
        if self.sign == "!=":
            return not any(map(self._equals, values))
        if self.sign == "=":
            return any(map(self._equals, values))
        wanted = _number(self.value)
        numbers = (_number(value) for value in values)
        return any(number is not None and _ORDER[self.sign](number, wanted) for number in numbers)

    def _values(self, told: RecordingSummary) -> Iterator[Json]:
        if self.name in FIELDS:
            yield from FIELDS[self.name](told)
            return
        yield told.labels.get(self.name)
        for one in told.feedback:
            if one.name == self.name:
                yield from (one.value, one.label, thumb_of(one))

    def _equals(self, value: Json) -> bool:
        mine, other = _number(self.value), _number(value)
        if mine is not None and other is not None:
            return mine == other
        text = value if isinstance(value, str) else str(value)
        return fnmatchcase(text.casefold(), self.value.casefold())


def _number(value: Json) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None
