"""`clock`, `clock - 8 days`, `clock + 2 hours`: moments told from the workflow's clock, computed when files are read.

Days and weeks give a date (`2026-11-12`), hours and minutes a date and time with the clock's offset, and so does
`clock` alone. Only plain, unquoted values are computed, and only where values stand: what is said stays as written.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from harness.model.source import Mapping, Scalar, Sequence
from harness.workflow.problems import Problem
from harness.workflow.yaml_nodes import Node

_MOMENT = re.compile(r"clock(?:\s*(?P<sign>[+-])\s*(?P<count>\d{1,6})\s+(?P<unit>day|week|hour|minute)s?)?")
_SHIFTED = re.compile(r"clock\s*[+-].*")
_ANY_MOMENT = re.compile(rf"clock|{_SHIFTED.pattern}")

_VALUES = frozenset({"given", "knows", "now", "state", "calls", "match", "answer", "gold", "limit", "set", "return"})
"""Keys below which values stand."""
_WORDINGS = frozenset({"expect", "says", "never_says"})
"""Keys below which wordings stand: there `clock` alone is a word, and only `clock + 5 days` is computed."""
_SPEECH = frozenset({"say", "reply", "asked"})


def read_clock(node: Node, problems: list[Problem]) -> datetime | None:
    """The workflow's clock; anything but a date and time with an offset is a problem."""
    raw = node.raw if isinstance(node, Scalar) else "this"
    try:
        clock = datetime.fromisoformat(raw)
    except ValueError:
        problems.append(Problem(node.at, f"`{raw}` is no date and time", do="such as 2026-11-20T10:00:00+01:00"))
        return None
    if clock.tzinfo is None:
        problems.append(Problem(node.at, f"the clock `{raw}` has no offset", do="such as 2026-11-20T10:00:00+01:00"))
        return None
    return clock


def compute_moments(node: Mapping, clock: datetime | None, problems: list[Problem]) -> Mapping:
    """The mapping with every moment computed. Without a clock a moment is a problem."""
    return _Computation(clock, problems).mapping(node, None)


class _Computation:
    def __init__(self, clock: datetime | None, problems: list[Problem]) -> None:
        self._clock = clock
        self._problems = problems

    def mapping(self, node: Mapping, pattern: re.Pattern[str] | None) -> Mapping:
        """`pattern`: which texts are moments here; None: none is."""
        members = {
            key: value if key in _SPEECH else self._below(value, self._pattern(key, pattern))
            for key, value in node.items()
        }
        return Mapping(members, node.at, node.keys_at)

    def _below(self, node: Node, pattern: re.Pattern[str] | None) -> Node:
        if isinstance(node, Mapping):
            return self.mapping(node, pattern)
        if isinstance(node, Sequence):
            return Sequence([self._below(item, pattern) for item in node], node.at)
        if pattern is not None and node.plain and pattern.fullmatch(node.raw):
            return self._moment(node)
        return node

    @staticmethod
    def _pattern(key: str, outer: re.Pattern[str] | None) -> re.Pattern[str] | None:
        if key in _VALUES:
            return _ANY_MOMENT
        return _SHIFTED if key in _WORDINGS else outer

    def _moment(self, node: Scalar) -> Scalar:
        found = _MOMENT.fullmatch(node.raw)
        if not found:
            advice = "such as `clock - 8 days`, in days, weeks, hours or minutes; quote it if it is text"
            return self._refuse(node, "can't be computed", advice)
        if self._clock is None:
            return self._refuse(node, "needs a clock", "give the workflow a `clock:`, or quote it if it is text")
        try:
            return Scalar(_moment(self._clock, found), False, node.at)
        except OverflowError:
            return self._refuse(node, "lies outside the calendar", None)

    def _refuse(self, node: Scalar, what: str, do: str | None) -> Scalar:
        self._problems.append(Problem(node.at, f"`{node.raw}` {what}", do=do))
        return node


def _moment(clock: datetime, found: re.Match[str]) -> str:
    unit = found["unit"]
    if unit is None:
        return clock.isoformat()
    moment = clock + timedelta(**{f"{unit}s": int(found["sign"] + found["count"])})
    return moment.date().isoformat() if unit in ("day", "week") else moment.isoformat()
