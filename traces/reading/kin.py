"""What brings traces together that no conversation's id does, found with no more than one of them in memory.

A model call that two traces show, a tool that ran in a trace of its own, a history that goes on, a link. A trace
without an id looks for the one that it belongs to, and for one only: so what many have in common (their tokens, their
first words, the tools that they call) never makes a chain of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from traces.otlp.spool import Spool, room
from traces.reading.askers import NEAR, forms
from traces.reading.compare import canonical, last_part
from traces.reading.copies import shape
from traces.reading.fitting import MOST, gone_on, open_ones
from traces.reading.forest import Node, trees
from traces.reading.model_calls import Call, collapse

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -8192;
CREATE TABLE offer (key INTEGER, began INTEGER, ended INTEGER, trace INTEGER, call INTEGER, gone INTEGER);
CREATE TABLE wish (late INTEGER, no INTEGER, rule TEXT, key INTEGER, began INTEGER, trace INTEGER, id INTEGER);
CREATE TABLE seen (response INTEGER, tokens INTEGER, said INTEGER, began INTEGER, ended INTEGER, trace INTEGER,
    scope INTEGER, client INTEGER);
"""
_OFFERS = "CREATE INDEX by_begin ON offer (key, began); CREATE INDEX by_end ON offer (key, ended);"
_WISHES = "SELECT no, rule, key, began, trace, id FROM wish WHERE late = ? ORDER BY began, no, rowid"
_OFFERED = "SELECT trace, call, gone FROM offer WHERE key = :key AND "
_MET = {
    "any": _OFFERED + "trace <> :trace ORDER BY began, trace LIMIT 1",
    "before": _OFFERED + "began <= :at AND ended <= :at ORDER BY began DESC, rowid DESC LIMIT 1",
    "after": _OFFERED + f"began <= :at AND ended <= :at ORDER BY began DESC, rowid DESC LIMIT {MOST}",
    "near": _OFFERED + "ended BETWEEN :at - :far AND :at ORDER BY ended DESC LIMIT 8",
}
"""How a wish is met: by whatever has the key, by the last that ended before, by one of the last that a history may go
on from, by all that ended shortly before.
"""

_SEEN = """
CREATE INDEX by_response ON seen (response, ended);
CREATE INDEX by_tokens ON seen (tokens, ended);
CREATE INDEX by_said ON seen (said, ended);
CREATE INDEX by_both ON seen (tokens, said, ended);
"""
_CLIENTS = "SELECT response, tokens, said, began, ended, trace, scope FROM seen WHERE client ORDER BY rowid"
_ALONG = """
SELECT trace FROM (
    SELECT * FROM (SELECT * FROM seen WHERE {which} AND ended >= :ended ORDER BY ended LIMIT 8)
    UNION ALL SELECT * FROM (SELECT * FROM seen WHERE {which} AND ended < :ended ORDER BY ended DESC LIMIT 8)
)
WHERE began <= :ended AND ended >= :began AND trace <> :trace AND ({same} OR scope <> :scope)
ORDER BY abs(began - :began) + abs(ended - :ended), trace LIMIT 1
"""
_RESPONSE = _ALONG.format(which="response = :response", same="TRUE")
_BOTH = tuple(
    _ALONG.format(which=which, same="FALSE")
    for which in (
        "tokens = :tokens AND said = :said",
        "tokens = :tokens AND said IS NULL",
        "tokens IS NULL AND said = :said",
    )
)
_TOKENS, _SAID = (_ALONG.format(which=which, same="FALSE") for which in ("tokens = :tokens", "said = :said"))

_BATCH = 4096
"""Rows that are held back, to be laid down together."""

_LATEST = 2**63 - 1


def join(spool: Spool) -> dict[int, int]:
    """Joins the traces in a spool that have no key to what they belong to.

    Returns how many conversations the history of a trace fits, by its id's hash, where that is more than one.
    """
    fitting: dict[int, int] = {}
    gone: set[int] = set()
    with closing(sqlite3.connect("")) as db, room():  # a private file, in memory as long as it is small
        db.executescript(_TABLES)
        finder = _Finder(db)
        for trace, group in spool.traces(keyed=False):
            finder.learn(trace, trees(group.spans, group.logs)[0], alone=True)
        if not finder.wishes:
            return fitting
        for trace, group in spool.traces(keyed=True):
            finder.learn(trace, trees(group.spans, group.logs)[0], alone=False)
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


class _Offer(NamedTuple):
    """`call`: its number, 0 where the offer is not one to go on from. `gone`: whether its own trace does so."""

    trace: int
    call: int = 0
    gone: int = 0


class _Met(NamedTuple):
    """A trace, and what it may belong to, the likeliest first. `goes_on`: its history does, else all must be one."""

    trace: int
    offers: Sequence[_Offer]
    goes_on: bool = False
    id: int = 0


class _Finder:
    """Keeps what traces offer to others, and what those without an id wish for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.wishes = 0
        self._db = db
        self._clients = False
        self._calls = 0
        self._offers: list[tuple[int, int, int, int, int, bool]] = []
        self._wishes: list[tuple[bool, int, str, int, int, int, int]] = []
        self._seen: list[tuple[int | None, int | None, int | None, int, int, int, int, bool]] = []

    def learn(self, trace: int, nodes: Sequence[Node], alone: bool) -> None:
        """Reads a trace. `alone`: it has no key to be joined by."""
        if not nodes:
            return
        calls = collapse(nodes)
        ids = {node.facts.conversation[0] for node in nodes if node.facts.conversation is not None}
        self._offers.append((hash(("trace", nodes[0].span.trace_id)), 0, 0, trace, 0, False))
        self._offers += [(hash(("conversation", one)), 0, 0, trace, 0, False) for one in ids]
        client = alone and not ids and all(node.facts.kind in ("model", "other") for node in nodes)
        gone = gone_on(calls)
        for call in calls:
            self._offer(trace, call, client, call in gone)
        if alone and ids:
            self._wish(nodes[0], trace, [("any", ("conversation", one)) for one in ids])
        elif alone and calls:
            self._seek_beginnings(trace, calls)
        elif alone:
            for node in nodes:
                self._seek(trace, node)
        if len(self._offers) + len(self._wishes) + len(self._seen) > _BATCH:
            self._lay_down()

    def found(self) -> Iterator[_Met]:
        """Traces with those that they may belong to, once all is learned; the tools that ran alone at last."""
        self._lay_down()
        if self._clients:
            yield from self._copies()
        self._db.executescript(_OFFERS)
        for late in (False, True):
            met = None
            for no, rule, key, at, trace, own in self._db.execute(_WISHES, (late,)):
                if no == met:
                    continue
                wish = {"key": key, "at": at, "trace": trace, "far": NEAR}
                if rows := self._db.execute(_MET[rule], wish).fetchall():
                    met = no
                    yield _Met(trace, [_Offer(*row) for row in rows], rule == "after", own)

    def _copies(self) -> Iterator[_Met]:
        """Traces of nothing but model calls, each with the one that shows the same call at the same time."""
        self._db.executescript(_SEEN)
        names = ("response", "tokens", "said", "began", "ended", "trace", "scope")
        for row in self._db.execute(_CLIENTS):
            call = dict(zip(names, row, strict=True))
            alike = _BOTH
            if call["tokens"] is None or call["said"] is None:
                alike = () if call["tokens"] is call["said"] else (_TOKENS if call["said"] is None else _SAID,)
            for query in (*((_RESPONSE,) if call["response"] is not None else ()), *alike):
                if (found := self._db.execute(query, call).fetchone()) is not None:
                    yield _Met(call["trace"], [_Offer(found[0])])
                    break

    def _lay_down(self) -> None:
        self._db.executemany("INSERT INTO offer VALUES (?, ?, ?, ?, ?, ?)", self._offers)
        self._db.executemany("INSERT INTO wish VALUES (?, ?, ?, ?, ?, ?, ?)", self._wishes)
        self._db.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._seen)
        self._offers.clear()
        self._wishes.clear()
        self._seen.clear()

    def _offer(self, trace: int, call: Call, client: bool, gone: bool) -> None:
        self._calls += 1
        place = *_times(call.node), trace, self._calls, gone
        if call.atoms and call.given and not call.cut:
            self._offers.append((hash(("state", call.state)), *place))
            if (spoken := call.spoken) is not None:
                self._offers.append((hash(("spoken", spoken)), *place))
        for atom in call.given:
            if atom.call is not None:
                name = last_part(atom.call.name)
                self._offers += [(hash(("like", name, form)), *place) for form in forms(atom.call.arguments)]
                if atom.call.id is not None:
                    self._offers.append((hash(("call", atom.call.id)), *place))
        for node in call.nodes:
            facts = node.facts
            response = None if facts.response_id is None else hash(facts.response_id)
            tokens = None if facts.usage is None else hash((facts.usage.input, facts.usage.output))
            said = hash(shape(facts.output)) if facts.output else None
            self._seen.append((response, tokens, said, *_times(node), trace, hash(node.span.scope), client))
            if client:
                self.wishes += 1
                self._clients = True

    def _seek_beginnings(self, trace: int, calls: Sequence[Call]) -> None:
        """Of each call what its history goes on from, unless that is in this trace."""
        states = {call.state for call in calls}
        for call in calls:
            wanted: list[tuple[str, tuple[object, ...]]] = []
            atoms = () if call.cut else call.atoms or ()
            for at in range(len(atoms) - 1, -1, -1):
                if call.marks[at + 1] in states:
                    break
                if atoms[at].kind in ("assistant", "call"):
                    wanted.append(("after", ("state", call.marks[at + 1])))
            else:
                wanted += [("after", ("spoken", mark)) for mark in (call.heard() if atoms else ())]
            self._wish(call.node, trace, wanted)

    def _seek(self, trace: int, node: Node) -> None:
        """Of a span in a trace without model calls, the call that asked for it, and what it links to."""
        tool = node.facts.tool
        if node.facts.kind == "tool" and tool is not None and tool.id is not None:
            self._wish(node, trace, [(rule, ("call", tool.id)) for rule in ("before", "any")], late=True)
        elif node.facts.kind == "tool" and tool is not None:
            like = ("like", last_part(tool.name), canonical(tool.arguments))
            self._wish(node, trace, [("near", like)], late=True)
        for linked, _ in node.span.links:
            self._wish(node, trace, [("any", ("trace", linked))])

    def _wish(
        self, node: Node, trace: int, wanted: Sequence[tuple[str, tuple[object, ...]]], late: bool = False
    ) -> None:
        """Notes what would join this trace, the first of it that there is."""
        at, own = _times(node)[0], hash(node.span.trace_id)
        self._wishes += [(late, self.wishes, rule, hash(key), at, trace, own) for rule, key in wanted]
        self.wishes += bool(wanted)


def _times(node: Node) -> tuple[int, int]:
    return min(node.span.start, _LATEST), min(node.span.end, _LATEST)
