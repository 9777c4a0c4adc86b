"""What every conversation starts from: a few hundred customers and orders, invented, the same every time."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from .tables import Customer, Order, Status

CUSTOMERS = 240
_NAMED = {
    7: ("Ana Ruiz", "ana@example.com"),
    12: ("Ben Okafor", "ben@example.com"),
    21: ("Chidi Anagonye", "chidi@example.com"),
    33: ("Dana Levi", "dana@example.com"),
    48: ("Emre Kaya", "emre@example.com"),
    60: ("Farah Haddad", "farah@example.com"),
}
_ORDERS = {"O-1001": (7, "blender"), "O-1010": (12, "kettle"), "O-1020": (21, "coffee machine"), "O-1030": (33, "lamp"),
           "O-1040": (48, "scarf"), "O-1041": (48, "backpack"), "O-1050": (60, "book")}  # fmt: skip
_FIRST = ("Lena", "Omar", "Mei", "Jonas", "Ines", "Tomasz", "Aisha", "Pablo", "Ingrid", "Kwame", "Sofia", "Yusuf")
_LAST = (
    "Berg",
    "Costa",
    "Dubois",
    "Eriksen",
    "Fischer",
    "Garcia",
    "Horvat",
    "Ivanova",
    "Jansen",
    "Kim",
    "Lopez",
    "Moreau",
)
_STREETS = ("Quay Street", "Mill Lane", "Station Road", "Park Avenue", "Church Street", "Garden Row")
_TOWNS = ("8000 Bruges", "9000 Ghent", "2000 Antwerp", "3000 Leuven", "4000 Liege")
_ITEMS = ("tent", "jacket", "kettle", "lamp", "headphones", "rucksack", "toaster", "chair", "bottle", "bicycle pump")


def start_state() -> dict[str, list[Any]]:
    """Customers C-1 … and orders O-1001 …, the same every time: drawn with a fixed seed of their own."""
    draw = random.Random(20261120)  # noqa: S311  invented customers, not secrets
    customers = [_customer(number, draw) for number in range(1, CUSTOMERS + 1)]
    addresses = {customer.customer_id: customer.address for customer in customers}
    orders = []
    for number in range(1001, 1001 + 2 * CUSTOMERS):
        order_id = f"O-{number}"
        owner, item = _ORDERS.get(order_id, (draw.randint(61, CUSTOMERS), draw.choice(_ITEMS)))
        status: Status = draw.choice(("paid", "shipped", "delivered", "delivered"))
        orders.append(
            Order(
                order_id=order_id,
                customer_id=f"C-{owner}",
                item=item,
                total=Decimal(draw.randint(500, 25000)) / 100,
                status=status,
                delivered_on=date(2026, 11, 19) - timedelta(days=draw.randint(0, 60))
                if status == "delivered"
                else None,
                address=addresses[f"C-{owner}"],
                card=f"5500 0000 {draw.randint(0, 9999):04d} {draw.randint(0, 9999):04d}",
            )
        )
    return {"customers": customers, "orders": orders}


def _customer(number: int, draw: random.Random) -> Customer:
    name, email = _NAMED.get(number, (f"{draw.choice(_FIRST)} {draw.choice(_LAST)}", ""))
    return Customer(
        customer_id=f"C-{number}",
        name=name,
        email=email or f"{name.lower().replace(' ', '.')}.{number}@example.com",
        phone=f"+32 2 555 {draw.randint(0, 9999):04d}" if draw.random() < 0.8 else None,
        address="12 Quay Street, 8000 Bruges"
        if number == 60
        else f"{draw.randint(1, 199)} {draw.choice(_STREETS)}, {draw.choice(_TOWNS)}",
        tier="gold" if number in (21, 60) or draw.random() < 0.1 else "standard",
    )
