"""Shares of what passes, with what bounds them: exact over trials of a fixed suite, or over scenarios as observations.

What was not judged is counted as failed and as passed; a rule that comes out differently between the two is undecided.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self

from harness.gates.bounded import fewest, mean_lower, mean_upper, p_above, p_below, values_to_decide
from harness.gates.statistics import pass_hat, rate_lower, rate_p_above, rate_p_below, rate_upper
from harness.model.status import Judgement, Status


class Share(Protocol):
    """A share that a limit is held against. `worst` and `best`: with all that was not judged failed, and passed."""

    @property
    def judged(self) -> int:
        """Episodes that passed or failed."""
        ...

    @property
    def open(self) -> int:
        """Episodes not judged, or missing."""
        ...

    @property
    def exact(self) -> bool:
        """Whether trials agreed, and no noise is assumed."""
        ...

    @property
    def figure(self) -> Fraction:
        """The share of what was judged."""
        ...

    @property
    def worst(self) -> Fraction:
        """The share if nothing else passed."""
        ...

    @property
    def best(self) -> Fraction:
        """The share if everything else passed."""
        ...

    @property
    def said(self) -> str:
        """What was counted, in words."""
        ...

    def lower(self, confidence: float) -> float:
        """Lower bound on what is behind `worst`."""
        ...

    def upper(self, confidence: float) -> float:
        """Upper bound on what is behind `best`."""
        ...

    def p_kept(self, limit: float) -> float:
        """P-value of the claim that it is at least `limit`."""
        ...

    def p_broken(self, limit: float) -> float:
        """P-value of the claim that it is less."""
        ...

    def more(self, limit: float, confidence: float) -> str:
        """How many more observations would decide if the figure stayed as it is, in words."""
        ...


@dataclass(frozen=True, slots=True)
class Tally:
    """Planned episodes by how they came out: trials of the suite as it is. `open`: not judged, or missing. What does
    not apply is left out.
    """

    passed: int
    failed: int
    open: int
    exact: bool = False

    @classmethod
    def of(cls, judgements: Iterable[Judgement], *, exact: bool = False) -> Self:
        """Count judgements."""
        counts = dict.fromkeys(Status, 0)
        for judgement in judgements:
            counts[judgement.status] += 1
        return cls(counts[Status.PASSED], counts[Status.FAILED], counts[Status.NOT_JUDGED], exact)

    @property
    def judged(self) -> int:
        """Passed and failed."""
        return self.passed + self.failed

    @property
    def all(self) -> int:
        """Everything that the rule applies to, judged or not."""
        return self.judged + self.open

    @property
    def figure(self) -> Fraction:
        """Passed of judged."""
        return Fraction(self.passed, self.judged)

    @property
    def worst(self) -> Fraction:
        """Passed of all."""
        return Fraction(self.passed, self.all)

    @property
    def best(self) -> Fraction:
        """Not failed of all."""
        return 1 - Fraction(self.failed, self.all)

    @property
    def said(self) -> str:
        """`17 of 20 passed`."""
        return f"{self.passed} of {self.judged} passed"

    def lower(self, confidence: float) -> float:
        """By Clopper and Pearson."""
        return rate_lower(self.passed, self.all, confidence)

    def upper(self, confidence: float) -> float:
        """By Clopper and Pearson."""
        return rate_upper(self.passed + self.open, self.all, confidence)

    def p_kept(self, limit: float) -> float:
        """Binomial."""
        return rate_p_above(self.passed, self.all, limit)

    def p_broken(self, limit: float) -> float:
        """Binomial."""
        return rate_p_below(self.passed + self.open, self.all, limit)

    def more(self, limit: float, confidence: float) -> str:
        """In trials, all together."""
        rate = self.passed / self.judged

        def decided(trials: int) -> bool:
            so_far = round(rate * trials)
            if rate >= limit:
                return rate_lower(so_far, trials, confidence) >= limit
            return rate_upper(so_far, trials, confidence) < limit

        enough = fewest(decided, self.judged)
        if enough is None:
            return "at this rate no number of trials would decide"
        return f"at this rate about {enough} trials would decide, {enough - self.judged} more"


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
        if self.generalised:
            return (
                f"more trials of these would not decide it, only more scenarios: about {enough} at this rate, "
                f"{enough - self.scenarios} more"
            )
        return f"at this rate about {-(-enough // self.scenarios) * self.k} trials of each scenario would decide"


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
    """pass^k over scenarios; None where not every one has k trials, or nothing was judged.

    C(c, k) / C(n, k) of one scenario is a U-statistic: the mean, over all orders of its n trials, of how many of
    floor(n / k) blocks of k pass as a whole. What Hoeffding 1963 bounds a mean of blocks by holds for it too (section
    5a). So over a fixed suite, pass^k is bounded as a mean of so many blocks from each scenario as the one with fewest
    trials has; with `generalise`, as one of scenarios.
    """
    return _means(tallies, k, generalised=generalise, exact=exact)


def _means(tallies: Sequence[Tally], k: int, *, generalised: bool, exact: bool = False) -> Means | None:
    judged = [tally for tally in tallies if tally.judged]
    worst = pass_hat(k, [(tally.passed, tally.all) for tally in tallies])
    best = pass_hat(k, [(tally.all - tally.failed, tally.all) for tally in tallies])
    figure = pass_hat(k, [(tally.passed, tally.judged) for tally in judged])
    if figure is None or worst is None or best is None:
        return None
    count = len(tallies)
    n = count if generalised else count * min(tally.all // k for tally in tallies)
    total, open_ = sum(tally.judged for tally in tallies), sum(tally.open for tally in tallies)
    return Means(total, open_, figure, worst, best, count, n, k, generalised, exact)
