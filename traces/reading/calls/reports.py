"""What other spans than its own report of a model call: counts of a response, or which response has these counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from traces.genai import Usage
from traces.reading.tree.forest import Node

_Counts = tuple[str, int, int]


class Reports:
    """Those among spans of the kind `other`."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._usages: dict[str, Usage | None] = {}
        self._models: dict[_Counts, set[tuple[str, str]]] = {}
        for node in nodes:
            facts = node.facts
            if facts.kind == "other" and facts.response_id is not None:
                self._usages[facts.response_id] = facts.usage
                if facts.response_model is not None and (counts := _counts(node, facts.usage)) is not None:
                    self._models.setdefault(counts, set()).add((facts.response_id, facts.response_model))

    def __bool__(self) -> bool:
        return bool(self._usages)

    def usage(self, response: str | None) -> Usage | None:
        """The token counts of a response, by its id."""
        return None if response is None else self._usages.get(response)

    def name(self, models: Sequence[Node]) -> None:
        """Gives the spans of model calls the response that alone has their counts in their trace, if they name none
        themselves, and the model is the same, or a version of it; not where several calls have these counts.
        """
        if not self._models:
            return
        counted = [(node, counts) for node in models if (counts := _counts(node, node.facts.usage)) in self._models]
        calls = Counter([(node.span.scope, counts) for node, counts in counted if node.model is None])
        several = {counts for (_, counts), number in calls.items() if number > 1}
        for node, counts in counted:
            found = self._models[counts]
            if len(found) == 1 and node.facts.response_id is None and counts not in several:
                ((response, model),) = found
                if model.startswith(node.facts.response_model or node.facts.model or ""):
                    node.facts.response_id, node.facts.response_model = response, model


def _counts(node: Node, usage: Usage | None) -> _Counts | None:
    return None if usage is None else (node.span.trace_id, usage.input, usage.output)
