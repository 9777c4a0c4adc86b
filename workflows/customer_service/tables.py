"""The rows of the shop's tables."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from tools_sandbox import Row, private

Status = Literal["paid", "shipped", "delivered", "cancelled", "refunded"]


class Customer(Row):
    """An account."""

    customer_id: str
    name: Annotated[str, private(owner="customer_id")]
    email: Annotated[str, private(owner="customer_id")]
    phone: Annotated[str | None, private(owner="customer_id")] = None
    address: Annotated[str, private(owner="customer_id")]
    tier: Literal["standard", "gold"] = "standard"


class Order(Row):
    """An order of one item, paid with one card."""

    order_id: str
    customer_id: str
    item: str
    total: Decimal
    status: Status
    delivered_on: date | None = None
    address: Annotated[str, private(owner="customer_id")]
    card: Annotated[str, private(owner="customer_id")]


class Refund(Row):
    """Money sent back."""

    refund_id: str
    order_id: str
    amount: Decimal
    to: Literal["card", "store_credit"] = "card"


class ReturnLabel(Row):
    """A parcel on its way back."""

    return_id: str
    order_id: str


class Ticket(Row):
    """A conversation handed to a person."""

    ticket_id: str
    customer_id: str | None
    order_id: str | None
    summary: str


class Note(Row):
    """A remark for colleagues."""

    note_id: str
    order_id: str
    text: str


class Login(Row):
    """An account that was verified in this conversation."""

    session_id: str
    customer_id: str
    at: datetime
