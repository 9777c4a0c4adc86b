"""Shares of what passes as means over scenarios: each counts alike, however many trials it has."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.gates.bounded import mean_lower, mean_upper, p_above, p_below, values_to_decide
from harness.gates.shares import Tally
from harness.gates.statistics import pass_hat
from harness.model.status import Judgement


@dataclass(frozen=True, slots=True)
class Means:
    """The mean of a figure of each scenario, 0 to 1, and `n`: how many independent observations it is bounded as.

    `k`: of pass^k. `generalised`: scenarios are the observations, a sample of all that there might be; else each block
    of k trials is one.
    """

    judged: int
    open: int
    figure: Fraction
    worst: Fraction
    best: Fraction
    scenarios: int
    n: int
    k: int = 1
    generalised: bool = True
    exact: bool = False

    @property
    def said(self) -> str:
        """`pass^3 over 20 scenarios`."""
        what = "share passed" if self.k == 1 else f"pass^{self.k}"
        return f"{what}, the mean of {self.scenarios} scenario{'s' if self.scenarios > 1 else ''}"

    def lower(self, confidence: float) -> float:
        """By Hoeffding; see `harness.gates.bounded`."""
        return mean_lower(float(self.worst), self.n, confidence)

    def upper(self, confidence: float) -> float:
        """By Hoeffding."""
        return mean_upper(float(self.best), self.n, confidence)

    def p_kept(self, limit: float) -> float:
        """By Hoeffding."""
        return p_above(float(self.worst), self.n, limit)

    def p_broken(self, limit: float) -> float:
        """By Hoeffding."""
        return p_below(float(self.best), self.n, limit)

    def more(self, limit: float, confidence: float) -> str:
        """In scenarios, if these are the observations; else in trials of each."""
        enough = values_to_decide(float(self.figure), limit, confidence)
        what = "scenarios" if self.generalised else "trials"
        if enough is None:
            return f"at this rate no number of {what} would decide"
        if enough <= self.n:
            return f"at this rate these {what} would decide, once all are judged"
        if self.generalised:
            return (
                f"more trials of these would not decide it, only more scenarios: about {enough} at this rate, "
                f"{enough - self.scenarios} more"
            )
        return f"at this rate about {-(-enough // self.scenarios) * self.k} trials of each scenario would decide"

    def wanting(self, limit: Fraction) -> str:
        """Which of them pass makes a difference here, so that no number does."""
        return "these decide"


def by_scenario(judged: Iterable[tuple[Hashable, Judgement]]) -> list[Tally]:
    """A tally of each scenario, of those that something applies to."""
    found: dict[Hashable, list[Judgement]] = {}
    for scenario, judgement in judged:
        found.setdefault(scenario, []).append(judgement)
    return [tally for tally in map(Tally.of, found.values()) if tally.all]


def mean_share(tallies: Sequence[Tally]) -> Means | None:
    """The mean share over scenarios, each counting alike, as a sample of all scenarios of their kind; None if nothing
    was judged. Trials of a scenario are not independent, so that a scenario is one observation, whatever they have in
    common: they only make its share more exact.
    """
    return _means(tallies, 1, generalised=True)


def mean_pass_hat(tallies: Sequence[Tally], k: int, *, generalise: bool, exact: bool = False) -> Means | None:
    """pass^k over scenarios; None where not every one has k trials, judged or not. Its figure is of those with k judged
    ones; where there are none, it is the worst.

    C(c, k) / C(n, k) of one scenario is a U-statistic: the mean, over all orders of its n trials, of how many of
    floor(n / k) blocks of k pass as a whole. What Hoeffding 1963 bounds a mean of blocks by holds for it too (section
    5a). So over a fixed suite, pass^k is bounded as a mean of so many blocks from each scenario as the one with fewest
    trials has; with `generalise`, as one of scenarios.
    """
    return _means(tallies, k, generalised=generalise, exact=exact)


def _means(tallies: Sequence[Tally], k: int, *, generalised: bool, exact: bool = False) -> Means | None:
    worst = pass_hat(k, [(tally.passed, tally.all) for tally in tallies])
    best = pass_hat(k, [(tally.all - tally.failed, tally.all) for tally in tallies])
    if worst is None or best is None:
        return None
    figure = pass_hat(k, [(tally.passed, tally.judged) for tally in tallies if tally.judged >= k])
    count = len(tallies)
    n = count if generalised else count * min(tally.all // k for tally in tallies)
    total, open_ = sum(tally.judged for tally in tallies), sum(tally.open for tally in tallies)
    return Means(total, open_, worst if figure is None else figure, worst, best, count, n, k, generalised, exact)
