"""The token counts of agents' spans, which are sums, held against those of the model calls below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from traces.reading.forest import Node
from traces.reading.model_calls import Call

_OF_A_LIFE = frozenset({"strands"})
"""Dialects whose sums are over all that an agent ever did."""

_Sum = tuple[int, int]


def contradictions(agents: Sequence[Node], calls: Iterable[Call]) -> Iterator[str]:
    """A sentence on each of these agents' spans whose sum is not that of its own calls, nor of all calls below it.

    Nor the last call's alone, as the AI SDK had it for a while.

    Agents below which a call gives no counts are left out, for there the sum may well be more.
    """
    own: dict[Node, _Sum] = {}
    whole: dict[Node, _Sum | None] = {}
    last: dict[Node, _Sum | None] = {}
    for call in calls:
        above, nearest = call.node.parent, True
        while above is not None:
            if above.facts.kind == "agent":
                if nearest:
                    own[above] = _plus(own.get(above, (0, 0)), call) or (0, 0)
                whole[above] = _plus(whole.get(above, (0, 0)), call)
                last[above] = _plus((0, 0), call)
                nearest = False
            above = above.parent
    for agent in agents:
        told, below = agent.facts.usage, whole.get(agent)
        if told is None or below is None or agent.facts.dialect in _OF_A_LIFE:
            continue
        if (told.input, told.output) not in (below, own.get(agent), last.get(agent)):
            yield (
                f"the agent's span `{agent.span.name}` counts {told.input} input and {told.output} output tokens, the"
                f" model calls below it {below[0]} and {below[1]}: some calls did not come, or are told twice"
            )


def _plus(total: _Sum | None, call: Call) -> _Sum | None:
    """The sum with this call's tokens; None once it can't be known."""
    if total is None or call.usage is None:
        return None
    return total[0] + call.usage.input, total[1] + call.usage.output
