"""A small domain in the form of τ²-bench's package and files, `shop`, for where the package itself is not."""

from __future__ import annotations

import json
import sys

import pytest

_TOOLS = '''
from enum import Enum
from pydantic import BaseModel


class Item(BaseModel):
    name: str
    price: int


class Order(BaseModel):
    status: str
    order_id: str
    items: list[Item]
    note: str | None = None


class Shop(BaseModel):
    orders: dict[str, Order]
    motto: str = ""


class ToolType(str, Enum):
    READ = "read"
    WRITE = "write"
    GENERIC = "generic"


class ShopTools:
    kinds = {"get_order": "read", "count_orders": "read", "cancel_order": "write", "copy_order": "write",
             "forget_order": "write", "break_order": "write", "transfer_to_human_agents": "generic"}

    def __init__(self, db: Shop) -> None:
        self.db = db

    @property
    def tools(self):
        return {name: getattr(self, name) for name in self.kinds}

    def tool_type(self, name):
        return ToolType(self.kinds[name])

    def get_order(self, order_id: str) -> Order:
        """Look an order up.

        Args:
            order_id: The order id, such as '#W1'.
        """
        if order_id not in self.db.orders:
            raise ValueError("Order not found")
        order = self.db.orders[order_id]
        order.note = "seen"
        return order

    def count_orders(self, status: str) -> int:
        """Count the orders of a status."""
        return sum(order.status == status for order in self.db.orders.values())

    def cancel_order(self, order_id: str, items: list[Item | dict]) -> Order:
        """Cancel an order."""
        order = self.db.orders[order_id]
        order.status = "cancelled"
        order.items.append(Item(name="fee", price=1))
        return order

    def copy_order(self, order_id: str) -> str:
        """Copy an order."""
        self.db.orders["#W9"] = self.db.orders[order_id].model_copy(update={"order_id": "#W9"})
        return "copied"

    def forget_order(self, order_id: str) -> int:
        """Forget an order."""
        del self.db.orders[order_id]
        return len(self.db.orders)

    def break_order(self, order_id: str) -> str:
        """Change an order and fail."""
        self.db.orders[order_id].status = "broken"
        raise RuntimeError("no such luck")

    def transfer_to_human_agents(self, summary: str) -> str:
        """Transfer to a person."""
        return "Transfer successful"
'''
_LOGURU = "class logger:\n    disable = staticmethod(lambda name: None)\n"

ORDERS = {
    "#W1": {"order_id": "#W1", "status": "pending", "items": [{"name": "lamp", "price": 20}]},
    "#W2": {"order_id": "#W2", "status": "delivered", "items": []},
}
TASKS = [
    {
        "id": "0",
        "description": {"purpose": "An order is cancelled."},
        "user_scenario": {
            "instructions": {
                "reason_for_call": "You want to cancel your order #W1. The shop told you that you can.",
                "known_info": "You are Ana Ruiz in zip code 12345.",
                "unknown_info": "You do not remember your email address.",
                "task_instructions": "You are terse.",
            }
        },
        "evaluation_criteria": {
            "actions": [
                {"name": "get_order", "arguments": {"order_id": "#W1"}},
                {"name": "cancel_order", "arguments": {"order_id": "#W1", "items": []}},
            ],
            "communicate_info": ["20"],
            "nl_assertions": ["The agent is kind."],
        },
    },
    {
        "id": 1,
        "user_scenario": {"instructions": "You ask how many orders there are."},
        "evaluation_criteria": {
            "actions": [
                {"name": "count_orders", "arguments": {"status": "pending"}},
                {"name": "get_weather", "arguments": {}},
                {"name": "look_at_screen", "arguments": {}, "requestor": "user"},
            ]
        },
        "initial_state": {"orders": {}},
    },
]
_KINDS = {"get_order": "read", "count_orders": "read", "cancel_order": "write", "copy_order": "write"}
TOOLS = [{"type": "function", "function": {"name": name}, "tool_type": kind} for name, kind in _KINDS.items()]


def write_files(folder, **other):
    """The domain's files, `other` in their place by name; None leaves one out."""
    folder.mkdir(parents=True)
    texts = {"tasks": json.dumps(TASKS), "tools": json.dumps(TOOLS), "db": json.dumps({"orders": ORDERS, "motto": ""})}
    for name, text in {**texts, **other}.items():
        if text is not None:
            (folder / f"{name}.json").write_text(text, "utf-8")
    (folder / "policy.md").write_text("# Policy\n\nThe current time is 2024-05-15 15:00:00 EST.\n", "utf-8")
    return folder


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The package, importable as `tau2` during the test."""
    there = tmp_path / "site" / "tau2" / "domains" / "shop"
    there.mkdir(parents=True)
    for folder in (there, there.parent, there.parent.parent):
        (folder / "__init__.py").touch()
    (there / "tools.py").write_text(_TOOLS, "utf-8")
    (tmp_path / "site" / "loguru.py").write_text(_LOGURU, "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    for name in [name for name in sys.modules if name.split(".")[0] in ("tau2", "loguru")]:
        monkeypatch.delitem(sys.modules, name)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("tau2", "loguru"):
            del sys.modules[name]
