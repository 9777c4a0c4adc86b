"""What was seen, and how much of it is read to find something in it."""

from __future__ import annotations

from harness.scoring.claims.evidence import Evidence, Sight
from harness.scoring.claims.facts import Fact
from harness.scoring.claims.known import Known


def test_an_id_is_known_by_its_letters_and_digits_or_by_a_long_run_of_digits():
    seen = Evidence()
    seen.add(Sight({"order": "O-1001", "card": "gift_card_2200803"}))
    assert seen.names("o1001")
    assert seen.names("2200803")
    assert seen.names("card2200803")
    assert not seen.names("o1002")
    assert not seen.names("1001")  # too short a run to name the thing without its letter


def test_what_was_known_before_and_what_was_derived_is_known_too():
    before = Known()
    before.learn([Fact("id", key="p7")])
    seen = Evidence(before)
    assert seen.names("p7")
    seen.learn([Fact("id", key="r9")])
    assert seen.names("r9")
    assert not before.ids & {"r9"}


def test_for_an_id_that_was_seen_last_nothing_earlier_is_read():
    early, late = Sight({"id": "O-1"}), Sight({"id": "O-2"})
    seen = Evidence()
    seen.add(early, late)
    assert seen.names("o2")
    assert early._facts is None
    assert seen.names("o1")
    assert early._facts is not None
