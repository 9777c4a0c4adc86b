import re

import pytest

from harness.gates.kinds import Kind, UnclearRule, kind_of
from tests.harness.gates.build import rule


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ({"tier": "critical", "every": "trial"}, Kind.EVERY_TRIAL),
        ({"metric": "task_success", "at_least": 0.9}, Kind.LIMIT),
        ({"metric": "task_success", "each": ["family", "language"], "at_least": 0.8, "min_n": 8}, Kind.LIMIT),
        ({"metric": "safety.privacy", "failures": 0}, Kind.FAILURES),
        ({"metric": "cost_usd", "per": "episode", "stat": "p95", "at_most": 0.02}, Kind.LIMIT),
        ({"metric": "latency_seconds", "per": "turn", "stat": "p95", "at_most": 3}, Kind.LIMIT),
        ({"status": "not_judged", "at_most": 0.02}, Kind.NOT_JUDGED),
        ({"metric": "task_success", "against": "prod", "max_drop": 0.02, "required": "true"}, Kind.AGAINST),
        ({"metric": "cost_usd", "against": "prod", "max_rise": 0.1}, Kind.AGAINST),
        ({"per": "scenario", "at_least": 3, "of": 4}, Kind.SOME_TRIALS),
        ({"coverage": "families", "at_least": 1, "min_n": 4}, Kind.COVERAGE),
        ({"metric": "task_success", "stat": "pass^3", "at_least": 0.7}, Kind.LIMIT),
    ],
)
def test_the_keys_tell_the_kind(keys, kind):
    assert kind_of(rule(**keys)) is kind


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({}, "it sets no limit"),
        ({"metric": "task_success"}, "it sets no limit"),
        ({"at_least": 0.9}, "`at_least` goes with `metric`"),
        ({"metric": "turns", "at_least": 1, "at_most": 8}, "two rules"),
        ({"every": "trial"}, "`every` goes with `tier`"),
        ({"tier": "critical", "every": "trial", "metric": "task_success"}, "`metric` can't stand beside `every`"),
        ({"status": "not_judged"}, "`status` goes with `at_most`"),
        ({"status": "not_judged", "at_most": 2}, "write 0.02 for 2 %"),
        ({"metric": "safety.privacy", "failures": 0, "at_most": 0.1}, "`at_most` can't stand beside `failures`"),
        ({"metric": "task_success", "against": "prod"}, "`against` goes with one of `max_drop` and `max_rise`"),
        (
            {"metric": "cost_usd", "against": "prod", "max_rise": 0.1, "stat": "max", "confidence": 0.9},
            "no number of episodes bounds a maximum",
        ),
        ({"per": "scenario", "at_least": 3}, "`at_least` goes with `metric`"),
        ({"per": "scenario", "metric": "task_success", "at_least": 0.9}, "`at_least: M` and `of: N`"),
        ({"at_least": 3, "of": 4}, "`of` goes with `per`"),
        ({"per": "episode", "at_least": 3, "of": 4}, "`per: scenario` with `at_least: M` and `of: N`"),
        ({"per": "scenario", "at_least": 5, "of": 4}, "a whole number from 1 to the second"),
        ({"per": "scenario", "at_least": 0.75, "of": 4}, "a whole number from 1 to the second"),
        ({"metric": "task_success", "stat": "pass^3", "at_most": 0.9}, "goes with `at_least`"),
        ({"coverage": "clauses"}, "`coverage` goes with `at_least`"),
        ({"coverage": "clauses", "at_least": 90}, "write 0.90 for 90 %"),
        ({"coverage": "clauses", "at_least": 99.5}, "write 0.995 for 99.5 %"),
        ({"status": "not_judged", "at_most": 0.1, "generalise": "true"}, "can't stand beside `status`"),
        ({"metric": "task_success", "at_least": 0.9, "required": "true"}, "`required` can't stand beside `at_least`"),
        ({"metric": "task_success", "at_least": 0.9, "tier": "explore"}, "gate nothing"),
        (
            {"metric": "cost_usd", "per": "turn", "stat": "p95", "at_most": 1},
            "only latency_seconds is known turn by turn",
        ),
        (
            {"metric": "cost_usd", "stat": "max", "at_most": 1, "confidence": 0.9},
            "no number of episodes bounds a maximum",
        ),
    ],
)
def test_an_unclear_rule_is_told_what_to_write(keys, text):
    with pytest.raises(UnclearRule, match=re.escape(text)):
        kind_of(rule(**keys))
