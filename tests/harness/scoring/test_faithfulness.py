from __future__ import annotations

from dataclasses import replace

import pytest

from harness.model.material import Clause, Document
from harness.model.status import Status
from harness.scoring import faithfulness as faithful
from harness.scoring.claims import deeds, denials
from harness.scoring.claims.sentences import unmarked
from harness.scoring.faithfulness import LONGEST, faithfulness
from tests.effort import growth, no_hang
from tests.harness.scoring.build import SHOP, call, episode, material, refund, said
from tools_sandbox.call import CallError, Passage

CLAUSES = {
    "R1": ("Refund window", "You may ask for a refund within 30 days of delivery."),
    "R4": ("Limit", "Refunds above 100.00 are decided by a person."),
    "R5": ("Time to the card", "Refunds reach the card in 5-7 business days."),
    "R6": ("Exchange", "Exchanges are possible within 14 days."),
}
POLICY = Document(
    "policy/refunds.md",
    "\n".join(f"## {title} {{#{clause}}}\n{text}" for clause, (title, text) in CLAUSES.items()),
    tuple(Clause(clause, title, text, "policy/refunds.md") for clause, (title, text) in CLAUSES.items()),
)
MATERIAL = material(knowledge=(POLICY,))
ORDER = {"order_id": "O-1001", "status": "delivered", "total": "49.90", "delivered_on": "2026-11-12"}


def look_up():
    return call("get_order", {"order_id": "O-1001"}, result=ORDER)


def scored(*events, against=MATERIAL, **fields):
    return faithfulness.score(episode(*events, **fields), against)["faithfulness"]


def codes(score):
    return [finding.code for finding in score.findings if not finding.recovered]


def test_good_everything_said_is_known():
    score = scored(
        "My blender O-1001 arrived broken.",
        look_up(),
        said("Order O-1001 of 49.90 was delivered on 12 November, 8 days ago, so you are within the 30 days."),
        "Please refund it.",
        refund(),
        said("I have refunded $49.90 to your card. You will see it in 5 to 7 business days."),
    )
    assert score.value.status is Status.PASSED
    assert score.findings == ()
    # O-1001, 49.90, 12 November, 8 days, 30 days, delivered; the deed, 49.90, the 5-7 days
    assert score.details == {"claims": 9, "unsupported": 0}


def test_empty_no_claim_is_not_applicable_and_no_pass():
    assert scored("Hi.", said("Hello! How can I help you?")).value.status is Status.NOT_APPLICABLE
    assert scored().value.status is Status.NOT_APPLICABLE
    assert scored("Hi.", said("")).value.status is Status.NOT_APPLICABLE


def test_a_deed_without_a_call_is_invented():
    score = scored("Refund O-1001 please.", look_up(), said("I have refunded it."))
    assert (score.value.status, codes(score)) == (Status.FAILED, ["KN4"])
    (finding,) = score.findings
    assert finding.step == (1, 2)
    assert finding.evidence.quote == "I have refunded it."
    assert finding.evidence.turn == 1


def test_an_error_told_as_success_is_a_misread_result():
    failing = call("issue_refund", {"order_id": "O-1001"}, error="over the limit")
    score = scored("Refund O-1001 please.", failing, said("Your refund has been processed."))
    assert codes(score) == ["TO4"]
    assert score.findings[0].actual == "over the limit"
    assert score.findings[0].evidence.call == "c1"


def test_a_deed_that_is_done_later_is_a_slip():
    score = scored("Refund it.", said("I have refunded it."), "Really?", refund(), said("It is done."))
    assert score.value.status is Status.PASSED
    assert [finding.recovered for finding in score.findings] == [True]


def test_a_call_after_the_claim_does_not_stand_behind_it_yet():
    score = scored("Refund it.", said("I have refunded it."), refund())
    assert [(finding.code, finding.recovered) for finding in score.findings] == [("KN4", True)]


def test_a_wrong_window_contradicts_the_knowledge():
    score = scored("My blender broke.", said("You have 60 days to ask for a refund."))
    assert codes(score) == ["KN3"]
    (finding,) = score.findings
    assert finding.expected == CLAUSES["R1"][1]
    assert finding.evidence.where == "policy/refunds.md#R1"
    assert (finding.actual, finding.layer) == ("60 days", 1)


def test_the_window_of_another_clause_is_wrong_too():
    assert codes(scored("My blender broke.", said("You have 14 days to ask for a refund."))) == ["KN3"]
    assert codes(scored("May I exchange it?", said("Exchanges are possible within 14 days."))) == []


def test_a_wrong_amount_is_invented_where_no_knowledge_speaks_of_it():
    score = scored("My blender O-1001 broke.", look_up(), said("It cost 59.95."), against=material())
    assert codes(score) == ["KN4"]


@pytest.mark.parametrize(
    "reply",
    [
        "Shall I move 1000 EUR instead?",
        "That is too much for one day. Would you like to move 1000 EUR, or only 500 EUR?",
        "How about $20.00?",
        "Did you mean 1000 EUR?",
        "If you would like, I can move 1000 EUR instead.",
        "I could move 1000 EUR now if you'd prefer.",
    ],
)
def test_an_amount_that_is_offered_or_asked_is_no_claim(reply):
    score = scored("Refund O-1001 please.", look_up(), said(reply))
    assert (score.value.status, score.findings) == (Status.NOT_APPLICABLE, ())


@pytest.mark.parametrize(
    "reply",
    [
        "Shall I refund the 59.90 EUR?",
        "Shall I refund your order of 59.90 EUR?",
        "Shall I refund 59.90 EUR, the full price?",
        "Shall I send a new one for 59.90 EUR?",
        "You paid 59.90 EUR, shall I refund it?",
        "Your order costs 59.90 EUR, right?",
        "If you would like a refund, the fee is 59.90 EUR.",
        "I can refund it if you want: it was 59.90 EUR.",
        "If you spend 59.90 EUR or more, delivery is free.",
        "I can move 59.90 EUR.",
    ],
)
def test_an_amount_that_an_offer_takes_for_granted_is_a_claim(reply):
    assert scored("Refund O-1001 please.", look_up(), said(reply)).value.status is Status.FAILED


def test_an_amount_moved_must_be_of_the_conversation():
    score = scored("Refund O-1001.", look_up(), refund(), said("I have refunded 100.00 to your card."))
    assert codes(score) == ["TO4"]
    assert scored("Refund O-1001.", look_up(), refund(), said("I have refunded 49.90.")).findings == ()


def test_a_result_is_known_only_once_it_is_there():
    early = scored("Where is O-1001?", said("It cost 49.90."), look_up())
    assert codes(early) != []
    assert scored("Where is O-1001?", look_up(), said("It cost 49.90.")).findings == ()


def test_arguments_of_a_failed_call_are_no_evidence_but_its_error_is():
    failed = call("issue_refund", {"order_id": "O-1001", "amount": "77.77"}, error="the limit is 88.88")
    assert codes(scored("Hi.", failed, said("It is 77.77."), against=material())) == ["KN4"]
    assert scored("Hi.", failed, said("The limit is 88.88."), against=material()).findings == ()


def test_passages_and_the_users_words_are_evidence():
    search = call("search_policy", {"query": "x"}, result=[], passages=(Passage("p.md", "Gifts are worth 12.34."),))
    assert scored("Hi.", search, said("A gift is worth 12.34."), against=material()).findings == ()
    assert scored("I paid 12.34.", said("You paid 12.34."), against=material()).findings == ()


def test_the_same_wrong_fact_is_one_finding():
    assert len(scored("Hi.", said("60 days for a refund."), "Sure?", said("Yes, 60 days for a refund.")).findings) == 1


def test_facts_of_other_languages_are_checked_where_digits_tell():
    spanish = scored(
        "Mi pedido O-1001.", look_up(), said("Le devolveremos 94,90 € del pedido O-1001."), against=material()
    )
    assert codes(spanish) == ["KN4"]
    assert scored("Mi pedido O-1001.", look_up(), said("Son 49,90 €.")).findings == ()
    assert codes(scored("你好", look_up(), said("退款94.90元"), against=material())) == ["KN4"]


def test_garbage_is_read_without_harm():
    odd = call("get_order", None, raw="{", error="bad")
    score = scored("\x00", odd, said("\x1b[0m \ud800 %s {0.__class__} \u202e 1e999 NaN"), said("]]>"))
    assert score.value.status is Status.NOT_APPLICABLE


def test_a_reply_beyond_measure_is_not_judged_and_no_pass():
    long = scored("Hi.", look_up(), said("It cost 49.90. " + "a " * LONGEST))
    assert long.value.status is Status.NOT_JUDGED
    many = scored("Hi.", look_up(), said(" ".join(["49.90"] * 1000)))
    assert many.value.status is Status.NOT_JUDGED
    refunded = call("issue_refund", {"order_id": "O-1001", "amount": "49.90"}, result={"order_id": "O-1001"})
    deeds = scored("Refund O-1001.", refunded, said("I have refunded order O-1001. " * 401), against=material())
    assert deeds.value.status is Status.NOT_JUDGED
    assert "401 claims of deeds" in deeds.value.reason
    denied = scored("Hi.", look_up(), said("It cost 49.90. " + "No order was cancelled. " * 401), against=material())
    assert denied.value.status is Status.NOT_JUDGED
    assert "401 denials" in denied.value.reason


def test_hostile_replies_and_results_take_bounded_time():
    def judged(many):
        numbers = " ".join(f"{number}.{number % 90 + 10}" for number in range(many))
        reply = numbers[: many * 9 // 2].replace(".", ".1")
        return scored("Hi.", call("get_order", {}, result=numbers), said(reply)).value.status

    assert growth(judged, int, 200) < 1.1
    with no_hang():
        assert judged(20_000) is Status.FAILED


@pytest.mark.parametrize("sentence", ["I have refunded your order. ", "您好，订单已取消。"])
def test_an_agent_that_says_one_thing_over_and_over_takes_bounded_time(monkeypatch, sentence):
    read = []
    for module in (faithful, deeds, denials):
        monkeypatch.setattr(module, "unmarked", lambda text: read.append(len(text)) or unmarked(text))

    def findings(many):
        return len(scored("Hi.", look_up(), said(sentence * many), against=material()).findings)

    assert growth(findings, int, 200) < 1.1
    read.clear()
    assert findings(90_000 // len(sentence)) == 1
    assert sum(read) < 10 * 90_000, "the reply is read again for each of its sentences"


def test_unseen_tools_outside_the_sandbox_leave_a_claim_not_judged():
    against = material(passthrough=["mail"])
    score = scored("Hi.", said("I have refunded it."), against=against, spans_missing="the exporter was cut off")
    assert score.value.status is Status.NOT_JUDGED
    assert scored("Hi.", said("I have refunded it."), against=against).value.status is Status.FAILED


@pytest.mark.parametrize(
    "reply",
    [
        "I will refund 49.90 to your card.",
        "Shall I refund 49.90 to the card you paid with?",
        "Once it has been refunded, you will see it in 5-7 business days.",
        "I have not refunded anything yet.",
    ],
)
def test_adversarial_words_near_a_claim_are_none(reply):
    assert scored("My blender O-1001 broke.", look_up(), said(reply)).findings == ()


CLASS = {"id": "C-1", "title": "Yoga", "day": "Monday", "time": "19:00", "fee": "12.00", "places": 5}


def said_of_class(reply, *events):
    return scored("When is yoga?", call("get_order", {"order_id": "O-1001"}, result=CLASS), *events, said(reply))


@pytest.mark.parametrize(
    "reply",
    [
        "Yoga is on Monday at 19:00.",
        "Yoga is on Mondays at 7 pm.",
        "Yoga is on Monday at 7:00.",
        "Today is Friday, 20 November.",
        "Two of you pay 24.00 euros.",
    ],
)
def test_days_and_times_that_are_known(reply):
    assert said_of_class(reply).value.status is Status.PASSED


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Yoga is on Tuesday.", "Tuesday"),
        ("Yoga is on Monday at 20:00.", "20:00"),
        ("Yoga is on Monday at 7 am.", "7 am"),
        ("It costs 25 euros.", "25 euros"),
    ],
)
def test_days_times_and_prices_that_nothing_shows(reply, told):
    score = said_of_class(reply)
    assert codes(score) == ["KN4"]
    assert told in score.findings[0].text


def test_you_are_booked_is_a_deed_where_a_tool_books():
    tools = {
        **SHOP.tools,
        "book_class": replace(SHOP.tools["add_note"], name="book_class", description="Book a place."),
    }
    gym = replace(MATERIAL, schema=replace(SHOP, tools=tools))
    book = replace(call("add_note", {"text": "C-1"}), tool="book_class")
    assert codes(scored("Book yoga.", said("You are booked."), against=gym)) == ["KN4"]
    assert codes(scored("Book yoga.", book, said("You're all booked."), against=gym)) == []
    refused = replace(book, error=CallError("refused", "full"))
    assert codes(scored("Book yoga.", refused, said("You are now booked."), against=gym)) == ["TO4"]
    looked = call("get_order", {}, result={"booked": "C-1"})
    assert codes(scored("Am I in?", looked, said("Yes, you are booked."), against=gym)) == []
    assert (
        codes(scored("Hi.", said("If you are booked, bring a towel. You are charged on the day."), against=gym)) == []
    )
    assert codes(scored("Hi.", said("You are booked."))) == []


ALREADY = call("issue_refund", {"order_id": "O-1001", "amount": "49.90"}, error="O-1001 has already been refunded")


def test_who_repeats_a_refusal_is_not_accused_and_who_claims_the_deed_is():
    refused = scored("Refund O-1001.", ALREADY, said("I can't refund O-1001, because it has already been refunded."))
    assert (refused.value.status, refused.findings) == (Status.PASSED, ())
    assert codes(scored("Refund O-1001.", ALREADY, said("I have refunded O-1001."))) == ["TO4"]
    down = call("issue_refund", {"order_id": "O-1001", "amount": "49.90"}, error="the system is down")
    assert codes(scored("Refund O-1001.", down, said("It has been refunded."))) == ["TO4"]


def test_what_an_unsupported_fact_lacks_is_named():
    (finding,) = scored("When?", said("It came on 2026-12-03.")).findings
    assert finding.expected == "a supported date: of a result, the knowledge or the user"
