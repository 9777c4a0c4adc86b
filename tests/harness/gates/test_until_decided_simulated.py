"""How often going on until decided is wrong, and how many trials it takes: as docs/until-decided.md tells.

Trials are drawn with a fixed seed and decided as `turngate run --until-decided` does, batch by batch.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from harness.gates.sequential import SequentialTally
from harness.gates.shares import Tally
from harness.model.result import Decision, GateVerdict, RuleResult
from harness.runs.until_decided import Budget, next_batch
from tests.harness.gates.build import result

DOC = Path(__file__).resolve().parents[3] / "docs" / "until-decided.md"
LIMIT, CONFIDENCE = 0.9, 0.95
SCENARIOS, PLANNED, MOST = 4, 4, 100
RUNS = 20_000
RATES = (0.80, 0.85, 0.88, 0.90, 0.92, 0.95, 0.98, 1.00)
SPREAD = np.array([-1.0, -0.5, 0.5, 1.0])
"""How the scenarios' rates lie around their mean, in the distance that there is to 1 or 0.06."""


def looks(first, growth=10):
    """The rounds after which a run of eight at a time is looked at: two more, or a tenth of those there are."""
    rounds = first
    while rounds < MOST:
        yield rounds
        rounds = min(rounds + max(8 // SCENARIOS, rounds // growth), MOST)
    yield MOST


@cache
def limits(kind, n):
    """From how many passes on the rule passes, and up to how many it fails."""
    passing = [s for s in range(n + 1) if kind(s, n - s, 0).lower(CONFIDENCE) >= LIMIT]
    failing = [s for s in range(n + 1) if kind(s, n - s, 0).upper(CONFIDENCE) < LIMIT]
    return min(passing, default=n + 1), max(failing, default=-1)


def simulated(rate, kind, rounds):
    """Shares of runs that passed and failed, and the mean number of trials of all scenarios together."""
    draws = np.random.default_rng(20261130)
    rates = rate + SPREAD * min(0.06, 1 - rate)
    passed = (draws.random((RUNS, MOST, SCENARIOS)) < rates).sum(axis=2).cumsum(axis=1)
    decision = np.zeros(RUNS, dtype=int)
    spent = np.zeros(RUNS, dtype=int)
    for seen in rounds:
        n = seen * SCENARIOS
        open_ = decision == 0
        spent[open_] = n
        enough, too_few = limits(kind, n)
        decision[open_ & (passed[:, seen - 1] >= enough)] = 1
        decision[open_ & (passed[:, seen - 1] <= too_few)] = -1
    return (decision == 1).mean(), (decision == -1).mean(), spent.mean()


@cache
def table():
    """A line a true rate: until decided, the fixed numbers of trials, and what may not be done."""
    rows = []
    for rate in RATES:
        until = simulated(rate, SequentialTally, tuple(looks(PLANNED)))
        fixed = simulated(rate, Tally, (MOST,))
        peeking = simulated(rate, Tally, tuple(looks(PLANNED)))
        rows.append((rate, until, fixed, peeking))
    return rows


def markdown():
    lines = []
    for rate, until, fixed, peeking in table():
        cells = [f"{rate:.2f}"]
        for passed, failed, spent in (until, fixed):
            cells += [f"{passed:.1%}", f"{failed:.1%}", f"{spent:.0f}"]
        cells += [f"{peeking[0]:.1%}", f"{peeking[1]:.1%}"]
        lines.append(f"| {' | '.join(cells)} |".replace("%", " %"))
    return "\n".join(lines)


def test_no_more_runs_are_wrong_than_is_claimed():
    for rate, (passed, failed, _), _, _ in table():
        wrong = passed if rate < LIMIT else failed
        assert wrong <= 1 - CONFIDENCE, rate


def test_at_the_limit_neither_side_is_claimed_too_often():
    (_, (passed, failed, _), _, _) = next(row for row in table() if row[0] == LIMIT)
    assert max(passed, failed) <= 1 - CONFIDENCE


def test_looking_again_and_again_with_bounds_for_a_fixed_number_is_wrong_more_often_than_is_claimed():
    peeked = {rate: peeking for rate, _, _, peeking in table()}
    assert peeked[0.90][0] > 1 - CONFIDENCE
    assert peeked[0.90][1] > 1 - CONFIDENCE


def test_it_takes_far_fewer_trials_where_the_agent_is_clearly_good_or_bad():
    spent = {rate: until[2] for rate, until, _, _ in table()}
    assert spent[1.00] < MOST * SCENARIOS / 5
    assert spent[0.80] < MOST * SCENARIOS / 3


def test_it_is_looked_at_as_a_run_looks():
    rounds, seen = PLANNED, [PLANNED]
    row = RuleResult("r", Decision.UNDECIDED, "", sequential=True, wants=("a", "b", "c", "d"))
    while rounds < MOST:
        results = [result("P", item, rounds) for item in row.wants]
        batch = next_batch(GateVerdict(Decision.UNDECIDED, (row,)), results, Budget(MOST), concurrency=8)
        rounds = batch.trials["a"][-1]
        seen.append(rounds)
    assert seen == list(looks(PLANNED))


@pytest.mark.skipif(not DOC.exists(), reason="the docs are not here")
def test_the_table_in_the_docs_is_this_one():
    assert markdown() in DOC.read_text(encoding="utf-8")


if __name__ == "__main__":
    print(markdown())
