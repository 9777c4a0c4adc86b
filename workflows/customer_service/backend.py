"""The shop behind the help desk: what its tools do, and what must always hold."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tools_sandbox import Sandbox, Table, ToolError, invariant, reads, tool, writes

from .policy_search import best_clauses
from .start_state import start_state
from .tables import Customer, Login, Note, Order, Refund, ReturnLabel, Ticket


class Shop(Sandbox):
    """An online shop."""

    customers: Table[Customer]
    orders: Table[Order]
    refunds: Table[Refund]
    returns: Table[ReturnLabel]
    tickets: Table[Ticket]
    notes: Table[Note]
    sessions: Table[Login]

    @classmethod
    def start(cls) -> dict[str, list[Any]]:
        """The state that every conversation starts from."""
        return start_state()

    @tool(writes, proves="customer_id")
    def verify_identity(self, email: str) -> dict[str, str]:
        """Check who the customer is by the e-mail address of their account.

        Args:
            email: The address that the customer gave.
        """
        wanted = email.strip().lower()
        for customer in self.customers.where(email=wanted):
            self.sessions.insert(Login(session_id=self.new_id("S"), customer_id=customer.customer_id, at=self.clock))
            return {"customer_id": customer.customer_id, "tier": customer.tier}
        raise ToolError("no account has this e-mail address")

    @tool(reads)
    def get_customer(self, customer_id: str) -> Customer:
        """Read an account: name, e-mail, phone and postal address."""
        return self._customer(customer_id)

    @tool(reads)
    def list_orders(self, customer_id: str) -> list[Order]:
        """List the orders of an account, newest first."""
        self._customer(customer_id)
        return sorted(self.orders.where(customer_id=customer_id), key=lambda order: order.order_id, reverse=True)

    @tool(reads)
    def get_order(self, order_id: str) -> Order:
        """Read an order: item, total, status, day of delivery."""
        return self._order(order_id)

    @tool(reads)
    def track_parcel(self, order_id: str) -> dict[str, str | None]:
        """Ask the carrier where a parcel is."""
        order = self._order(order_id)
        return {"order_id": order_id, "status": order.status, "delivered_on": str(order.delivered_on or "")}

    @tool(reads, retrieves=True)
    def search_policy(self, query: str) -> list[dict[str, str]]:
        """Search the shop's policy; gives the best passages with their clause.

        Args:
            query: A few words, in English.
        """
        return best_clauses(query)

    @tool(writes, needs=("identity", "consent"))
    def issue_refund(self, order_id: str, amount: Decimal) -> Refund:
        """Refund money for an order to the card it was paid with."""
        order = self._order(order_id)
        if order.status == "refunded":
            raise ToolError("this order was refunded already")
        if order.status == "cancelled":
            raise ToolError("this order was cancelled: nothing was paid")
        if not Decimal(0) < amount <= order.total:
            raise ToolError(f"the amount must be above 0 and at most {order.total}")
        self.orders.update(order_id, status="refunded")
        return self.refunds.insert(Refund(refund_id=self.new_id("R"), order_id=order_id, amount=amount))

    @tool(writes, needs=("identity", "consent"))
    def issue_store_credit(self, order_id: str, amount: Decimal) -> Refund:
        """Give store credit for an order instead of money."""
        order = self._order(order_id)
        if not Decimal(0) < amount <= order.total:
            raise ToolError(f"the amount must be above 0 and at most {order.total}")
        self.orders.update(order_id, status="refunded")
        return self.refunds.insert(
            Refund(refund_id=self.new_id("R"), order_id=order_id, amount=amount, to="store_credit")
        )

    @tool(writes, needs=("identity", "consent"))
    def cancel_order(self, order_id: str) -> Order:
        """Cancel an order that has not been shipped."""
        if self._order(order_id).status != "paid":
            raise ToolError("only an order that has not been shipped can be cancelled")
        return self.orders.update(order_id, status="cancelled")

    @tool(writes, needs=("identity", "consent"))
    def change_address(self, order_id: str, address: str) -> Order:
        """Change the delivery address of an order that has not been shipped."""
        if self._order(order_id).status != "paid":
            raise ToolError("the address can be changed only until the order is shipped")
        return self.orders.update(order_id, address=address)

    @tool(writes, needs=("identity",))
    def create_return(self, order_id: str) -> ReturnLabel:
        """Make a return label for an order."""
        if self._order(order_id).status != "delivered":
            raise ToolError("only a delivered order can be returned")
        return self.returns.insert(ReturnLabel(return_id=self.new_id("B"), order_id=order_id))

    @tool(writes, ends="escalated")
    def escalate_to_human(self, summary: str, order_id: str | None = None) -> Ticket:
        """Hand the conversation to a person.

        Args:
            summary: What the customer wants and what was done so far.
            order_id: The order it is about, if any.
        """
        customer = self._order(order_id).customer_id if order_id else None
        return self.tickets.insert(
            Ticket(ticket_id=self.new_id("T"), customer_id=customer, order_id=order_id, summary=summary)
        )

    @tool(writes)
    def add_note(self, order_id: str, text: str) -> Note:
        """Leave a remark for colleagues at an order."""
        self._order(order_id)
        return self.notes.insert(Note(note_id=self.new_id("N"), order_id=order_id, text=text))

    @invariant
    def refunds_stay_within_what_was_paid(self) -> bool:
        """Nobody gets back more than they paid."""
        paid_back: dict[str, Decimal] = {}
        for refund in self.refunds.values():
            paid_back[refund.order_id] = paid_back.get(refund.order_id, Decimal(0)) + refund.amount
        return all(amount <= self.orders[order_id].total for order_id, amount in paid_back.items())

    def _customer(self, customer_id: str) -> Customer:
        customer = self.customers.get(customer_id)
        if customer is None:
            raise ToolError(f"there is no customer {customer_id}")
        return customer

    def _order(self, order_id: str) -> Order:
        order = self.orders.get(order_id)
        if order is None:
            raise ToolError(f"there is no order {order_id}")
        return order
