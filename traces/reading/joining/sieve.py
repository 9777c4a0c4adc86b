"""Whether a conversation with an id may hold what traces without one look for: most hold nothing of it."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from traces.reading.calls.model_calls import Call
from traces.reading.joining.offers import Sight, What, lacked, offered, offered_by, sight, times
from traces.reading.tree.forest import Node


class Sieve:
    """`wanted`: what is looked for, with its hash. `clients`: how traces of nothing but model calls show them, with the
    times: of each another sight at the same time is looked for.
    """

    def __init__(self, wanted: Iterable[tuple[What, int]], clients: Iterable[tuple[Sight, int, int]]) -> None:
        self._wanted, self._alike = _Hashes(), _Hashes()
        self._what: set[What] = set()
        for what, key in wanted:
            self._what.add(what)
            self._wanted.add(key)
        begins, ends = array("q"), array("q")
        for seen, began, ended in clients:
            for key in _sought(seen):
                self._alike.add(key)
            begins.append(min(began, ended))
            ends.append(max(began, ended))
        self._begins, self._ends = array("q", sorted(begins)), array("q", sorted(ends))

    def holds_back(self, nodes: Sequence[Node], calls: Sequence[Call]) -> bool:
        """Whether there may be something of it in these spans. What is looked for trace by trace is never let through
        if it is in a call that several of them show.
        """
        if any(key in self._wanted for key in offered(nodes)):
            return True
        if any(key in self._wanted for _, key in lacked(calls, self._what)):
            return True
        for call in calls:
            if any(key in self._wanted for key in offered_by(call, self._what)):
                return True
            if len(call.nodes) > 1 and len({node.span.trace_id for node in call.nodes}) > 1:
                return True
        return bool(self._begins) and any(self._may_be_seen(node) for call in calls for node in call.nodes)

    def _may_be_seen(self, node: Node) -> bool:
        began, ended = sorted(times(node))
        overlapping = bisect_right(self._begins, ended) - bisect_left(self._ends, began)
        return overlapping > 0 and any(key in self._alike for key in _shown(sight(node)))


class _Hashes:
    """A set of hashes in 8 MiB, however many there are: it may take one for another that is in it, but misses none."""

    _SIZE = 2**23

    def __init__(self) -> None:
        self._bits = bytearray(self._SIZE)

    def add(self, key: int) -> None:
        self._bits[(key >> 3) % self._SIZE] |= 1 << (key & 7)

    def __contains__(self, key: int) -> bool:
        return bool(self._bits[(key >> 3) % self._SIZE] & 1 << (key & 7))


def _sought(seen: Sight) -> Iterator[int]:
    """What another sight of a call is known by: its response, else tokens and words, as far as both give them."""
    response, tokens, said = seen
    if response is not None:
        yield hash(("response", response))
    if tokens is not None and said is not None:
        yield from (hash(both) for both in ((tokens, said), (tokens, None), (None, said)))
    elif tokens is not None or said is not None:
        yield hash(("one", tokens, said))


def _shown(seen: Sight) -> Iterator[int]:
    """What a sight may be known by."""
    response, tokens, said = seen
    yield hash(("response", response))
    yield hash((tokens, said))
    yield from (hash(("one", tokens, None)), hash(("one", None, said)))
