from __future__ import annotations

from harness.model.material import Clause, Document
from harness.scoring.claims.facts import extract
from harness.scoring.claims.topics import misplaced, on_topic, statements, stems

TEXT = """A refund must be asked for within 30 days of delivery. After that there is no
refund. The money arrives within 5-7
business days."""
KNOWN = tuple(
    statements(
        [
            Document("policy/refunds.md", TEXT, (Clause("R2", "Refund window", TEXT, "policy/refunds.md"),)),
            Document("policy/returns.md", "- Unused items can be returned within 14 days.\n- A label is sent."),
        ]
    )
)


def only(text):
    (fact,) = [fact for fact in extract(text) if fact.kind != "number"]
    return fact


def test_statements_are_sentences_with_facts_whatever_the_line_breaks():
    assert [(one.text, one.where) for one in KNOWN] == [
        ("A refund must be asked for within 30 days of delivery.", "policy/refunds.md#R2"),
        ("The money arrives within 5-7 business days.", "policy/refunds.md#R2"),
        ("- Unused items can be returned within 14 days.", "policy/returns.md"),
    ]
    assert list(statements([Document("empty.md", "")])) == []


def test_two_forms_of_a_word_have_one_stem():
    assert stems("Refunds were refunded") == stems("a refund")
    assert stems("the days of the week") == frozenset()


def test_the_statement_that_speaks_of_the_same_thing():
    found = on_topic(only("within 60 days"), "You may ask for a refund within 60 days.", "", KNOWN)
    assert found is KNOWN[0]
    assert on_topic(only("in 60 months"), "You may ask for a refund in 60 months.", "", KNOWN) is None
    assert on_topic(only("within 60 days"), "60 days", "hello", KNOWN) is None
    assert on_topic(only("2026-11-20"), "the refund window is 2026-11-20", "", KNOWN) is None


def test_a_right_value_of_the_wrong_thing():
    assert misplaced(only("14 days"), stems("ask for a refund in 14 days of delivery"), KNOWN) is KNOWN[0]
    assert misplaced(only("14 days"), stems("unused items are returned in 14 days"), KNOWN) is None
    assert misplaced(only("30 days"), stems("ask for a refund in 30 days of delivery"), KNOWN) is None
    assert misplaced(only("14 days"), stems("within 14 days"), KNOWN) is None
