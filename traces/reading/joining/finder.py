"""What traces offer and what those without an id look for, laid down in tables, and which of both belong together.

A trace without an id looks for the one that it belongs to, and for one only: so what many have in common (their tokens,
their first words, the tools that they call) never makes a chain of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from traces.reading.calls.collapse import collapse
from traces.reading.calls.model_calls import Call
from traces.reading.joining.askers import NEAR
from traces.reading.joining.fitting import MOST, gone_on
from traces.reading.joining.offers import Sight, What, lacked, offered, offered_by, sight, times, wishes
from traces.reading.joining.sieve import Sieve
from traces.reading.tree.forest import Node

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -8192;
CREATE TABLE offer (key INTEGER, began INTEGER, ended INTEGER, trace INTEGER, call INTEGER, gone INTEGER);
CREATE TABLE wish (late INTEGER, no INTEGER, what TEXT, key INTEGER, began INTEGER, trace INTEGER, id INTEGER);
CREATE TABLE seen (response INTEGER, tokens INTEGER, said INTEGER, began INTEGER, ended INTEGER, trace INTEGER,
    scope INTEGER, client INTEGER);
"""
_OFFERS = """
CREATE INDEX IF NOT EXISTS by_begin ON offer (key, began);
CREATE INDEX IF NOT EXISTS by_end ON offer (key, ended);
"""
_WISHES = "SELECT no, what, key, began, trace, id FROM wish WHERE late = ? ORDER BY began, no, rowid"
_WANTED = "SELECT no, what, key, began, trace FROM wish ORDER BY no, rowid"
_OFFERED = "SELECT trace, call, gone FROM offer WHERE key = :key AND "
_TAKEN = "DELETE FROM offer WHERE key = ? AND call = ?"
_ANY = _OFFERED + "trace <> :trace ORDER BY began, trace LIMIT 1"
_BEFORE = _OFFERED + "began <= :at AND ended <= :at ORDER BY began DESC, rowid DESC LIMIT "
_MET: Mapping[What, str] = {
    "trace": _ANY,
    "conversation": _ANY,
    "response": _ANY,
    "state": f"{_BEFORE}{MOST}",
    "spoken": f"{_BEFORE}{MOST}",
    "begun": f"{_OFFERED}began >= :at ORDER BY began, rowid LIMIT {MOST}",
    "call": _BEFORE + "1",
    "told": f"{_BEFORE}{MOST}",
    "any call": _ANY,
    "retold": f"{_OFFERED}TRUE ORDER BY began, trace LIMIT {MOST}",
    "like": _OFFERED + "ended BETWEEN :at - :far AND :at ORDER BY ended DESC LIMIT 8",
}
"""How a wish is met: by whatever has the key, by one of the last that a history may go on from or of the next that may
go on from it, by the last that ended before, by all that ended shortly before.
"""
_HISTORIES = ("state", "spoken", "begun")

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


class Offer(NamedTuple):
    """`call`: its number, 0 where the offer is not one to go on from. `gone`: whether its own trace does so."""

    trace: int
    call: int = 0
    gone: int = 0


class Met(NamedTuple):
    """A trace, and what it may belong to, the likeliest first. `goes_on`: its history does, else all must be one."""

    trace: int
    offers: Sequence[Offer]
    goes_on: bool = False
    id: int = 0


class Finder:
    """Keeps what traces offer to others, and what those without an id wish for; in a temporary file like a spool's."""

    def __init__(self) -> None:
        self.wishes = 0
        self._db = sqlite3.connect("")  # a private file, in memory as long as it is small
        self._db.executescript(_TABLES)
        self._clients = False
        self._calls = 0
        self._offers: list[tuple[int, int, int, int, int, bool]] = []
        self._wishes: list[tuple[bool, int, What, int, int, int, int]] = []
        self._seen: list[tuple[int | None, int | None, int | None, int, int, int, int, bool]] = []

    def close(self) -> None:
        """Remove the temporary file."""
        self._db.close()

    def learn(self, trace: int, nodes: Sequence[Node], alone: bool) -> None:
        """Reads a trace. `alone`: it has no key to be joined by."""
        if not nodes:
            return
        calls = collapse(nodes)
        self._offers += [(key, 0, 0, trace, 0, False) for key in offered(nodes)]
        client = alone and all(
            node.facts.kind in ("model", "other") and node.facts.conversation is None for node in nodes
        )
        gone = gone_on(calls)
        for call in calls:
            self._calls += 1
            place = *times(call.node), trace, self._calls, call in gone
            self._offers += [(key, *place) for key in offered_by(call)]
            for node in call.nodes:
                self._seen.append((*sight(node), *times(node), trace, hash(node.span.scope), client))
        if client and calls:
            self.wishes += len(calls)
            self._clients = True
        if alone:
            self._wish(trace, nodes, calls)
        if len(self._offers) + len(self._wishes) + len(self._seen) > _BATCH:
            self._lay_down()

    def lay_open(self, trace: int, calls: Sequence[Call]) -> None:
        """Notes what a conversation with an id lacks of its beginning."""
        for call, key in lacked(calls):
            self._calls += 1
            self._offers.append((key, *times(call.node), trace, self._calls, False))

    def sieve(self) -> Sieve:
        """What tells of a conversation with an id whether it may hold what the traces learned so far look for."""
        self._lay_down()
        self._db.executescript(_OFFERS)
        clients = ((Sight(*row[:3]), row[3], row[4]) for row in self._db.execute(_CLIENTS))
        return Sieve(self._wanted(), clients)

    def _wanted(self) -> Iterator[tuple[What, int]]:
        """What would join a trace. What stands behind something that is there is wanted no more."""
        met = None
        for no, what, key, at, trace in self._db.execute(_WANTED):
            if no != met:
                yield what, key
                met = no if self._meeting(what, key, at, trace) else met

    def found(self) -> Iterator[Met]:
        """Traces with those that they may belong to, once all is learned; the tools that ran alone at last."""
        self._lay_down()
        if self._clients:
            yield from self._copies()
        self._db.executescript(_OFFERS)
        for late in (False, True):
            met = None
            for no, what, key, at, trace, own in self._db.execute(_WISHES, (late,)):
                if no == met:
                    continue
                if offers := self._meeting(what, key, at, trace):
                    met = no
                    if what == "begun":  # what came to its beginning is found
                        self._db.execute(_TAKEN, (key, offers[0].call))
                    yield Met(trace, offers, what in _HISTORIES, own)

    def _meeting(self, what: What, key: int, at: int, trace: int) -> list[Offer]:
        """What there is of a wish."""
        wish = {"key": key, "at": at, "trace": trace, "far": NEAR}
        return [Offer(*row) for row in self._db.execute(_MET[what], wish)]

    def _copies(self) -> Iterator[Met]:
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
                    yield Met(call["trace"], [Offer(found[0])])
                    break

    def _lay_down(self) -> None:
        self._db.executemany("INSERT INTO offer VALUES (?, ?, ?, ?, ?, ?)", self._offers)
        self._db.executemany("INSERT INTO wish VALUES (?, ?, ?, ?, ?, ?, ?)", self._wishes)
        self._db.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._seen)
        self._offers.clear()
        self._wishes.clear()
        self._seen.clear()

    def _wish(self, trace: int, nodes: Sequence[Node], calls: Sequence[Call]) -> None:
        """Notes what would join this trace."""
        for wish in wishes(nodes, calls):
            at, own = times(wish.node)[0], hash(wish.node.span.trace_id)
            self._wishes += [(wish.late, self.wishes, what, key, at, trace, own) for what, key in wish.wanted]
            self.wishes += bool(wish.wanted)
