"""The token counts of agents' spans, which are sums, held against those of the model calls below them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from traces.reading.calls.model_calls import Call
from traces.reading.tree.forest import Node

_OF_A_LIFE = frozenset({"strands"})
"""Dialects whose sums are over all that an agent ever did."""

_Sum = tuple[int, int]


def contradictions(agents: Sequence[Node], calls: Iterable[Call]) -> Iterator[str]:
    """A sentence on each of these agents' spans whose sum is not that of its own calls, nor of all calls below it.

    Nor the last call's alone, as the AI SDK had it for a while.

    Agents below which a call gives no counts are left out, for there the sum may well be more.
    """
    below = _below(calls)
    for agent in agents:
        told, found = agent.facts.usage, below.get(agent)
        if told is None or found is None or found.all is None or agent.facts.dialect in _OF_A_LIFE:
            continue
        if (told.input, told.output) not in (found.all, found.own, found.last):
            yield (
                f"the agent's span `{agent.span.name}` counts {told.input} input and {told.output} output tokens, the"
                f" model calls below it {found.all[0]} and {found.all[1]}: some calls did not come, or are told twice"
            )


@dataclass(slots=True)
class _Below:
    """The tokens of an agent's own calls, of all calls below it, and of the last of these, which is at `place`; None
    where they can't be known.
    """

    own: _Sum | None = None
    all: _Sum | None = (0, 0)
    last: _Sum | None = None
    place: int = -1


def _below(calls: Iterable[Call]) -> dict[Node, _Below]:
    """What is below each agent's span: of its own first, then, from the innermost out, of those within it."""
    found: dict[Node, _Below] = {}
    above: dict[Node, Node | None] = {}
    for place, call in enumerate(calls):
        agent = _agent(call.node)
        if agent is not None:
            mine = found.setdefault(agent, _Below())
            mine.last, mine.place = _tokens(call), place
            mine.own = mine.all = _plus(mine.all, mine.last)
        while agent is not None and agent not in above:
            above[agent] = _agent(agent)
            agent = above[agent]
    within = Counter(above.values())
    inner = [agent for agent in above if not within[agent]]
    for agent in inner:  # grows while it is walked
        outer = above[agent]
        if outer is not None:
            mine, whole = found[agent], found.setdefault(outer, _Below())
            whole.all = _plus(whole.all, mine.all)
            if mine.place > whole.place:
                whole.last, whole.place = mine.last, mine.place
            within[outer] -= 1
            if not within[outer]:
                inner.append(outer)
    return found


def _agent(node: Node) -> Node | None:
    """The nearest agent's span above."""
    return next((above for above in node.above() if above.facts.kind == "agent"), None)


def _tokens(call: Call) -> _Sum | None:
    return None if call.usage is None else (call.usage.input, call.usage.output)


def _plus(one: _Sum | None, other: _Sum | None) -> _Sum | None:
    return None if one is None or other is None else (one[0] + other[0], one[1] + other[1])
