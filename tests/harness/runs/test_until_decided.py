import asyncio
import random
from collections import Counter
from decimal import Decimal

import pytest

from harness.agents.resolve import resolve
from harness.model.result import Decision, GateVerdict, RuleResult, UntilDecided
from harness.model.status import Measure, Status
from harness.runs.decided import decided
from harness.runs.inline import Inline
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import Progress, rehearse
from harness.runs.until_decided import Budget, next_batch
from harness.store.store import Store
from harness.workflow.problems import Problems
from tests.harness.desk import WORKFLOW, scenario, write
from tests.harness.gates.build import result, trials

# Which trials come next


def open_row(*items):
    return RuleResult("r", Decision.UNDECIDED, "", sequential=True, wants=items)


def gate(*rows):
    return GateVerdict(Decision.UNDECIDED, rows, until=UntilDecided(2, 40))


def played(item, count, cost=None):
    rows = trials("P" * count, item)
    for row in rows:
        if cost is not None:
            row.scores["cost_usd"] = Measure("USD", Decimal(cost))
    return rows


def test_a_batch_fills_what_is_played_at_a_time():
    batch = next_batch(gate(open_row("a", "b")), [*played("a", 2), *played("b", 2)], Budget(40), concurrency=8)
    assert batch.trials == {"a": range(3, 7), "b": range(3, 7)}
    assert (batch.size, batch.open, batch.why) == (8, 1, "")


def test_trials_are_spent_only_where_a_rule_is_open():
    batch = next_batch(gate(open_row("a")), [*played("a", 2), *played("b", 2)], Budget(40), concurrency=1)
    assert batch.trials == {"a": range(3, 4)}


def test_a_scenario_that_is_behind_catches_up():
    batch = next_batch(gate(open_row("a", "b")), [*played("a", 9), *played("b", 2)], Budget(40), concurrency=2)
    assert batch.trials == {"b": range(3, 4)}


def test_many_trials_make_larger_batches():
    batch = next_batch(gate(open_row("a")), played("a", 200), Budget(1000), concurrency=1)
    assert batch.trials == {"a": range(201, 221)}


def test_no_more_than_the_budget():
    batch = next_batch(gate(open_row("a")), played("a", 38), Budget(40), concurrency=8)
    assert batch.trials == {"a": range(39, 41)}


def test_it_ends_where_no_rule_is_open():
    done = RuleResult("r", Decision.PASSED, "", sequential=True)
    still = RuleResult("r", Decision.UNDECIDED, "", sequential=True)
    assert next_batch(gate(done), played("a", 2), Budget(40), 8).why == (
        "every rule that more trials can decide is decided"
    )
    assert next_batch(gate(still), played("a", 40), Budget(40), 8).why == "1 check is still open at --max-trials 40"
    assert next_batch(gate(still), played("a", 32), Budget(40), 8).why == (
        "1 check is still open after 32 trials of a scenario: nothing that could come of more, up to --max-trials 40, "
        "would decide"
    )
    assert next_batch(gate(), played("a", 2), Budget(40), 8).why.startswith("no rule asks for more trials")


@pytest.mark.parametrize(("cost", "expected"), [("1.00", range(3, 7)), ("0.09", range(3, 7)), ("0.05", range(3, 4))])
def test_a_batch_costs_no_more_than_is_left(cost, expected):
    batch = next_batch(gate(open_row("a")), played("a", 2, "0.02"), Budget(40, Decimal(cost)), concurrency=4)
    assert batch.trials.get("a", range(3, 7)) == expected or batch.size * Decimal("0.02") <= Decimal(cost)


def test_it_ends_where_the_money_does_not_do_for_a_round():
    batch = next_batch(gate(open_row("a")), played("a", 2, "0.02"), Budget(40, Decimal("0.05")), concurrency=4)
    assert batch.size == 0
    assert batch.why == (
        "1 check is still open; episodes have cost $0.04 of --max-cost 0.05, and one more trial of each scenario there "
        "would cost about $0.02"
    )


def test_a_cost_that_is_not_known_keeps_no_limit():
    rows = [*played("a", 2, "0.02"), result("P", "a", 3)]
    rows[-1].scores["cost_usd"] = Measure("USD", None, Status.NOT_JUDGED, "no usage")
    batch = next_batch(gate(open_row("a")), rows, Budget(40, Decimal(5)), concurrency=4)
    assert batch.why.startswith("the cost of 1 of 3 episodes is not known, so that --max-cost can't be kept")
    assert next_batch(gate(open_row("a")), rows, Budget(40), concurrency=4).size


# Whole runs

SURE = WORKFLOW.replace("at_least: 0.9}]", "at_least: 0.8, confidence: 0.95}]") + (
    "  talk:\n    about: Talk\n    source: [authored]\n    measures: [task_success]\n    failures: [TO1]\n"
    "    gate: [{rule: talks, metric: task_success, at_least: 0.8}]\n    review: {always: [critical_failure]}\n"
)
SCENARIOS = scenario("Say hi.", id="one") + scenario("Say hi again.", id="two")
TALK = "".join(scenario("Hello.", id=name).replace("family: orders", "family: talk") for name in ("three", "four"))


def agent(rate):
    """Fails in conversations about saying, by their seed alone."""

    def answers(message, session):
        if "Say" in message and random.Random(session.seed).random() >= rate:
            raise RuntimeError("off the rails")
        return "Hello."

    return answers


class Grown(Progress):
    def __init__(self):
        self.grown = []

    def grows(self, count, open_):
        self.grown.append((count, open_))


def prepared(folder, most=60):
    bundle = load_bundle(write(folder / "bundle", workflow=SURE, scenarios=SCENARIOS + TALK), most=most)
    return bundle, Store.open(folder / "store.db")


def rehearsed(folder, rate, *, most=60, resumed=None, told=None, **more):
    bundle, store = prepared(folder, most)
    settings = Settings(**{"max_trials": most, "concurrency": 4, **more})
    executor = Inline(resolve(agent(rate), folder))
    run = rehearse(bundle, executor, store, settings, told, resumed=resumed)
    return store, asyncio.run(run)


def counted(finished):
    return Counter(row.key.item for row in finished.results if row.state == "played")


def test_a_run_goes_on_where_a_rule_is_open_until_it_is_decided(tmp_path):
    told = Grown()
    store, finished = rehearsed(tmp_path, 1.0, told=told)
    assert counted(finished) == {"one": 10, "two": 10, "three": 2, "four": 2}
    rule = next(row for row in finished.verdict.rules if row.rule == "works")
    assert (rule.decision, rule.n, rule.sequential) == (Decision.PASSED, 20, True)
    assert told.grown == [(4, 1)] * 4
    assert finished.said[-1] == "until decided: every rule that more trials can decide is decided"
    assert decided(store, store.run(finished.run.id)).verdict == finished.verdict


def test_it_goes_on_no_further_than_its_budget_and_says_so(tmp_path):
    _, finished = rehearsed(tmp_path, 0.85, most=12)
    assert max(counted(finished).values()) <= 12
    assert finished.said[-1].startswith("until decided: 1 check is still open ")
    assert "--max-trials 12" in finished.said[-1]
    assert finished.verdict.decision is Decision.UNDECIDED


def test_a_bad_agent_is_soon_told(tmp_path):
    _, finished = rehearsed(tmp_path, 0.2)
    assert finished.verdict.decision is Decision.FAILED
    assert counted(finished)["one"] < 12


def test_interrupted_it_goes_on_with_the_plan_that_has_grown(tmp_path):
    class Stop(Progress):
        count = 0

        def played(self, episode):
            self.count += 1
            if self.count == 11:  # three of the four trials of the first batch
                raise RuntimeError("the power went out")

    with pytest.raises(RuntimeError, match="power"):
        rehearsed(tmp_path, 1.0, told=Stop(), concurrency=3)
    store = Store.open(tmp_path / "store.db")
    (run,) = store.runs()
    before = {row.key for row in store.results(run.id) if row.state == "played"}
    assert any(row.state == "missing" and row.key.trial > 2 for row in store.results(run.id))
    _, finished = rehearsed(tmp_path, 1.0, resumed=run)
    assert before < {row.key for row in finished.results if row.state == "played"}
    assert counted(finished) == {"one": 10, "two": 10, "three": 2, "four": 2}
    assert finished.verdict.decision is Decision.PASSED


def test_the_first_failure_ends_it_if_that_is_asked_for(tmp_path):
    _, finished = rehearsed(tmp_path, 0.85, fail_fast=True)
    failed = sum(row.verdict is not None and row.verdict.status is Status.FAILED for row in finished.results)
    assert 1 <= failed <= 4  # those under way at the same time
    assert not any("until decided" in said for said in finished.said)


def test_a_rule_that_the_budget_cant_satisfy_is_refused(tmp_path):
    with pytest.raises(Problems, match="it takes 17 trials without a failure, and 16 are planned"):
        prepared(tmp_path, most=8)
