"""What brings traces together that no conversation's id does, found with no more than one of them in memory.

A model call that two traces show, a tool that ran in a trace of its own, a history that goes on, a link.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from types import MappingProxyType
from typing import NamedTuple

from traces.log_record import LogRecord
from traces.otlp.spool import Cluster, Spool, room
from traces.reading.calls.collapse import collapse
from traces.reading.calls.model_calls import Call
from traces.reading.joining.finder import Finder
from traces.reading.joining.fitting import open_ones
from traces.reading.tree.forest import Node, trees

_NONE: Mapping[int, int] = MappingProxyType({})


class Kindred(NamedTuple):
    """What may be of one conversation: spans, the model calls in them, and log records without a span.

    `fitting`: how many conversations the history of a trace fits, by its id's hash, where that is more than one.
    """

    nodes: Sequence[Node]
    calls: Sequence[Call]
    loose: Sequence[LogRecord]
    fitting: Mapping[int, int] = _NONE


def kindred(spool: Spool) -> Iterator[Kindred]:
    """What is in a spool, in clusters by its keys, the traces without a key put to what they belong to.

    In the order of the first spans; but if traces without a key look for others, what they may belong to comes last,
    and they with it. So what nothing else belongs to, as is usual, is read but once.
    """
    alone, held = spool.numbers(keyed=False), array("q")
    with closing(Finder()) as finder:
        for cluster in spool.traces(alone):
            with room():
                finder.learn(cluster.traces[0], trees(cluster.spans, cluster.logs)[0], alone=True)
        if not finder.wishes:
            yield from map(_read, spool.clusters())
            return
        if keyed := spool.numbers(keyed=True):
            sieve = finder.sieve()
            for cluster in spool.clusters(keyed):
                found = _read(cluster)
                if not sieve.holds_back(found.nodes, found.calls):
                    yield found
                    continue
                held.extend(cluster.traces)
                with room():
                    for nodes in _by_trace(found.nodes):
                        finder.learn(cluster.traces[0], nodes, alone=False)  # by its key it is joined to the others
                    finder.lay_open(cluster.traces[0], found.calls)
        with room():
            fitting = _join(spool, finder)
    yield from (_read(cluster, fitting) for cluster in spool.clusters([*held, *alone]))


def _read(cluster: Cluster, fitting: Mapping[int, int] = _NONE) -> Kindred:
    nodes, loose = trees(cluster.spans, cluster.logs)
    return Kindred(nodes, collapse(nodes), loose, fitting)


def _by_trace(nodes: Iterable[Node]) -> Iterable[Sequence[Node]]:
    found: dict[str, list[Node]] = {}
    for node in nodes:
        found.setdefault(node.span.trace_id, []).append(node)
    return found.values()


def _join(spool: Spool, finder: Finder) -> Mapping[int, int]:
    """Joins the traces without a key to what was found for them; gives how many conversations their histories fit."""
    fitting: dict[int, int] = {}
    gone: set[int] = set()
    for met in finder.found():
        offers = met.offers
        if met.goes_on:
            offers = open_ones(offers[::-1], lambda offer: offer.gone or offer.call in gone)[::-1]
            gone.add(offers[0].call)
        heads = {spool.head(offer.trace) for offer in offers}
        if met.goes_on and len(heads) > 1:
            fitting[met.id] = len(heads)
        if met.goes_on or len(heads) == 1:
            spool.join(met.trace, offers[0].trace)
    return fitting
