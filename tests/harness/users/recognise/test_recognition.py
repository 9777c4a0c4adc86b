"""What a reply asks for, with the wordings that the documentation promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.episode import Ask, AskKind
from harness.model.scenario import Answer
from harness.users.recognise import Recognition, SlotBook, recognise

NOBODY = SlotBook.of({}, {})
ANA = SlotBook.of({"order_id": "O-1001", "e_mail": "ana@example.com", "phone": None, "payment": "Visa"}, {})


def asked(text: str, book: SlotBook = ANA) -> list[tuple[str, str | None]]:
    return [(str(ask.kind), ask.slot) for ask in recognise(text, book).asks]


def only(text: str, book: SlotBook = ANA) -> Ask:
    (ask,) = recognise(text, book).asks
    return ask


def test_two_slots_in_one_sentence_are_two_asks_under_the_names_of_the_facts() -> None:
    reply = "I'm sorry it arrived broken. What are your order number and e-mail address?"
    assert asked(reply) == [("slot", "order_id"), ("slot", "e_mail")]


def test_what_was_remembered_of_a_reply_holds_of_its_like_with_other_figures_alone() -> None:
    first, second = (recognise(f"Order O-{number} has shipped.", ANA) for number in (1001, 2745))
    assert first == second == Recognition((), False, False)
    assert recognise("I can't refund order O-1001.", ANA).refusal
    assert recognise("I can't refund order O-2745.", NOBODY).refusal
    # In an envelope the digits tell which letter it is: a question mark, or none.
    assert not recognise(r'{"message": "Your order\u0021"}', ANA).asks
    assert recognise(r'{"message": "Your order\u003f"}', ANA).asks
    assert [only(f"Is your order number O-{number}?").value for number in (1001, 2745)] == ["O-1001", "O-2745"]


def test_the_quote_is_the_sentence() -> None:
    assert only("Thank you. Shall I refund 49.90 to your card?").quote == "Shall I refund 49.90 to your card?"


@pytest.mark.parametrize(
    "text",
    [
        "Please provide your order number.",
        "I'll need your order number to look that up.",
        "Once you have the order number, please let me know.",
        "Could you please confirm your order ID?",
        "Order number?",
        "If you can share your order #, I can check it for you.",
        "Which order is this about?",
        "¿Me indica su número de pedido?",
        "请提供订单号。",
    ],
)
def test_a_slot_is_asked_for_in_many_ways(text: str) -> None:
    assert asked(text) == [("slot", "order_id")]


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for your order number.",
        "I have found your order number, O-1001.",
        "I've sent the details to your e-mail address.",
        "I need to verify your identity first.",
        "Please hold on for a moment.",
        "I can't find your order. Let me try again.",
        "Su pedido O-1001 ya fue entregado.",
        "您的订单号已登记。",
    ],
)
def test_statements_ask_for_nothing(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Is there anything else I can help with?",
        "Let me know if you need anything!",
        "If you have any other questions, feel free to ask.",
        "¿Hay algo más en lo que pueda ayudarle?",
        "请问还有什么可以帮您的吗？",
    ],
)
def test_an_offer_of_more_help_closes_and_asks_nothing(text: str) -> None:
    recognition = recognise(text, ANA)
    assert recognition.closing
    assert recognition.asks == ()


def test_a_closing_beside_a_proposal_keeps_the_proposal() -> None:
    recognition = recognise("Shall I cancel it, or is there anything else you need?", ANA)
    assert recognition.closing
    assert [str(ask.kind) for ask in recognition.asks] == ["proposal"]


@pytest.mark.parametrize(
    "text",
    [
        "Shall I refund 49.90 to your card?",
        "Would you like me to cancel the order?",
        "Do you want to proceed with the exchange?",
        "Please confirm (yes/no) that I should cancel order O-1001.",
        "Reply yes to cancel order O-1001.",
        "If you'd like, I can transfer you to a colleague.",
        "¿Procedo con la cancelación?",
        "需要我为您退款吗？",
    ],
)
def test_a_yes_to_an_act_is_a_proposal(text: str) -> None:
    assert asked(text) == [("proposal", None)]


def test_a_proposal_that_is_said_again_is_one_proposal() -> None:
    assert asked("Would you like me to cancel the order? Please reply “yes” to confirm.") == [("proposal", None)]


def test_a_proposal_and_a_slot_in_one_sentence() -> None:
    reply = "Please confirm that you want the refund, and let me know which payment method you'd like to use."
    assert asked(reply) == [("proposal", None), ("slot", "payment")]
    assert asked(reply, NOBODY) == [("proposal", None), ("slot", "payment_method")]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("So your order number is O-1002, correct?", "order_id", "O-1002"),
        ("Is ana@example.com the right e-mail?", "e_mail", "ana@example.com"),
        ("Can you confirm that your zip code is 78712?", "postcode", "78712"),
        ("I have your phone number as 555-0101. Is that right?", "phone", "555-0101"),
        ("So that's O-1001, right?", "order_id", "O-1001"),
        ("¿Es ana@example.com su correo electrónico?", "e_mail", "ana@example.com"),
        ("您的订单号是O-1001，对吗？", "order_id", "O-1001"),
    ],
)
def test_a_fact_said_back_is_a_read_back_with_its_value(text: str, slot: str, value: str) -> None:
    ask = only(text)
    assert (ask.kind, ask.slot, ask.value) == (AskKind.READBACK, slot, value)


def test_options_are_as_worded() -> None:
    assert only("Would you like a refund or store credit?").options == ("a refund", "store credit")
    assert only("Which would you prefer: a refund, an exchange or store credit?").options == (
        "a refund",
        "an exchange",
        "store credit",
    )
    assert only("Here is what I can do:\n- Full refund\n- New blender\n\nWhich one would you like?").options == (
        "Full refund",
        "New blender",
    )
    assert only("Would you like me to:\n1. Cancel the order?\n2. Keep it?").options == ("Cancel the order", "Keep it")


def test_a_pick_for_a_slot_is_a_slot_for_who_knows_it_and_a_choice_for_who_does_not() -> None:
    reply = "Let me know which payment method you'd like to use:\n- Visa 4242\n- PayPal"
    known = only(reply, SlotBook.of({"payment_method": "PayPal"}, {}))
    unknown = only(reply, NOBODY)
    assert (known.kind, known.slot) == (AskKind.SLOT, "payment_method")
    assert (unknown.kind, unknown.slot) == (AskKind.CHOICE, "payment_method")
    assert known.options == unknown.options == ("Visa 4242", "PayPal")


@pytest.mark.parametrize(
    "text",
    ["Was the parcel damaged?", "Can you describe what happened?", "¿El paquete llegó dañado?", "包裹有破损吗？"],
)
def test_any_other_question_is_another_ask(text: str) -> None:
    assert asked(text) == [("other", None)]


def test_how_to_proceed_is_an_ask_only_by_itself() -> None:
    assert asked("Please let me know how you'd like to proceed.") == [("other", None)]
    assert asked("Shall I cancel it? Let me know how you'd like to proceed.") == [("proposal", None)]


def test_requests_in_a_list_are_slots_and_told_details_are_not() -> None:
    reply = "To get started, I'll need:\n1. **Your order number**\n2. The e-mail on the account"
    assert asked(reply) == [("slot", "order_id"), ("slot", "e_mail")]
    told = "Please confirm the details:\n- Order number: O-1001\n- E-mail: ana@example.com"
    assert asked(told) == [("proposal", None)]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("I'm sorry, I can't help with that: our policy doesn't allow it.", True),
        ("I'm afraid that is not possible.", True),
        ("Unfortunately, basic fares cannot be modified.", True),
        ("Lo siento, no es posible cancelar esa reserva.", True),
        ("抱歉，该机票不可退款。", True),
        ("I could not renew it: this loan has been renewed three times.", True),
        ("I couldn't refund order O-1, because it was delivered in May.", True),
        ("We were not able to cancel it since it has left the house.", True),
        ("I could not renew it: the system is down.", False),
        ("I couldn't find it: no order has that number.", False),
        ("I could not renew it.", False),
        ("I can't find your order. Could you check the number?", False),
        ("I'm unable to verify your identity with that e-mail.", False),
        ("I cannot start without your order number.", False),
        ("No he podido localizar su pedido.", False),
        ("无法查到您的订单，请核对订单号。", False),
    ],
)
def test_a_refusal_turns_a_request_down_and_a_setback_does_not(text: str, refused: bool) -> None:
    assert recognise(text, ANA).refusal is refused


def test_facts_of_no_usual_kind_are_known_by_the_words_of_their_names() -> None:
    book = SlotBook.of({"room_number": "351", "seat": "12A"}, {})
    assert asked("Could you provide your room number, please?", book) == [("slot", "room_number")]
    assert asked("Which seat would you like?", book) == [("slot", "seat")]


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("For how many nights?", ["nights"]),
        ("How many nights will you stay?", ["nights"]),
        ("How many hotel nights?", ["nights"]),
        ("How many guests will there be?", ["guests"]),
        ("How many nights and how many guests?", ["nights", "guests"]),
        ("How many bags and which guests?", ["quantity", "guests"]),
        ("How many flights?", ["quantity"]),
        ("When is your check-in?", ["check_in"]),
        ("When did you place the order?", ["date"]),
        ("When is your flight?", ["date"]),
        ("What is your e-mail for the nights?", ["email"]),
    ],
)
def test_how_many_asks_for_the_fact_that_is_named_after_it_if_that_is_a_number(question: str, slots: list[str]) -> None:
    facts = {"nights": "3", "guests": None, "flight": "HAT001", "order": "O-1", "check_in": "2026-05-03"}
    assert asked(question, SlotBook.of(facts, {})) == [("slot", slot) for slot in slots]


def test_what_an_authors_phrase_names_is_asked_for_once() -> None:
    answer = Answer.model_validate({"asked": ["how many nights", "which room"], "say": "3 nights, a double."})
    book = SlotBook.of({"quantity": "3", "email": "ana@example.com"}, {"stay": answer})
    assert asked("For how many nights?", SlotBook.of({}, {"stay": answer})) == [("slot", "stay")]
    assert asked("For how many nights, and what is your e-mail?", book) == [("slot", "stay"), ("slot", "email")]
    listed = "To tell how many nights, please give me:\n- Order number\n- E-mail"
    assert asked(listed, book) == [("slot", "stay"), ("slot", "order_id"), ("slot", "email")]
    assert asked("How many bags, and how many nights?", book) == [("slot", "stay"), ("slot", "quantity")]
    room = only("Which room would you like: single, double or suite?", book)
    assert (room.kind, room.slot, room.options) == (AskKind.SLOT, "stay", ("single", "double", "suite"))


def test_the_second_fact_of_a_kind_is_known_by_its_own_words() -> None:
    book = SlotBook.of({"address": "1 Elm St", "billing_address": "2 Oak St"}, {})
    assert asked("What is your billing address?", book) == [("slot", "billing_address")]
    assert asked("What is your address?", book) == [("slot", "address")]


def test_an_authors_phrase_names_the_slot_of_an_ask() -> None:
    book = SlotBook.of({}, {"voucher": Answer.model_validate({"asked": ["gift code"], "say": "XYZ"})})
    assert asked("Could you read me the code on the gift?", book) == [("slot", "voucher")]
    assert asked("What are your gift code and your e-mail?", book) == [("slot", "voucher"), ("slot", "email")]
    assert asked("The gift code was used.", book) == []


def test_a_near_fact_stands_in_for_a_kind_the_user_lacks() -> None:
    book = SlotBook.of({"customer_id": "C-7"}, {})
    assert asked("What is your account number?", book) == [("slot", "customer_id")]


def test_a_message_in_its_json_envelope_is_read() -> None:
    assert asked('{"message":"Sure.\\nPlease provide your order number."}') == [("slot", "order_id")]


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    recognition = recognise(text, ANA)
    assert recognition == recognise(text, ANA)
    assert all(ask.options == () or len(ask.options) > 1 for ask in recognition.asks)


ASKING = [
    "Please",
    "which",
    "or",
    "if",
    "your order number",
    "?",
    ".",
    "-",
    "\n",
    "|",
    "1.",
    "{}",
    "请",
    "吗",
    "¿",
    "email",
    "yes",
]


@given(st.lists(st.sampled_from(ASKING)))
def test_no_mix_of_asking_words_is_too_odd(words: list[str]) -> None:
    for ask in recognise(" ".join(words), ANA).asks:
        assert ask.quote.strip()
        assert ask.kind is not AskKind.CHOICE or len(ask.options) > 1
        assert ask.kind is not AskKind.SLOT or ask.slot


@pytest.mark.parametrize("text", ["I can " * 400_000, "请您" * 500_000, "{" * 100_000, "- a?\n" * 200_000])
def test_a_hostile_reply_of_megabytes_is_read_in_bounded_time(text: str) -> None:
    recognise(text, ANA)


def test_a_row_without_words_is_no_line() -> None:
    assert asked("What would you like?\n||\n- a\n- b") == [("other", None)]


def test_a_thousand_nested_items_are_read() -> None:
    text = "\n".join(" " * depth + "- Which order?" for depth in range(1000))
    assert asked(text) == [("slot", "order_id")]
