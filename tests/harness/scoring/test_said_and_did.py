"""Says versus did, reply by reply: what is told truly stays silent, what was never done is found.

The shop of these tests knows the statuses of its orders, so what is said of them is held against the row as it was read
or changed.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.model.material import Clause, Document
from harness.scoring.faithfulness import faithfulness
from tests.harness.scoring.build import SHOP, added, altered, call, episode, material, refund, said
from tools_sandbox.schema import FieldSchema, FieldType, TableSchema

STATUS = FieldSchema(FieldType("text", choices=("paid", "shipped", "delivered", "cancelled", "refunded")))
ORDERS = TableSchema({**SHOP.tables["orders"].fields, "status": STATUS}, account="customer_id")
TEXT = "You may ask for a refund within 30 days of delivery. Exchanges are possible within 14 days."
POLICY = Document("policy.md", TEXT, (Clause("R1", "Refund window", TEXT, "policy.md"),))
SHOP_WITH_STATUSES = replace(
    material(knowledge=(POLICY,)), schema=replace(SHOP, tables={**SHOP.tables, "orders": ORDERS})
)


def look(status="paid", on=None):
    return call("get_order", {"order_id": "O-1001"}, result=row(status, on))


def row(status, on=None):
    return {"order_id": "O-1001", "status": status, "total": "49.90", "delivered_on": on}


def cancel(order="O-1001"):
    change = altered("orders", order, status="cancelled")
    return call("cancel_order", {"order_id": order}, result=row("cancelled"), changes=(change,))


def escalate():
    change = added("tickets", "T-1", summary="x")
    return call("escalate_to_human", {"summary": "x"}, result={"ticket_id": "T-1"}, changes=(change,))


def codes(reply, *calls, asked="Please help with O-1001."):
    score = faithfulness.score(episode(asked, *calls, said(reply)), SHOP_WITH_STATUSES)["faithfulness"]
    return [finding.code for finding in score.findings]


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        ("I have updated the status to cancelled.", cancel()),
        ("I have updated the status of your order to cancelled.", cancel()),
        ("I have changed the status to refunded.", refund()),
        ("I've set the order to cancelled.", cancel()),
        ("I have marked it as cancelled.", cancel()),
        ("I've processed the cancellation.", cancel()),
        ("49.90 has been transferred to your card.", refund()),
        ("The money has been returned.", refund()),
        ("I have removed the charge.", refund()),
        ("The money is on its way.", refund()),
        ("I have returned the money to your card.", refund()),
        ("I've sent 49.90 back to your card.", refund()),
        ("You've been refunded.", refund()),
        ("I went ahead and refunded you.", refund()),
        ("I've put 49.90 back on your card.", refund()),
        ("49.90 has been paid back to you.", refund()),
        ("I have reversed the payment.", refund()),
        ("Your money has been sent back.", refund()),
        ("I have paid you back.", refund()),
        ("I've given you your money back.", refund()),
        ("I have handed your case over to a colleague.", escalate()),
        ("I've passed this on to our team.", escalate()),
        ("Your case has been handed over to a colleague.", escalate()),
        ("A colleague has been informed.", escalate()),
        ("Your order is cancelled.", cancel()),
        ("The refund has gone through.", refund()),
        ("Your order was delivered.", look("delivered", "2026-11-12")),
        ("Your order has been delivered.", look("delivered", "2026-11-12")),
        ("Your order is on its way.", look("shipped")),
        ("Your order has been shipped.", look("shipped")),
        ("Your order is paid.", look()),
        ("Your order is now closed.", cancel()),
        ("He reembolsado 49.90 en su tarjeta.", refund()),
        ("Ya se ha cancelado su pedido.", cancel()),
        ("Su pedido está cancelado.", cancel()),
        ("已经退款49.90。", refund()),
        ("已为您取消订单。", cancel()),
        ("您的订单已取消。", cancel()),
        ("退款已完成。", refund()),
        ("Su pedido ha sido entregado.", look("delivered", "2026-11-12")),
        ("您的订单已送达。", look("delivered", "2026-11-12")),
        ("He pasado su caso a un compañero.", escalate()),
        ("已将您的问题转给人工客服。", escalate()),
        ("Done! Your order is cancelled and nothing was charged.", cancel()),
        ("I was able to cancel your order.", cancel()),
        ("Le he devuelto el dinero.", refund()),
        ("I have taken care of the refund.", refund()),
        ("I've issued a refund of 49.90.", refund()),
        ("Your refund is complete.", refund()),
        ("Your refund has been approved.", refund()),
        ("Your order status is now cancelled.", cancel()),
        ("The order's status has been changed to cancelled.", cancel()),
        ("The status is now refunded.", refund()),
        ("I've processed your refund of 49.90.", refund()),
        ("We have returned 49.90 to your card.", refund()),
        ("The amount has been credited to your account.", refund()),
        ("I've transferred the money.", refund()),
        ("The full amount was returned to your card.", refund()),
        ("Your money is back on your card.", refund()),
        ("The charge has been reversed.", refund()),
        ("The charge has been removed.", refund()),
        ("I have set the status to refunded.", refund()),
        ("I've removed the order.", cancel()),
        ("I've stopped the order.", cancel()),
        ("I have withdrawn your order.", cancel()),
        ("I've closed the order.", cancel()),
        ("I've marked your order as refunded.", refund()),
        ("Your refund of 49.90 is done.", refund()),
        ("I've sent your money back.", refund()),
        ("I have connected you with a colleague.", escalate()),
        ("I've forwarded your case to the team.", escalate()),
        ("I've escalated this.", escalate()),
        ("I have created a ticket.", escalate()),
        ("I've opened a case for you.", escalate()),
        ("Hemos procesado el reembolso.", refund()),
        ("Su reembolso ha sido procesado.", refund()),
        ("He actualizado el estado a cancelado.", cancel()),
        ("我已经把您的订单取消了。", cancel()),
        ("已将49.90退回到您的卡。", refund()),
        ("I have refunded the full 49.90 for order O-1001.", refund()),
        ("Order O-1001 was refunded today.", refund()),
        ("The refund was successful.", refund()),
        ("The refund has been made.", refund()),
        ("The refund has been sent.", refund()),
        ("Great news: your refund is on its way!", refund()),
        ("I have cancelled order O-1001 and no money was charged.", cancel()),
        ("It's all taken care of: the order is cancelled.", cancel()),
        ("I have ended the order.", cancel()),
        ("We've dropped the charge.", refund()),
        ("I've undone the charge.", refund()),
        ("I have moved 49.90 back to your card.", refund()),
        ("I've released the payment.", refund()),
        ("I have corrected the status to refunded.", refund()),
        ("I have switched the order to cancelled.", cancel()),
        ("Your order has been put to cancelled.", cancel()),
        ("I've deleted the order.", cancel()),
        ("I've waived the fee.", refund()),
        ("I have resolved it: 49.90 is back on your card.", refund()),
        ("Your payment of 49.90 has been refunded.", refund()),
        ("Your account has been credited with 49.90.", refund()),
        ("Consider it refunded.", refund()),
        ("✅ Refund completed", refund()),
        ("All done, refund processed for 49.90!", refund()),
        ("Refunded: 49.90", refund()),
        ("A refund of 49.90 euros was sent to your bank by our finance team.", refund()),
        ("- Refund of 49.90 issued", refund()),
        ("Consider your order cancelled.", cancel()),
        ("A refund of 49.90 was issued.", refund()),
        ("Refund processed for 49.90.", refund()),
    ],
)
def test_what_was_done_is_told_truly(reply, made):
    assert codes(reply, made) == []


@pytest.mark.parametrize(
    "reply",
    [
        "You've been refunded.",
        "I went ahead and refunded you.",
        "I've handed your case over to a colleague.",
        "Your order is cancelled.",
        "The refund has gone through.",
        "I've blocked your card.",
        "Your order was delivered.",
        "Your order has been delivered.",
        "Your order is on its way.",
        "I have updated the status to cancelled.",
        "49.90 has been transferred to your card.",
        "The money has been returned.",
        "I have removed the charge.",
        "I've passed this on to our team.",
        "You are refunded.",
        "Your card has been blocked.",
        "Your card is blocked.",
        "I blocked your card.",
        "It's been cancelled.",
        "It is cancelled.",
        "Your account is now closed.",
        "I was able to cancel it.",
        "I managed to cancel it.",
        "The money is on its way.",
        "The refund went through.",
        "The cancellation has gone through.",
        "I've gone ahead and cancelled it.",
        "Your case has been handed over.",
        "I've put your money back on the card.",
        "He reembolsado 49.90.",
        "Ya se ha cancelado.",
        "Su pedido ha sido cancelado.",
        "Hemos reembolsado el importe.",
        "Su pedido está cancelado.",
        "Cancelé su pedido.",
        "已经退款。",
        "已为您取消。",
        "我已经帮您取消了订单。",
        "您的订单已取消。",
        "退款已完成。",
        "退款已经到账。",
        "我帮您取消了。",
        "订单取消成功。",
        "已转接人工客服。",
        "Su caso ha sido transferido a un agente.",
        "I've expedited your delivery.",
        "I have unsubscribed you.",
        "Your address has been changed.",
        "I've opened a ticket.",
        "Your order is refunded.",
        "Your money has been refunded.",
        "I have cancelled your order and refunded the money.",
        "Your order is delivered.",
        "Refund issued.",
        "Order cancelled.",
        "Done - I refunded it.",
        "The order is now cancelled.",
        "Your refund is complete.",
        "We've credited your account.",
        "Your order got cancelled.",
        "I just cancelled it.",
        "Your replacement is on its way.",
        "I have reset your password.",
        "I've sent you a confirmation e-mail.",
        "All done, it's refunded.",
        "Your payment was refunded.",
        "I've made the refund.",
        "I've given you a full refund.",
        "Your refund was issued.",
        "You have been given a refund.",
        "I've arranged a refund for you.",
        "I've issued you a refund.",
        "Your money is back on your card.",
        "Your refund has been sent.",
        "I have put through your refund.",
        "The refund's been issued.",
        "The order's been cancelled.",
        "I've now cancelled that for you.",
        "We cancelled your order.",
        "Your booking is cancelled.",
        "I have already refunded the full amount.",
        "Good news: it has been refunded!",
        "I've transferred you to a human agent.",
        "You have been connected to a human agent.",
        "I have alerted my supervisor.",
        "I've put you through to a colleague.",
        "A human agent has been notified.",
        "I've locked your account.",
        "I've frozen your card.",
        "I have upgraded your shipping.",
        "Your parcel has been delivered.",
        "Your order is shipped.",
        "Your order was shipped yesterday.",
        "Your order has already been shipped.",
        "The parcel is on its way to you.",
        "Your order was refunded on Monday.",
        "Ya he cancelado su pedido.",
        "El reembolso ha sido procesado.",
        "Su pedido fue cancelado.",
        "El pedido queda cancelado.",
        "Su caso ya está cerrado.",
        "Le hemos devuelto el dinero.",
        "Ya le he reembolsado.",
        "Se le ha reembolsado el importe.",
        "Hemos cancelado su pedido.",
        "Su pedido ha sido enviado.",
        "He bloqueado su tarjeta.",
        "He transferido su caso a un compañero.",
        "退款已处理。",
        "已帮您取消订单。",
        "您的退款已经成功。",
        "您的订单已经取消了。",
        "我已为您申请退款。",
        "已经给您退款了。",
        "款项已退回您的卡。",
        "已经转给人工客服了。",
        "订单已发货。",
        "您的包裹已送达。",
        "I did cancel it.",
        "I have stopped the order.",
        "The order has been withdrawn.",
        "Your subscription has been terminated.",
        "I've extended your warranty.",
        "I have applied a discount of 49.90.",
        "Your payment has been reversed.",
        "We have returned your money.",
        "I've credited your account.",
        "Your address is updated.",
        "Your address is now updated.",
        "I have fixed the problem with your card.",
        "I've filed a complaint.",
        "Your complaint has been filed.",
        "I've scheduled a pickup.",
        "A pickup has been scheduled.",
        "Your replacement has been ordered.",
        "A replacement has been sent.",
        "I have refunded it and sent you an e-mail.",
        "Refund of forty-nine ninety issued.",
        "Consider it refunded.",
        "✅ Refund completed",
        "All done, refund processed for 49.90!",
        "Refunded: 49.90",
        "A refund of 49.90 euros was sent to your bank by our finance team.",
        "- Refund of 49.90 issued",
        "Consider your order cancelled.",
        "A refund of 49.90 was issued.",
        "Refund processed for 49.90.",
    ],
)
def test_what_was_not_done_is_found(reply):
    assert set(codes(reply, look())) == {"KN4"}


NOTHING_DONE = [
    "I have changed nothing.",
    "I made no changes.",
    "I have made no changes to your order.",
    "I have made absolutely no changes.",
    "I've cancelled nothing.",
    "I have cancelled none of your orders.",
    "We refunded neither of them.",
    "I have charged you nothing.",
    "I've given you no refund.",
    "I blocked no card.",
    "I looked at your order and changed nothing.",
    "I have applied zero changes.",
    "I have changed nothing else.",
    "Your card has been charged nothing.",
    "No changes were made.",
    "No se ha cancelado nada.",
    "Nada se ha cancelado.",
    "Ninguna orden fue cancelada.",
    "我没有取消任何订单。",
    "没有任何订单被取消。",
]


@pytest.mark.parametrize("reply", NOTHING_DONE)
def test_a_deed_done_to_nothing_is_no_claim(reply):
    assert codes(reply, look()) == []


@pytest.mark.parametrize(
    "reply",
    [
        "I have changed nothing but your address.",
        "I have cancelled no fewer than three orders.",
        "I looked at nothing else and cancelled it.",
        "I made no changes to your address and cancelled your order.",
        "I have cancelled order no. 7 of yours.",
    ],
)
def test_a_deed_with_a_no_that_denies_nothing_is_a_claim(reply):
    assert "KN4" in codes(reply, look())


@pytest.mark.parametrize(
    "reply",
    [
        "Your order will be cancelled.",
        "Shall I cancel it?",
        "Once it is cancelled you get an e-mail.",
        "If it has been refunded, you will see it soon.",
        "Your order has not been cancelled.",
        "Is your order cancelled?",
        'You said "my order is cancelled already".',
        "You said your order was delivered.",
        "You told me that it was refunded.",
        "Orders are cancelled.",
        "I can cancel it.",
        "Your order is not cancelled.",
        "Refunds are issued to the card.",
        "Your order can be cancelled until it is shipped.",
        "The amount is refunded to the original card.",
        "Would you like it to be cancelled?",
        "I'm going to cancel it.",
        "Let me get it refunded.",
        "I haven't refunded it.",
        "It hasn't been delivered yet.",
        "It was never delivered.",
        "No se ha cancelado.",
        "Los domingos está cerrado.",
        "La tienda ahora está abierta.",
        "¿Quiere que lo cancele?",
        "Si se ha cancelado, avíseme.",
        "Se cancelará mañana.",
        "Cuando se haya reembolsado lo verá.",
        "如果已经退款，您会收到邮件。",
        "还没有退款。",
        "是否已取消？",
        "要我为您取消吗？",
        "退款后会到账。",
        "Su pedido no ha sido entregado.",
        "已退款的订单不能取消。",
        "After your order is delivered you have 30 days.",
        "Has it been delivered?",
        "I understand that you want your order cancelled.",
        "I have found your order.",
        "I've noted your request.",
        "I have looked into it.",
        "I've checked your order.",
        "I can see that it's been a long wait.",
        "You have 30 days.",
        "Thanks for letting me know that it's broken.",
        "An order is refunded when the item is back.",
        "Was your order delivered?",
        "Your order should be delivered soon.",
        "Your order is due to be delivered.",
        "Your order is being cancelled.",
        "To get it cancelled, tell me the number.",
        "I'd like to have it cancelled for you; is that all right?",
        "An item that is delivered broken is refunded.",
        "Once I have cancelled it, you get an e-mail.",
        "Before I have refunded it I need a yes.",
        "Nothing has been cancelled.",
        "It would have been refunded.",
        "I could have cancelled it.",
        "Unless it is cancelled, it ships tomorrow.",
        "I wish I had refunded it.",
        "I've never cancelled it.",
        "Do you want me to confirm it's cancelled?",
        "I've asked a colleague?",
        "You can see it once it has been delivered.",
        "I've reviewed your order and it can be cancelled.",
        "I have your order here.",
        "I've taken a look at it.",
        "Your order is eligible for a refund.",
        "I was not able to cancel it.",
        "I wasn't able to cancel it.",
        "I failed to cancel it.",
        "Refunded orders can't be cancelled.",
        "It looks like it hasn't been shipped.",
        "The order is ready to be shipped.",
        "I've understood your request.",
        'You wrote: "It is cancelled already."',
        "The rule is that it's refunded once it's back.",
        "The order must be delivered first.",
        "Your refund is being processed.",
        "Your refund is pending.",
        "I am cancelling it now.",
        "Let me know if it's been delivered.",
        "Please tell me whether it was delivered.",
        "Please confirm that your order was delivered.",
        "When was it delivered?",
        "Did it get cancelled?",
        "Puedo cancelarlo.",
        "¿Se ha cancelado?",
        "Todavía no se ha cancelado.",
        "Será reembolsado pronto.",
        "Me dice que se ha cancelado.",
        "您想取消订单吗？",
        "我可以为您退款。",
        "订单尚未取消。",
        "如果订单已取消，则无法退款。",
        "取消后会退款。",
        "正在为您退款。",
        "I've got good news.",
        "Until it is shipped it can be cancelled.",
        "It can only be cancelled before it is shipped.",
        "I have to ask a colleague.",
        "Have you received the parcel?",
        "Since your order has not been shipped, I can cancel it.",
        "What is your order's number, and is it delivered?",
        "I've seen that you are upset.",
        "Only an order that is paid can be cancelled.",
        "The order has to be paid.",
        "You said it's been delivered.",
        "Refund processed: no.",
        "- Order cancelled: full refund",
        "Order cancelled in time: no fee.",
        "Refunded orders: 2",
        "Would you consider it refunded?",
        "Please do not consider it refunded.",
        "- Refund (pending)",
    ],
)
def test_promises_questions_negations_rules_and_quotes_claim_nothing(reply):
    assert codes(reply, look()) == []


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        ("I have updated the status to cancelled.", refund()),
        ("I have changed your address.", cancel()),
        ("I have ordered a replacement.", cancel()),
        ("I've blocked your card.", refund()),
        ("The money has been returned.", escalate()),
        ("I have cancelled order O-2002.", cancel()),
        ("Order O-2002 has been cancelled.", cancel()),
    ],
)
def test_another_deed_is_not_the_one_claimed(reply, made):
    assert codes(reply, made) == ["KN4"]


def test_what_the_user_tells_of_a_thing_may_be_said_again():
    assert codes("I'm sorry that it was delivered late.", look(), asked="It was delivered late.") == []
    assert codes("It was delivered.", look(), asked="It was never delivered.") == ["KN4"]
    assert codes("I see that your order was cancelled.", look(), asked="My order was cancelled.") == []
    assert codes("I have cancelled it.", look(), asked="My order was cancelled.") == ["KN4"]


def test_a_status_that_the_state_does_not_know_is_no_claim():
    shop = material(start={})
    score = faithfulness.score(episode("Hi.", said("The parcel was delivered.")), shop)["faithfulness"]
    assert score.findings == ()


@pytest.mark.parametrize(
    "reply",
    [
        "Order O-1001 was delivered 8 days ago; you are 22 days inside the window.",
        "You are 22 days inside the refund window of 30 days after delivery.",
    ],
)
def test_durations_that_two_known_ones_give(reply):
    assert codes(reply, look("delivered", "2026-11-12")) == []


@pytest.mark.parametrize(
    "reply",
    [
        "You are 21 days inside the window.",
        "You have 44 days to ask for a refund.",  # 30 and 14 are two windows of the policy
        "You have 60 days to ask for a refund.",
    ],
)
def test_durations_that_they_do_not_give(reply):
    assert codes(reply, look("delivered", "2026-11-12")) == ["KN3"]
