"""A limit on the money that a run may spend on models."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from harness.llm.ledger import Ledger
from harness.llm.messages import Answer
from harness.llm.problem import CostStopError, ModelProblem
from traces.genai import Usage

Price = Callable[[str, Usage], Decimal | None]
"""What tokens of a model cost, in US dollars; None where that is not known."""


def unpriced(model: str, usage: Usage) -> None:
    """No price is known of anything."""


class Budget:
    """What may still be spent. Requests under way when it is used up are paid too: it may be exceeded by these."""

    def __init__(self, limit: Decimal, price: Price, ledger: Ledger) -> None:
        self._limit = limit
        self._price = price
        self._ledger = ledger

    def check(self, model: str) -> None:
        """Raises ModelProblem if nobody knows what the model costs."""
        if self._price(model, Usage(1, 1)) is None:
            raise ModelProblem(f"--max-cost can't be kept: the price table has no price of `{model}`; see `prices:`")

    def hold(self) -> None:
        """Raises CostStopError if nothing is left."""
        if (spent := self._ledger.spent) >= self._limit:
            raise CostStopError(f"models have cost {spent:.4f} USD, and --max-cost is {self._limit}: no more is asked")

    def pay(self, model: str, answer: Answer) -> None:
        """Count an answer. Raises ModelProblem if nobody knows what it has cost: then no limit can be kept."""
        if answer.usage is None:
            raise ModelProblem("--max-cost can't be kept: the provider does not tell how many tokens were used")
        cost = self._price(answer.model or model, answer.usage)
        if cost is None:
            cost = self._price(model, answer.usage)
        if cost is None:
            raise ModelProblem(f"--max-cost can't be kept: the price table has no price of `{answer.model or model}`")
        self._ledger.spend(cost)
