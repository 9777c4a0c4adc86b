"""Stateful simulated tools.

A sandbox is a class: its tables are annotations, its tools are methods. Every episode gets its own, so that nothing of
one conversation is seen in the next.

Example:
    >>> from datetime import UTC, datetime
    >>> from decimal import Decimal
    >>> from tools_sandbox import Row, Sandbox, StartState, Table, ToolError, reads, tool, writes
    >>>
    >>> class Order(Row):
    ...     order_id: str
    ...     status: str
    ...     total: Decimal
    >>>
    >>> class Shop(Sandbox):
    ...     orders: Table[Order]
    ...
    ...     @classmethod
    ...     def start(cls):
    ...         return {"orders": [Order(order_id="O-1", status="delivered", total="49.90")]}
    ...
    ...     @tool(reads)
    ...     def get_order(self, order_id: str) -> Order:
    ...         '''Look an order up.'''
    ...         if order_id not in self.orders:
    ...             raise ToolError(f"there is no order {order_id}")
    ...         return self.orders[order_id]
    ...
    ...     @tool(writes, needs=("identity", "consent"))
    ...     def refund(self, order_id: str) -> Order:
    ...         '''Give the money for an order back.'''
    ...         return self.orders.update(order_id, status="refunded")
    >>>
    >>> start = StartState.of(Shop)
    >>> shop = start.open({"orders.O-1.total": "59.90"}, clock=datetime(2026, 11, 20, tzinfo=UTC))
    >>> shop.call("refund", '{"order_id": "O-1"}', turn=1).result
    {'order_id': 'O-1', 'status': 'refunded', 'total': '59.90'}
    >>> shop.value("orders.O-1.status")
    'refunded'
    >>> shop.call("get_order", {"order_id": "O-2"}, turn=1).error
    CallError(kind='refused', text='there is no order O-2')
"""

from typing import TYPE_CHECKING

from tools_sandbox.lazy import lazily

if TYPE_CHECKING:
    from tools_sandbox.marks import ToolError, invariant, reads, tool, writes
    from tools_sandbox.problem import SandboxProblem
    from tools_sandbox.rows import Row, as_written, private
    from tools_sandbox.sandbox import Sandbox
    from tools_sandbox.start import StartState
    from tools_sandbox.table import Table

__all__ = [
    "Row",
    "Sandbox",
    "SandboxProblem",
    "StartState",
    "Table",
    "ToolError",
    "as_written",
    "invariant",
    "private",
    "reads",
    "tool",
    "writes",
]

__getattr__ = lazily(
    __name__,
    {
        "Row": "rows",
        "as_written": "rows",
        "private": "rows",
        "Sandbox": "sandbox",
        "SandboxProblem": "problem",
        "StartState": "start",
        "Table": "table",
        "ToolError": "marks",
        "invariant": "marks",
        "reads": "marks",
        "tool": "marks",
        "writes": "marks",
    },
)
