"""Rules held against made-up agents whose true figure is known: how often a gate says what is not so.

Each case draws the results of one run of an agent and has the rule decide on them. `at_limit` has the figure just at
the limit, where both claims are hardest to keep apart, `better` clearly beyond it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.random import Generator

from harness.gates.against import no_worse
from harness.gates.holm import Asked, corrected
from harness.gates.judging import Row
from harness.gates.measures import Limit, Sample, measure
from harness.gates.pairing import Pair, Paired
from harness.gates.rates import share_passed
from harness.gates.ruling import PValues
from harness.gates.scenario_shares import mean_pass_hat, mean_share
from harness.gates.shares import Share, Tally
from harness.model.baseline import Baseline
from harness.model.result import Decision
from harness.model.status import PASSED, Measure, failed
from tests.harness.gates.build import result, rule

SURE = 0.95
RUNS = 2_000
FAILED = failed("it went wrong")

Draw = Callable[[Generator], Decision]


@dataclass(frozen=True)
class Case:
    """A rule, what is drawn, and the true figure of either agent. `claims`: whether a gate claims to be right in 95 %
    of such runs; the others show what a rule would come to that takes things for independent that are not. `quick`:
    all runs take a second or two.
    """

    rule: str
    drawn: str
    truth: str
    at_limit: Draw
    better: Draw
    better_truth: str
    claims: bool = True
    quick: bool = True


def rates(case: Case, runs: int = RUNS) -> tuple[float, float, float]:
    """How often it wrongly passes and wrongly fails at the limit, and passes if better; as shares of the runs."""
    chance = np.random.default_rng([2026, CASES.index(case)])
    at_limit, better = zip(*((case.at_limit(chance), case.better(chance)) for _ in range(runs)), strict=True)
    wrong = at_limit.count(Decision.PASSED) / runs, at_limit.count(Decision.FAILED) / runs
    return *wrong, better.count(Decision.PASSED) / runs


def table_row(case: Case, runs: int = RUNS) -> str:
    """The case as a row of the table in the docs."""
    passed, failed_, better = (f"{share * 100:.1f} %" for share in rates(case, runs))
    return f"| {case.rule} | {case.drawn} | {passed} | {failed_} | {better} ({case.better_truth}) |"


def _tallies(chance: Generator, by_scenario: np.ndarray, trials: int) -> list[Tally]:
    return [Tally(int(passed), trials - int(passed), 0) for passed in chance.binomial(trials, by_scenario)]


def _total(tallies: list[Tally]) -> Tally:
    return Tally(sum(each.passed for each in tallies), sum(each.failed for each in tallies), 0)


def _share(share: Share | None, limit: str) -> Decision:
    assert share is not None
    return share_passed(share, Decimal(limit), SURE).decision


def fixed(mean: float) -> Draw:
    """Ten scenarios of four trials, some easier than others."""
    by_scenario = np.linspace(2 * mean - 1, 1, 10)
    return lambda chance: _share(_total(_tallies(chance, by_scenario, 4)), "0.90")


def sampled(mean: float, *, generalise: bool) -> Draw:
    """Forty scenarios of four trials from a world in which most pass always and some hardly ever."""

    def draw(chance: Generator) -> Decision:
        tallies = _tallies(chance, chance.beta(3 * mean, 3 * (1 - mean), 40), 4)
        return _share(mean_share(tallies) if generalise else _total(tallies), "0.80")

    return draw


def steady(pass_3: float) -> Draw:
    """pass^3 of twenty scenarios with nine trials each."""
    by_scenario = np.full(20, pass_3 ** (1 / 3))
    return lambda chance: _share(mean_pass_hat(_tallies(chance, by_scenario, 9), 3, generalise=False), "0.60")


def turns(faster: float, *, clustered: bool) -> Draw:
    """The 95th percentile of the seconds of six turns in each of 150 conversations, some of which are slow."""
    limit = Limit("at_most", Decimal(str(round(float(np.exp(1.6449 * np.sqrt(0.34))), 6))))

    def draw(chance: Generator) -> Decision:
        seconds = np.exp(chance.normal(0, 0.5, (150, 1)) + chance.normal(0, 0.3, (150, 6))).ravel() / faster
        values = tuple(Fraction(float(each)) for each in seconds)
        clusters = tuple(number // 6 for number in range(900)) if clustered else None
        return measure(Sample(values, 0, clusters=clusters), "p95", limit, SURE).decision

    return draw


def costs(cheaper: float, scenarios: int) -> Draw:
    """The mean cost of four trials of each scenario, with the long tail that costs have."""
    limit = Limit("at_most", Decimal(str(round(float(np.exp(0.145)), 6))))

    def draw(chance: Generator) -> Decision:
        money = np.exp(chance.normal(0, 0.5, (scenarios, 1)) + chance.normal(0, 0.2, (scenarios, 4))).ravel() / cheaper
        values = tuple(Fraction(float(each)) for each in money)
        clusters = tuple(number // 4 for number in range(4 * scenarios))
        return measure(Sample(values, 0, clusters=clusters), "mean", limit, SURE).decision

    return draw


def lengths(conversations: int, long: float) -> Draw:
    """The mean of turns: five in most conversations, and twenty in that share of them."""
    limit = Limit("at_most", Decimal("6.5"))

    def draw(chance: Generator) -> Decision:
        turns_ = tuple(Fraction(20 if each else 5) for each in chance.random(conversations) < long)
        return measure(Sample(turns_, 0), "mean", limit, SURE).decision

    return draw


def dropped(scenarios: int, trials: int, lost: float, *, generalise: bool) -> Draw:
    """A new version that passes as often as the old one, 0.90, but in scenarios that it lost altogether."""
    keys = {"metric": "task_success", "against": "prod", "max_drop": "0.05", "confidence": SURE}
    held = rule(**keys, generalise="true" if generalise else "false")
    places = [(f"s{number}", trial) for number in range(scenarios) for trial in range(trials)]
    rows = {judgement: [result(judgement, item, trial) for item, trial in places] for judgement in (PASSED, FAILED)}

    def draw(chance: Generator) -> Decision:
        gone = chance.random(scenarios) < lost / 0.9 if generalise else np.zeros(scenarios, bool)
        rate = 0.9 if generalise else 0.9 - lost
        new = (chance.random((scenarios, trials)) < rate) & ~gone[:, None]
        old = chance.random((scenarios, trials)) < 0.9
        pairs = tuple(
            Pair(Row(rows[mine][index], mine), PASSED if theirs else FAILED)
            for index, (ours, theirs) in enumerate(zip(new.ravel(), old.ravel(), strict=True))
            for mine in (PASSED if ours else FAILED,)
        )
        return no_worse(held, Paired(Baseline("prod", "run", ()), pairs, "", exact=False), SURE).decision

    return draw


def dearer(by: float) -> Draw:
    """Sixty pairs of costs, the dearer the one, the dearer the other."""
    held = rule(metric="cost_usd", against="prod", max_rise="0.10", confidence=SURE)
    rows = [result(PASSED, f"s{number}") for number in range(60)]

    def draw(chance: Generator) -> Decision:
        old = np.exp(chance.normal(0, 0.5, 60))
        new = old * by * np.exp(chance.normal(-0.02, 0.2, 60))
        pairs = tuple(
            Pair(Row(row, Measure("USD", float(ours))), Measure("USD", float(theirs)))
            for row, ours, theirs in zip(rows, new, old, strict=True)
        )
        return no_worse(held, Paired(Baseline("prod", "run", ()), pairs, "", exact=False), SURE).decision

    return draw


def ten_cells(rate: float, *, holm: bool) -> Draw:
    """Ten cells of sixty trials: whether any of them is called passed; else failed, if any is."""

    def draw(chance: Generator) -> Decision:
        tallies = [Tally(int(passed), 60 - int(passed), 0) for passed in chance.binomial(60, rate, 10)]
        tested = [Asked(PValues(tally.p_kept(0.9), tally.p_broken(0.9)), SURE) for tally in tallies]
        claims = {each.claim for each in corrected(tested) if (each.p_adjusted if holm else each.p) <= 1 - SURE}
        return Decision.PASSED if "kept" in claims else Decision.FAILED if claims else Decision.UNDECIDED

    return draw


CASES = (
    Case("share at least 0.90", "10 scenarios x 4 trials", "0.90", fixed(0.90), fixed(0.99), "0.99"),
    Case(
        "share at least 0.80, `generalise`",
        "40 scenarios x 4 trials",
        "0.80",
        sampled(0.80, generalise=True),
        sampled(0.97, generalise=True),
        "0.97",
    ),
    Case(
        "the same of these scenarios alone, taken for others",
        "40 scenarios x 4 trials",
        "0.80",
        sampled(0.80, generalise=False),
        sampled(0.97, generalise=False),
        "0.97",
        claims=False,
    ),
    Case("pass^3 at least 0.60", "20 scenarios x 9 trials", "0.60", steady(0.60), steady(0.85), "0.85"),
    Case(
        "p95 of seconds a turn",
        "150 conversations x 6 turns",
        "the limit",
        turns(1.0, clustered=True),
        turns(2.0, clustered=True),
        "half",
        quick=False,
    ),
    Case(
        "the same with turns taken for independent",
        "150 conversations x 6 turns",
        "the limit",
        turns(1.0, clustered=False),
        turns(2.0, clustered=False),
        "half",
        claims=False,
        quick=False,
    ),
    Case(
        "mean cost, `generalise`",
        "15 scenarios x 4 trials",
        "the limit",
        costs(1.0, 15),
        costs(1.5, 15),
        "a third less",
        quick=False,
    ),
    Case(
        "mean cost, `generalise`",
        "60 scenarios x 4 trials",
        "the limit",
        costs(1.0, 60),
        costs(1.5, 60),
        "a third less",
        quick=False,
    ),
    Case(
        "drop at most 0.05",
        "50 scenarios x 8 trials",
        "0.05",
        dropped(50, 8, 0.05, generalise=False),
        dropped(50, 8, 0.0, generalise=False),
        "0",
        quick=False,
    ),
    Case(
        "drop at most 0.05, `generalise`",
        "150 scenarios x 4 trials",
        "0.05",
        dropped(150, 4, 0.05, generalise=True),
        dropped(150, 4, 0.0, generalise=True),
        "0",
        quick=False,
    ),
    Case("rise at most 0.10", "60 pairs", "0.10", dearer(1.10), dearer(1.0), "0", quick=False),
    Case(
        "share at least 0.90 in ten cells, any of them",
        "60 trials each",
        "0.90",
        ten_cells(0.90, holm=True),
        ten_cells(0.99, holm=True),
        "0.99",
    ),
    Case(
        "the same without correction",
        "60 trials each",
        "0.90",
        ten_cells(0.90, holm=False),
        ten_cells(0.99, holm=False),
        "0.99",
        claims=False,
    ),
    Case(
        "mean turns, a tenth four times as long",
        "30 conversations",
        "the limit",
        lengths(30, 0.1),
        lengths(30, 0.0),
        "none as long",
    ),
    Case(
        "the same of few conversations",
        "10 conversations",
        "the limit",
        lengths(10, 0.1),
        lengths(10, 0.0),
        "none as long",
        claims=False,
    ),
)
