"""A small shop that the tests of the sandbox share."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from tools_sandbox import Row, Sandbox, StartState, Table, ToolError, invariant, private, reads, tool, writes
from tools_sandbox.opened import OpenSandbox

CLOCK = datetime(2026, 11, 20, 9, tzinfo=UTC)


class Item(Row):
    sku: str
    qty: int = 1


class Order(Row):
    order_id: str
    customer_id: str
    status: Literal["placed", "delivered", "refunded"]
    total: Decimal
    delivered_on: date | None = None
    items: list[Item] = []
    tags: dict[str, str] = {}
    address: Annotated[str | None, private(owner="customer_id")] = None


class Customer(Row):
    customer_id: str
    email: Annotated[str, private(owner="customer_id")]


class Refund(Row):
    refund_id: str
    order_id: str
    amount: Decimal


class Shop(Sandbox):
    orders: Table[Order]
    customers: Table[Customer]
    refunds: Table[Refund]

    @classmethod
    def start(cls) -> dict[str, Any]:
        return {
            "orders": [
                Order(
                    order_id="O-1", customer_id="C-1", status="delivered", total=Decimal("49.90"), items=[Item(sku="B")]
                ),
                Order(order_id="O-2", customer_id="C-1", status="placed", total=Decimal("10")),
                Order(order_id="O-3", customer_id="C-2", status="placed", total=Decimal("5")),
            ],
            "customers": {"C-1": {"email": "ana@example.com"}, "C-2": {"email": "ben@example.com"}},
        }

    @tool(reads, proves="customer_id")
    def verify_identity(self, email: str) -> dict[str, str | None]:
        """Check who is talking.

        Args:
            email: The address of the account.
        """
        found = self.customers.where(email=email)
        return {"customer_id": found[0].customer_id if found else None}

    @tool(reads)
    def get_order(self, order_id: str) -> Order:
        """Look an order up."""
        if order_id not in self.orders:
            raise ToolError(f"there is no order {order_id}")
        return self.orders[order_id]

    @tool(writes, needs=("identity", "consent"))
    def issue_refund(self, order_id: str, amount: Decimal, note: str | None = None) -> Refund:
        """Refund money for an order."""
        refund = self.refunds.insert(Refund(refund_id=self.new_id("R"), order_id=order_id, amount=amount))
        self.orders.update(order_id, status="refunded")
        if amount > 100:
            raise ToolError("more than 100 needs a person")
        return refund

    @tool(writes, ends="escalated")
    def escalate(self) -> None:
        """Hand over to a person."""

    @tool(reads, retrieves=True)
    def search_policy(self, query: str) -> list[dict[str, str]]:
        """Search the policy."""
        return [{"source": "refunds.md", "clause": "R1", "text": f"About {query}."}]

    @tool(writes)
    def break_halfway(self, order_id: str) -> None:
        """A tool that is broken."""
        self.orders.delete(order_id)
        self.new_id("R")
        raise RuntimeError("secret detail")

    @tool(writes)
    def spoil_in_place(self, order_id: str) -> None:
        """A tool that changes a shared row in place."""
        self.orders[order_id].items.append(Item(sku="X"))

    @tool(reads)
    def write_while_reading(self) -> None:
        """A tool with a wrong mark."""
        self.orders.delete("O-1")

    @tool(reads)
    def spill(self, size: int) -> str:
        """Give a long answer."""
        return "x" * size

    @invariant
    def refunds_within_total(self) -> bool:
        return all(refund.amount <= self.orders[refund.order_id].total for refund in self.refunds.values())


START = StartState.of(Shop)


def opened(given: dict[str, Any] | None = None, **options: Any) -> OpenSandbox:
    return START.open(given or {}, CLOCK, **options)
