"""Whole conversations in three languages, with what the agent says recognised."""

from __future__ import annotations

import pytest

from harness.users.view import Done
from tests.harness.users.conversations import begun, scenario

REFUNDED = "issue_refund"

SPANISH = [
    (
        "Lo siento. ¿Me puede dar su número de pedido y su correo electrónico?",
        "Mi número de pedido es O-1001, mi correo electrónico es ana@example.com",
        (),
    ),
    ("¿Su correo es ana@example.com?", "Sí, es correcto.", ()),
    ("Para confirmar, su correo es anna@example.com, ¿correcto?", "No, mi correo electrónico es ana@example.com", ()),
    (
        "¿Quiere que le reembolse 49,90 € a su tarjeta? ¿Y cuál es su teléfono?",
        "No tengo teléfono. Sí, por favor.",
        (REFUNDED,),
    ),
    ("¿Prefiere un reembolso a su tarjeta o un vale de compra?", "Un reembolso a su tarjeta, por favor.", (REFUNDED,)),
    ("¿Desea que cancele el pedido?", "No, gracias.", ()),
    ("He comprobado su pedido. Puedo devolverle 49,90 € a la tarjeta. ¿Procedo?", "Sí, por favor.", (REFUNDED,)),
    ("¿De qué color era?", "No sabría decirle.", ()),
]
CHINESE = [
    ("很抱歉。请提供您的订单号和邮箱。", "我的订单号是O-1001，我的邮箱是ana@example.com", ()),
    ("您的邮箱是ana@example.com，对吗？", "对，没错。", ()),
    ("您的邮箱是anna@example.com，对吗？", "不对，我的邮箱是ana@example.com", ()),
    ("需要我为您退款49.90元到原来的银行卡吗？另外请告诉我您的电话号码。", "电话我没有。好的，可以。", (REFUNDED,)),
    ("您想要退款还是购物金？", "请选退款。", (REFUNDED,)),
    ("需要我为您取消订单吗？", "不用了，谢谢。", ()),
    ("我可以为您退款49.90元。可以吗？", "好的，可以。", (REFUNDED,)),
    ("它是什么颜色的？", "我说不上来。", ()),
]
ENGLISH = [
    (
        "What are your order number and e-mail address?",
        "My order number is O-1001, my e-mail address is ana@example.com",
        (),
    ),
    ("To confirm, your e-mail is anna@example.com, right?", "No, my e-mail address is ana@example.com", ()),
    ("To confirm, I'll cancel order O-1001, is that right?", "No, thank you.", ()),
    (
        "Just to confirm: you'd like me to refund $49.90 for order O-1001 to your card, correct?",
        "Yes, please.",
        (REFUNDED,),
    ),
    (
        "I found order O-1001. Before I refund the $49.90, please confirm that you'd like to go ahead.",
        "Yes, please.",
        (REFUNDED,),
    ),
    ("Would you prefer a refund to your card or store credit?", "A refund to your card, please.", (REFUNDED,)),
    (
        "Shall I refund 49.90? And could I have your phone number?",
        "As for the phone number, I don't have that. Yes, please.",
        (REFUNDED,),
    ),
    (
        "Here is what I will do:\n- Refund: $49.90\n- To: your card\nPlease reply yes to confirm or no to cancel.",
        "Yes, please.",
        (REFUNDED,),
    ),
    ("Here is what I will do:\n- Refund: $39.90\n- To: your card\nDo you want to proceed?", "No, thank you.", ()),
]


@pytest.mark.parametrize(
    ("language", "reply", "answer", "consent"),
    [(language, *turn) for language, turns in (("en", ENGLISH), ("es", SPANISH), ("zh", CHINESE)) for turn in turns],
)
def test_a_turn(language, reply, answer, consent):
    said = begun(scenario(slices={"language": language}, declines=["store_credit"])).hears(reply)
    assert said.text == answer
    assert said.because.consent == consent


@pytest.mark.parametrize(
    ("language", "told", "closing"),
    [
        ("en", "I have refunded 49.90 to your card.", "In 5-7 business days. Is there anything else I can help with?"),
        ("es", "Le he reembolsado 49,90 €.", "Entre 5 y 7 días. ¿Puedo ayudarle en algo más?"),
        ("zh", "已为您退款49.90元。", "5到7个工作日。还有什么可以帮您的吗？"),
    ],
)
def test_what_is_told_is_no_ask_and_a_closing_ends_the_talk(language, told, closing):
    shop = begun(scenario(["Hi.", {"say": "When?", "after": "issue_refund"}], slices={"language": language}))
    shop.called("issue_refund")
    assert shop.says(told) == "When?"
    assert shop.hears(closing) == Done(())
