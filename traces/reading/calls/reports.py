"""What other spans than its own report of a model call: counts of a response, or which response has these counts."""

from __future__ import annotations

from collections.abc import Iterable

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

    def name(self, node: Node) -> None:
        """Gives a model call's span the response that alone has its counts in its trace, if it names none itself, and
        the model is the same, or a version of it.
        """
        counts = _counts(node, node.facts.usage)
        found = self._models.get(counts, ()) if counts is not None else ()
        if len(found) == 1 and node.facts.response_id is None:
            ((response, model),) = found
            if model.startswith(node.facts.response_model or node.facts.model or ""):
                node.facts.response_id, node.facts.response_model = response, model


def _counts(node: Node, usage: Usage | None) -> _Counts | None:
    return None if usage is None else (node.span.trace_id, usage.input, usage.output)
