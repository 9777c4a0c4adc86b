from __future__ import annotations

import pytest

from harness.model.scenario import Scenario
from harness.runs.selection import NothingSelectedError, Selection, parse_slices


def scenario(name, family, **slices):
    return Scenario.model_validate(
        {"id": name, "family": family, "slices": slices, "user": {"turns": ["Hi."]}, "expect": {}}
    )


EVERY = [
    scenario("refund-one", "refunds", language="en", tier="gold"),
    scenario("refund-two", "refunds", language="es"),
    scenario("leak", "privacy", language="en"),
]


def ids(*only, slices=()):
    return [each.id for each in Selection(only, tuple(slices)).of(EVERY)]


def test_nothing_given_is_everything():
    assert ids() == ["refund-one", "refund-two", "leak"]
    assert Selection().partial is None


def test_ids_families_and_patterns_in_the_order_of_the_files():
    assert ids("leak", "refund-one") == ["refund-one", "leak"]
    assert ids("refunds") == ["refund-one", "refund-two"]
    assert ids("*-two") == ["refund-two"]


def test_slices_must_all_fit():
    assert ids(slices=[("language", "en")]) == ["refund-one", "leak"]
    assert ids("refunds", slices=[("language", "en")]) == ["refund-one"]
    assert ids(slices=[("language", "en"), ("tier", "gold")]) == ["refund-one"]


@pytest.mark.parametrize(
    ("only", "slices", "text"),
    [
        (["refnud-one"], [], "--only refnud-one selects nothing; did you mean `refund-one`"),
        (["leak", "refnuds"], [], "--only refnuds selects nothing; did you mean `refunds`"),
        (["zzz"], [], "--only zzz selects nothing"),
        ([], [("language", "fr")], "--slice language=fr selects nothing"),
        ([], [("langage", "en")], "--slice langage=en selects nothing; did you mean `language`"),
        (["leak"], [("language", "es")], "no scenario fits --only leak --slice language=es together"),
    ],
)
def test_a_typo_selects_nothing_and_names_the_nearest(only, slices, text):
    with pytest.raises(NothingSelectedError) as caught:
        ids(*only, slices=slices)
    assert str(caught.value).startswith(text)


def test_no_scenarios_at_all():
    with pytest.raises(NothingSelectedError):
        Selection().of([])


def test_what_makes_it_partial_is_told():
    assert Selection(("a", "b"), (("x", "y"),)).partial == "--only a --only b --slice x=y"


def test_slices_are_name_and_value():
    assert parse_slices(["language=en", "a=b=c"]) == (("language", "en"), ("a", "b=c"))
    for wrong in ("language", "=en", "language=", ""):
        with pytest.raises(ValueError, match="name=value"):
            parse_slices([wrong])
