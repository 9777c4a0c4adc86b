import pytest

from harness.gates.cells import NO_VALUE, cells
from harness.gates.effective import EffectiveRule
from harness.gates.kinds import UnclearRule
from tests.harness.gates.build import result, rule

ROWS = [
    result("P", "a", family="refunds", language="en"),
    result("P", "b", family="refunds", language="es"),
    result("P", "c", family="privacy", language="en"),
    result("P", "d", family="privacy", tier="critical"),
    result("P", "e", family="privacy", tier="explore", language="zh"),
]


def sizes(keys, family=None):
    return [(cell.names, len(cell.rows)) for cell in cells(EffectiveRule(rule(**keys), family), ROWS)]


def test_a_rule_on_a_metric_holds_family_by_family_and_leaves_explore_out():
    assert sizes({"metric": "m", "failures": 0}) == [({"family": "privacy"}, 2), ({"family": "refunds"}, 2)]


def test_each_is_the_cross_product_with_its_holes():
    by = {"metric": "m", "at_least": 0.9, "each": ["family", "language"]}
    assert sizes(by) == [
        ({"family": "privacy", "language": NO_VALUE}, 1),
        ({"family": "privacy", "language": "en"}, 1),
        ({"family": "privacy", "language": "es"}, 0),
        ({"family": "refunds", "language": NO_VALUE}, 0),
        ({"family": "refunds", "language": "en"}, 1),
        ({"family": "refunds", "language": "es"}, 1),
    ]
    assert sizes({**by, "each": ["language"]}) == sizes(by), "never a mean over families"


def test_a_rule_of_a_family_sees_that_family():
    assert sizes({"metric": "m", "at_least": 0.9}, "refunds") == [({"family": "refunds"}, 2)]
    assert sizes({"metric": "m", "at_least": 0.9}, "billing") == []


def test_tiers():
    assert sizes({"tier": "critical", "every": "trial"}) == [({}, 1)]
    assert sizes({"metric": "m", "at_least": 0.9, "tier": "critical"}) == [({"family": "privacy"}, 1)]


def test_a_share_of_all_planned_episodes_is_one_cell():
    assert sizes({"status": "not_judged", "at_most": 0.02}) == [({}, 4)]


def test_an_unknown_slice_is_told_with_those_there_are():
    with pytest.raises(UnclearRule, match=r"no scenario has a slice `langauge`.*known: family, language"):
        sizes({"metric": "m", "at_least": 0.9, "each": ["langauge"]})
