from __future__ import annotations

import pytest

from harness.reports.reliability import pass_hats
from tests.harness.gates.build import trials


def test_pass_hat_is_averaged_over_scenarios():
    """By hand: 4 of 4 gives 1, 1, 1, 1; 2 of 4 gives 2/4, 1/6, 0, 0; their means."""
    found = pass_hats(["f"], [*trials("PPPP", "a"), *trials("PPFF", "b")])["f"]
    assert found == pytest.approx((0.75, 7 / 12, 0.5, 0.5))


def test_it_goes_as_far_as_every_scenario_has_judged_trials():
    assert len(pass_hats(["f"], [*trials("PPPP", "a"), *trials("PNPA", "b")])["f"]) == 2
    assert pass_hats(["f"], [*trials("PP", "a"), *trials("NN", "b")])["f"] == ()


def test_spared_trials_repeat_what_was_played():
    assert pass_hats(["f"], trials("FFSS", "a"), deterministic=True)["f"] == (0, 0, 0, 0)
    assert pass_hats(["f"], trials("FFSS", "a"))["f"] == (0, 0), "the run turned out not to agree"


def test_an_empty_family_has_none():
    assert pass_hats(["f", "g"], trials("P", "a")) == {"f": (1.0,), "g": ()}
