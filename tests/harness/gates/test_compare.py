"""Which version passes where, at what cost, how fast; and which one another makes needless."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.gates.compare import Figure, Standing, Version, _compared, compare
from harness.gates.decide import decide
from harness.model.episode import EpisodeKey
from harness.model.result import Decision, Result
from harness.model.status import Measure, Status
from tests.harness.gates.build import OUTCOMES, workflow

WORKS = {"rule": "works", "metric": "task_success", "at_least": 0.9}
W = workflow(families={"f": [WORKS], "g": [WORKS]})


def measure(unit, value):
    return Measure(unit, None, Status.NOT_JUDGED, "not told") if value is None else Measure(unit, value)


def episodes(outcomes, cost=Decimal("0.01"), seconds=1.0, family="f"):
    """One scenario a letter; `cost` and `seconds` of all, or of each."""
    costs = cost if isinstance(cost, list) else [cost] * len(outcomes)
    times = seconds if isinstance(seconds, list) else [seconds] * len(outcomes)
    return [
        Result(EpisodeKey("run", "agent@1", f"{family}{number}", 1), family, "core", {}, "missing")
        if outcome == "M"
        else Result(
            EpisodeKey("run", "agent@1", f"{family}{number}", 1),
            family,
            "core",
            {},
            "played",
            OUTCOMES[outcome],
            {
                "task_success": OUTCOMES[outcome],
                "cost_usd": measure("USD", costs[number]),
                "latency_seconds": measure("seconds", times[number]),
            },
        )
        for number, outcome in enumerate(outcomes)
    ]


def version(agent, *some, partial=None, workflow=W):
    results = [each for group in some for each in group]
    return Version(agent, f"r-{agent}", results, decide(workflow, results, partial))


def dominated(*versions, family="f"):
    return {each.agent: each.dominated_by for each in compare(W, versions)[family]}


def test_figures_by_family_in_the_order_given():
    b = version("b", episodes("PPPF", [Decimal(n) for n in "1234"], [0.1, 0.2, 0.3, 9.0]), episodes("P", family="g"))
    a = version("a", episodes("PPPP"), episodes("F", family="g"))
    found = compare(W, [b, a])
    assert list(found) == ["f", "g"]
    assert [(each.agent, each.decision, each.reason, each.played) for each in found["f"]] == [
        ("b", Decision.FAILED, "works", 4),
        ("a", Decision.PASSED, "", 4),
    ]
    assert found["f"][0].cost == Figure(Fraction(5, 2), 4, 0)
    assert found["f"][0].latency == Figure(Fraction(9), 4, 0)
    # A family is held alone: what failed in the other one counts there.
    assert [each.decision for each in found["g"]] == [Decision.PASSED, Decision.FAILED]


def test_at_least_as_good_in_all_and_better_in_one():
    assert dominated(version("a", episodes("PP")), version("b", episodes("FP"))) == {"a": (), "b": ("a",)}
    assert dominated(version("a", episodes("PP")), version("b", episodes("PP", Decimal("0.02")))) == {
        "a": (),
        "b": ("a",),
    }
    assert dominated(version("a", episodes("PP")), version("b", episodes("PP", seconds=1.1))) == {"a": (), "b": ("a",)}


def test_each_better_in_something_or_none_in_anything():
    cheap, fast = version("cheap", episodes("PP", seconds=2.0)), version("fast", episodes("PP", Decimal("0.02")))
    assert dominated(cheap, fast) == {"cheap": (), "fast": ()}
    assert dominated(version("a", episodes("PP")), version("b", episodes("PP"))) == {"a": (), "b": ()}
    red = version("red", episodes("FF", Decimal("0.001"), 0.1))
    assert dominated(version("green", episodes("PP")), red) == {"green": (), "red": ()}


@pytest.mark.parametrize(
    ("outcomes", "cost", "seconds"),
    [
        ("PP", [None, None], [1.0, 1.0]),
        ("PP", [Decimal(1), None], [1.0, 1.0]),
        ("PP", [Decimal(1), Decimal(1)], [1.0, None]),
        ("PN", [Decimal(1), Decimal(1)], [1.0, 1.0]),
        ("PM", [Decimal(1), Decimal(1)], [1.0, 1.0]),
        ("", [], []),
    ],
)
def test_what_is_not_known_neither_dominates_nor_is_dominated(outcomes, cost, seconds):
    hole = version("hole", episodes(outcomes, cost, seconds))
    assert dominated(hole, version("bad", episodes("FF", Decimal(9), 9.0))) == {"hole": (), "bad": ()}
    assert dominated(version("good", episodes("PP", Decimal(0), 0.1)), hole) == {"good": (), "hole": ()}


def test_why_a_standing_is_a_hole():
    undecided, empty = compare(W, [version("a", episodes("PN")), version("b", episodes("P", family="g"))])["f"]
    assert (undecided.decision, undecided.cost.missing) == (Decision.UNDECIDED, 0)
    assert "1 not judged" in undecided.reason
    assert (empty.decision, empty.reason, empty.cost) == (None, "no episode", Figure(None, 0, 0))
    (partial,) = compare(W, [version("a", episodes("PP"), partial="--only f*")])["f"]
    assert (partial.decision, partial.reason, partial.compared) == (None, "partial: --only f*", None)
    (part_failed,) = compare(W, [version("a", episodes("FF"), partial="--only f*")])["f"]
    assert part_failed.decision is Decision.FAILED


def test_missing_episodes_are_missing_in_every_figure():
    (only,) = compare(W, [version("a", episodes("PPM"))])["f"]
    assert (only.played, only.cost.n, only.cost.missing, only.latency.missing) == (2, 2, 1, 1)


FIGURES = st.builds(Figure, st.one_of(st.none(), st.integers(0, 3).map(Fraction)), st.just(1), st.integers(0, 1))
STANDINGS = st.lists(
    st.builds(
        Standing,
        agent=st.text(min_size=1, max_size=3),
        run=st.just("r"),
        decision=st.sampled_from([None, *Decision]),
        reason=st.just(""),
        played=st.just(1),
        spared=st.just(0),
        cost=FIGURES,
        latency=FIGURES,
    ),
    max_size=5,
    unique_by=lambda each: each.agent,
)


@given(STANDINGS)
def test_domination_is_an_order(standings):
    found = {each.agent: each for each in _compared(standings)}
    for one in found.values():
        assert one.agent not in one.dominated_by
        for name in one.dominated_by:
            other = found[name]
            assert one.agent not in other.dominated_by
            assert set(other.dominated_by) <= set(one.dominated_by)
            assert one.compared is not None
            assert other.compared is not None
    compared = [each for each in found.values() if each.compared is not None]
    assert not compared or any(not each.dominated_by for each in compared)
