from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Any

from tools_sandbox import Row, Sandbox, Table, ToolError, private, reads, tool, writes


class Customer(Row):
    customer_id: str
    email: Annotated[str, private(owner="customer_id")]


class Order(Row):
    order_id: str
    customer_id: str
    status: str
    total: Decimal
    delivered_on: date | None = None


class Refund(Row):
    refund_id: str
    order_id: str
    amount: Decimal


class Note(Row):
    note_id: str
    text: str


class Shop(Sandbox):
    customers: Table[Customer]
    orders: Table[Order]
    refunds: Table[Refund]
    notes: Table[Note]
    sessions: Table[Note]

    @classmethod
    def start(cls) -> dict[str, Any]:
        return {
            "customers": [Customer(customer_id="C-7", email="ana@example.com")],
            "orders": [Order(order_id="O-1001", customer_id="C-7", status="shipped", total=Decimal("12.00"))],
        }

    @tool(writes, proves="customer_id")
    def verify_identity(self, email: str) -> dict[str, str]:
        """Check who is talking."""
        for customer in self.customers.where(email=email):
            return {"customer_id": customer.customer_id}
        raise ToolError("no such account")

    @tool(reads)
    def get_order(self, order_id: str) -> Order:
        """Read an order."""
        return self.orders[order_id]

    @tool(writes, needs=("identity", "consent"))
    def issue_refund(self, order_id: str, amount: Decimal) -> Refund:
        """Refund an order."""
        self.orders.update(order_id, status="refunded")
        return self.refunds.insert(Refund(refund_id=self.new_id("R"), order_id=order_id, amount=amount))

    @tool(writes, ends="escalated")
    def escalate_to_human(self, summary: str) -> dict[str, bool]:
        """Hand over to a person."""
        return {"ok": True}
