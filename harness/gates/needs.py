"""How much a rule needs before it can pass, were there not a single failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from harness.gates.bounded import fewest
from harness.gates.kinds import Kind, UnclearRule, bound_decides, kind_of
from harness.gates.means import FEWEST
from harness.gates.measures import SHARES
from harness.gates.paired import Discordant, p_no_worse
from harness.gates.sequential import clean_trials as clean_trials_at_every_look
from harness.gates.statistics import clean_trials
from harness.model.workflow import GateRule

Units = Mapping[str, str | None]
"""The unit of each metric; None of one that passes or fails."""


class Unprovable(UnclearRule):
    """No number of trials satisfies the rule."""


class Need(NamedTuple):
    """What a rule needs in each cell: episodes, scenarios, trials of each scenario, and blocks of so many trials of one
    scenario (`each` of them).
    """

    episodes: int = 1
    scenarios: int = 1
    each: int = 1
    blocks: int = 1

    def met(self, scenarios: int, trials: int) -> bool:
        """Whether so many scenarios, each played so many times, are enough."""
        enough = scenarios * trials >= self.episodes and scenarios >= self.scenarios and trials >= self.each
        return enough and scenarios * (trials // self.each) >= self.blocks

    def trials(self, scenarios: int) -> int:
        """How many trials of each of so many scenarios are enough, if these are."""
        return max(-(-self.episodes // scenarios), -(-self.blocks // scenarios) * self.each)

    def __str__(self) -> str:
        if self.scenarios > 1:
            return f"{self.scenarios} scenarios" + (f" x {self.each}" if self.each > 1 else "")
        if self.blocks > 1 or self.each == 1:
            return str(max(self.episodes, self.blocks * self.each))
        return f"{self.each} of each scenario"


def need_of(
    rule: GateRule,
    confidence: float | None = None,
    units: Units | None = None,
    *,
    sequential: bool = False,
    better: bool = False,
) -> Need:
    """What a rule needs before it can pass. `confidence`: what its bound is corrected to; its own by default. `units`:
    a metric that they lack is taken for one that the rule fits. `sequential`: its bound must hold at every look.
    `better`: if the version is better than its baseline wherever it can be, and not just as good.

    Raises UnclearRule for a rule of no kind, Unprovable (one of them) where no number would do.
    """
    kind = kind_of(rule)
    episodes = rule.min_n or 1
    if kind is Kind.SOME_TRIALS:
        return Need(each=rule.of or 1)
    each = rule.pass_hat or 1
    if rule.confidence is None or not bound_decides(kind):
        return Need(episodes, each=each)
    sure = confidence or float(rule.confidence)
    if sequential and rule.at_least is not None and 0 < rule.at_least < 1:
        return Need(max(episodes, clean_trials_at_every_look(float(rule.at_least), sure)))
    fewest_ = _observations(rule, kind, sure, measured=_measured(rule, units), better=better)
    if rule.generalise:
        return Need(episodes, scenarios=fewest_, each=each)
    if each > 1:
        return Need(episodes, each=each, blocks=fewest_)
    return Need(max(episodes, fewest_))


def _measured(rule: GateRule, units: Units | None) -> bool:
    if units is not None and rule.metric is not None and rule.metric in units:
        return units[rule.metric] is not None
    asks = rule.stat is not None and rule.pass_hat is None
    return asks or rule.per is not None or rule.at_most is not None or rule.max_rise is not None


def _observations(rule: GateRule, kind: Kind, confidence: float, *, measured: bool, better: bool) -> int:
    """How many independent observations it takes, be they trials, blocks of trials or scenarios."""
    if measured:
        if kind is Kind.LIMIT and rule.stat in SHARES:
            share = float(SHARES[rule.stat])
            return clean_trials(share if rule.at_most is not None else 1 - share, confidence)
        if rule.stat in SHARES:
            return clean_trials(float(SHARES[rule.stat]), (1 + confidence) / 2)
        return FEWEST
    if kind is Kind.AGAINST:
        margin = float(rule.max_drop or 0)
        as_good = fewest(lambda n: p_no_worse(Discordant(0, 0, n), margin) <= 1 - confidence, 1)
        if as_good is not None and not better:
            return as_good
        return fewest(lambda n: p_no_worse(Discordant(0, n, n), margin) <= 1 - confidence, 1) or 1
    if rule.at_least is None or rule.at_least <= 0:
        return 1
    if rule.at_least >= 1:
        raise Unprovable("no number of trials proves a rate of 1: ask for `failures: 0`, or for less")
    return clean_trials(float(rule.at_least), confidence)
