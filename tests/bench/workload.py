"""The conversation that is measured, for the floor and for the product: five lines, five tools, five replies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Exchange:
    """One turn: what the user says, the tool that the agent calls, and what it then replies."""

    line: str
    tool: str
    arguments: dict[str, str]
    reply: str


EXCHANGES = (
    Exchange("Hi, where is my order {order}?", "get_order", {}, "Order {order} is pending and ships to 1 Old Street."),
    Exchange(
        "Please send it to 22 New Road instead.",
        "set_address",
        {"address": "22 New Road"},
        "Done. Order {order} now ships to 22 New Road.",
    ),
    Exchange(
        "Add a gift note saying happy birthday.",
        "set_note",
        {"note": "happy birthday"},
        "I added the gift note to order {order}.",
    ),
    Exchange(
        "Switch it to express delivery.",
        "set_shipping",
        {"method": "express"},
        "Order {order} now uses express delivery.",
    ),
    Exchange(
        "Great, please confirm the order.",
        "confirm_order",
        {},
        "Your order {order} is confirmed. Reference CONF-{number}.",
    ),
)
START = {"status": "pending", "address": "1 Old Street", "note": "", "shipping": "standard"}
END = {"status": "confirmed", "address": "22 New Road", "note": "happy birthday", "shipping": "express"}
REFERENCE = r"Reference CONF-\d{6}\."
FORBIDDEN = "credit card number"
MOST_TURNS = 6

CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "none",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
}
"""Attributes of the span of each model call."""


def order_id(number: int) -> str:
    """Every episode of the floor, and every scenario of the product, has an order of its own."""
    return f"W{number:06d}"
