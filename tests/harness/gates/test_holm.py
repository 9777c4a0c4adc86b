from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from harness.gates.holm import Asked, corrected
from harness.gates.ruling import PValues

p_values = st.lists(st.floats(0, 0.49), min_size=1, max_size=12)


def kept(*values, confidence=0.95):
    return [Asked(PValues(p, 1.0), confidence) for p in values]


def test_the_example_of_holm():
    """0.01, 0.04, 0.03, 0.005 times 4, 3, 2, 1 in their order, never falling: 0.02, 0.03, 0.06, 0.06."""
    tested = corrected(kept(0.01, 0.04, 0.03, 0.005))
    assert [test.p_adjusted for test in tested] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert [test.p for test in tested] == [0.01, 0.04, 0.03, 0.005]


@given(p_values)
def test_it_is_that_of_statsmodels(values):
    with patch("gc.collect"):  # which it asks for each time: minutes, with all that other tests have left
        _, expected, _, _ = multipletests(values, 0.05, method="holm")
    assert [test.p_adjusted for test in corrected(kept(*values))] == pytest.approx(list(expected))


@given(p_values)
def test_what_is_claimed_at_the_adjusted_confidence_is_what_is_claimed_by_the_adjusted_p_value(values):
    for test in corrected(kept(*values)):
        assert (test.p <= 1 - test.adjusted + 1e-12) == (test.p_adjusted <= 0.05 + 1e-11)


def test_a_rule_alone_is_not_corrected():
    (test,) = corrected(kept(0.04))
    assert (test.p_adjusted, test.adjusted, test.among) == (pytest.approx(0.04), 0.95, 1)


def test_each_side_is_corrected_by_itself():
    """Of two rules one is kept and one is broken: each claim is held against two, the sides are not mixed."""
    first, second = corrected([Asked(PValues(0.02, 1.0), 0.95), Asked(PValues(1.0, 0.02), 0.95)])
    assert (first.claim, second.claim) == ("kept", "broken")
    assert first.p_adjusted == second.p_adjusted == pytest.approx(0.04)


def test_different_confidences_are_ordered_by_their_share_of_what_each_allows():
    """0.04 of 0.10 comes before 0.03 of 0.05: 0.4 x 2 and 0.6 x 1, so that both claims are made."""
    lax, strict = corrected([*kept(0.04, confidence=0.90), *kept(0.03, confidence=0.95)])
    assert lax.p_adjusted == pytest.approx(0.08)
    assert strict.p_adjusted == pytest.approx(0.04)
    assert strict.adjusted == pytest.approx(0.95)
