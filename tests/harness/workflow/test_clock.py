from __future__ import annotations

from datetime import datetime

import pytest

from harness.model.source import Mapping
from harness.workflow.clock import compute_moments, read_clock
from harness.workflow.problems import Problem
from harness.workflow.yaml_nodes import parse

CLOCK = datetime.fromisoformat("2026-11-20T10:00:00+01:00")


def computed(text: str, clock: datetime | None = CLOCK) -> tuple[Mapping, list[Problem]]:
    node = parse(text, "f.yaml")
    assert isinstance(node, Mapping)
    problems: list[Problem] = []
    return compute_moments(node, clock, problems), problems


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("clock - 8 days", "2026-11-12"),
        ("clock + 1 day", "2026-11-21"),
        ("clock - 2 weeks", "2026-11-06"),
        ("clock + 3 hours", "2026-11-20T13:00:00+01:00"),
        ("clock - 90 minutes", "2026-11-20T08:30:00+01:00"),
        ("clock", "2026-11-20T10:00:00+01:00"),
        ("clock-8 days", "2026-11-12"),
        ("clockwork", "clockwork"),
        ('"clock - 8 days"', "clock - 8 days"),
    ],
)
def test_moments_among_values(written: str, moment: str) -> None:
    node, problems = computed(f"given: {{orders.O-1: {{day: {written}}}}}\n")
    assert not problems
    assert node["given"]["orders.O-1"]["day"].raw == moment


def test_a_moment_is_text_for_free_positions() -> None:
    node, _ = computed("given: {a.b: {day: clock - 8 days}}\n")
    assert node["given"]["a.b"]["day"].plain is False


def test_moments_are_computed_where_values_stand_and_nowhere_else() -> None:
    node, problems = computed(
        """
title: clock - 1 day
user:
  knows: {date: clock - 1 day}
  turns:
    - clock - 1 day
    - say: clock - 1 day
      now: {date: clock}
      when: {state: {orders.O-1.day: clock}}
      expect: [clock, {mentions: clock + 5 days}]
expect:
  says: [clock]
  state: {orders.O-1.day: clock}
  calls: {required: [{book: {day: clock + 1 day}}]}
gold:
  - reply: clock - 1 day
  - book: {day: clock + 1 day}
"""
    )
    assert not problems
    assert node["title"].raw == "clock - 1 day"
    user = node["user"]
    assert user["knows"]["date"].raw == "2026-11-19"
    assert user["turns"][0].raw == user["turns"][1]["say"].raw == "clock - 1 day"
    assert user["turns"][1]["now"]["date"].raw == CLOCK.isoformat()
    assert user["turns"][1]["when"]["state"]["orders.O-1.day"].raw == CLOCK.isoformat()
    assert [user["turns"][1]["expect"][0].raw, user["turns"][1]["expect"][1]["mentions"].raw] == ["clock", "2026-11-25"]
    assert node["expect"]["says"][0].raw == "clock"
    assert node["expect"]["state"]["orders.O-1.day"].raw == CLOCK.isoformat()
    assert node["expect"]["calls"]["required"][0]["book"]["day"].raw == "2026-11-21"
    assert [node["gold"][0]["reply"].raw, node["gold"][1]["book"]["day"].raw] == ["clock - 1 day", "2026-11-21"]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("clock - 8", "can't be computed"),
        ("clock - 2 months", "can't be computed"),
        ("clock + 999999 weeks", "outside the calendar"),
    ],
)
def test_what_can_not_be_computed_is_told(written: str, words: str) -> None:
    _, (problem,) = computed(f"given:\n  a.b.day: {written}\n")
    assert str(problem).startswith("f.yaml:2:12: ")
    assert words in str(problem)


def test_without_a_clock_there_are_no_moments() -> None:
    _, (problem,) = computed("given: {a.b.day: clock - 8 days}\n", None)
    assert "needs a clock" in str(problem)


@pytest.mark.parametrize(
    ("written", "words"),
    [("tomorrow", "no date and time"), ("2026-11-20T10:00:00", "no offset"), ("[1]", "no date and time")],
)
def test_a_clock_is_a_date_and_time_with_an_offset(written: str, words: str) -> None:
    node = parse(f"clock: {written}", "f.yaml")
    assert isinstance(node, Mapping)
    problems: list[Problem] = []
    assert read_clock(node["clock"], problems) is None
    assert words in str(problems[0])
