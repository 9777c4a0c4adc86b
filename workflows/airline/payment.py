"""Paying: for a booking with several methods, for a change of one with a single method."""

from __future__ import annotations

from .editions import Tau
from .tables import Amount, PaymentMethods, Payments, User


def pay_booking(user: User, payments: Payments, price: Amount, edition: Tau) -> PaymentMethods:
    """What is left of the user's payment methods after a booking: of a gift card the rest, of a certificate nothing.

    Raises ToolError unless each payment is covered, and all of them together are the price.
    """
    left = dict(user.payment_methods)
    for payment in payments:
        if payment["payment_id"] not in left:
            raise edition.no(f"payment method {payment['payment_id']} not found")
        method = left[payment["payment_id"]]
        if method["source"] != "credit_card" and payment["amount"] > method["amount"]:
            raise edition.no(f"not enough balance in payment method {payment['payment_id']}")
    paid = sum(payment["amount"] for payment in payments)
    if paid != price:
        raise edition.no(f"payment amount does not add up, total price is {price}, but paid {paid}")
    for payment in payments:
        method = left[payment["payment_id"]]
        if method["source"] == "certificate":
            del left[payment["payment_id"]]
        elif method["source"] == "gift_card":
            left[payment["payment_id"]] = {**method, "amount": method["amount"] - payment["amount"]}
    return left


def pay_change(user: User, payment_id: str, price: Amount, edition: Tau) -> PaymentMethods:
    """What is left of the user's payment methods after a change of a reservation; a price below zero is given back.

    Raises ToolError for a certificate, and for a gift card with too little on it.
    """
    if payment_id not in user.payment_methods:
        raise edition.no("payment method not found")
    method = user.payment_methods[payment_id]
    if method["source"] == "certificate":
        raise edition.no("certificate cannot be used to update reservation")
    if method["source"] == "credit_card":
        return user.payment_methods
    if price > method["amount"]:
        raise edition.no("gift card balance is not enough")
    return {**user.payment_methods, payment_id: {**method, "amount": method["amount"] - price}}
