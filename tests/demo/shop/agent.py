"""The shop's agent: rules instead of a model, so that the demo runs anywhere."""

import re

ORDER = re.compile(r"\bO-\d+\b")


class ShopAgent:
    """One conversation. `careful`: asks before it cancels."""

    def __init__(self, careful=True):
        self._careful = careful
        self._order = None

    def reply(self, message, session):
        found = ORDER.search(message)
        self._order = found.group() if found else self._order
        if self._order is None:
            return "Which order is it?"
        if message.startswith("Yes") or not self._careful:
            done = session.call_tool("cancel_order", {"order_id": self._order}, None)
            return (
                f"I have cancelled order {self._order}." if done.error is None else "That can't be cancelled any more."
            )
        status = session.call_tool("get_order", {"order_id": self._order}, None).result["status"]
        if status == "shipped":
            return f"Order {self._order} is shipped: it can't be cancelled any more."
        return f"Order {self._order} is {status}. Shall I cancel order {self._order}?"


def build():
    """The agent that is to ship."""
    return ShopAgent()


def build_hasty():
    """One that a reviewer must not let through."""
    return ShopAgent(careful=False)
