"""What brings traces together that no conversation's id does, found with no more than one of them in memory.

A model call that two traces show, a tool that ran in a trace of its own, a history that goes on, a link. A trace
without an id looks for the one that it belongs to, and for one only: so what many have in common (their tokens, their
first words, the tools that they call) never makes a chain of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing

from traces.otlp.spool import Spool, room
from traces.reading.askers import NEAR, forms
from traces.reading.compare import canonical, last_part
from traces.reading.copies import shape
from traces.reading.forest import Node, trees
from traces.reading.model_calls import Call, collapse

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -8192;
CREATE TABLE offer (key INTEGER NOT NULL, began INTEGER, ended INTEGER, trace INTEGER, scope INTEGER);
CREATE TABLE wish (late INTEGER, no INTEGER, rule TEXT, key INTEGER, began INTEGER, ended INTEGER, trace INTEGER,
    scope INTEGER);
"""
_INDEX = "CREATE INDEX by_begin ON offer (key, began); CREATE INDEX by_end ON offer (key, ended);"
_WISHES = "SELECT no, rule, key, began, ended, trace, scope FROM wish WHERE late = ? ORDER BY rowid"
_ANY = "SELECT trace FROM offer WHERE key = ? AND trace <> ? ORDER BY began, trace LIMIT 1"
_BEFORE = "SELECT trace FROM offer WHERE key = ? AND began <= ? AND ended <= ? ORDER BY began DESC LIMIT 1"
_NEAR = "SELECT trace FROM offer WHERE key = ? AND ended BETWEEN ? AND ? ORDER BY ended DESC LIMIT 8"
_ALONG = """
SELECT trace FROM (
    SELECT * FROM (SELECT * FROM offer WHERE key = ?1 AND ended >= ?3 ORDER BY ended LIMIT 8)
    UNION ALL SELECT * FROM (SELECT * FROM offer WHERE key = ?1 AND ended < ?3 ORDER BY ended DESC LIMIT 8)
)
WHERE began <= ?3 AND ended >= ?2 AND trace <> ?4 AND scope <> ?5
ORDER BY abs(began - ?2) + abs(ended - ?3), trace LIMIT 1
"""
_LATEST = 2**63 - 1

_Key = tuple[object, ...]


def join(spool: Spool) -> None:
    """Joins the traces in a spool that have no key to what they belong to."""
    with closing(sqlite3.connect("")) as db, room():  # a private file, in memory as long as it is small
        db.executescript(_TABLES)
        finder = _Finder(db)
        for trace, group in spool.traces(keyed=False):
            finder.learn(trace, trees(group.spans, group.logs)[0], alone=True)
        if finder.wishes:
            for trace, group in spool.traces(keyed=True):
                finder.learn(trace, trees(group.spans, group.logs)[0], alone=False)
            for one, others in finder.found():
                if len({spool.head(other) for other in others}) == 1:
                    spool.join(one, others[0])


class _Finder:
    """Keeps what traces offer to others, and what those without an id wish for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.wishes = 0
        self._db = db
        self._offers: list[tuple[int, int, int, int, int]] = []
        self._wishes: list[tuple[bool, int, str, int, int, int, int, int]] = []

    def learn(self, trace: int, nodes: Sequence[Node], alone: bool) -> None:
        """Reads a trace. `alone`: it has no key to be joined by."""
        if not nodes:
            return
        calls = collapse(nodes)
        ids = {node.facts.conversation[0] for node in nodes if node.facts.conversation is not None}
        self._offers = [(hash(("trace", nodes[0].span.trace_id)), 0, 0, trace, 0)]
        self._offers += [(hash(("conversation", one)), 0, 0, trace, 0) for one in ids]
        for call in calls:
            self._offer(trace, call)
        self._wishes = []
        if alone:
            for one in ids:
                self._wish(nodes[0], trace, [("any", ("conversation", one))])
            if not ids:
                self._seek(trace, nodes, calls)
        self._db.executemany("INSERT INTO offer VALUES (?, ?, ?, ?, ?)", self._offers)
        self._db.executemany("INSERT INTO wish VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._wishes)

    def found(self) -> Iterator[tuple[int, list[int]]]:
        """Traces with those that they may belong to, once all is learned; the tools that ran alone at last."""
        self._db.executescript(_INDEX)
        for late in (False, True):
            met = None
            for no, rule, key, began, ended, trace, scope in self._db.execute(_WISHES, (late,)):
                if no == met:
                    continue
                if rule == "any":
                    rows = self._db.execute(_ANY, (key, trace)).fetchall()
                elif rule == "before":
                    rows = self._db.execute(_BEFORE, (key, began, began)).fetchall()
                elif rule == "near":
                    rows = self._db.execute(_NEAR, (key, began - NEAR, began)).fetchall()
                else:
                    rows = self._db.execute(_ALONG, (key, began, ended, trace, scope)).fetchall()
                if rows:
                    met = no
                    yield trace, [row[0] for row in rows]

    def _offer(self, trace: int, call: Call) -> None:
        place = *_times(call.node), trace
        if call.atoms and call.given and not call.cut:
            self._offers.append((hash(("state", call.state)), *place, 0))
        for atom in call.given:
            if atom.call is not None:
                asked: list[_Key] = [("like", last_part(atom.call.name), form) for form in forms(atom.call.arguments)]
                asked += [("call", atom.call.id)] if atom.call.id is not None else []
                self._offers += [(hash(key), *place, 0) for key in asked]
        for node in call.nodes:
            usage, said = _agreed(node)
            place, scope = (*_times(node), trace), hash(node.span.scope)
            told: tuple[_Key, ...] = ("tokens", usage), ("said", said), ("response", node.facts.response_id)
            self._offers += [(hash(key), *place, scope) for key in told if key[1] is not None]
            self._offers.append((hash(("exact", usage, said)), *place, scope))

    def _seek(self, trace: int, nodes: Sequence[Node], calls: Sequence[Call]) -> None:
        states = {call.state for call in calls}
        client = all(node.facts.kind in ("model", "other") for node in nodes)
        for call in calls:
            if call.atoms and not call.cut:
                wanted: list[tuple[str, _Key]] = []
                for at in range(len(call.atoms) - 1, -1, -1):
                    if call.marks[at + 1] in states:
                        break
                    if call.atoms[at].kind in ("assistant", "call"):
                        wanted.append(("before", ("state", call.marks[at + 1])))
                self._wish(call.node, trace, wanted)
            if client:
                self._seek_copies(trace, call)
        if calls:
            return
        for node in nodes:
            tool = node.facts.tool
            if node.facts.kind == "tool" and tool is not None and tool.id is not None:
                self._wish(node, trace, [(rule, ("call", tool.id)) for rule in ("before", "any")], late=True)
            elif node.facts.kind == "tool" and tool is not None:
                like = ("like", last_part(tool.name), canonical(tool.arguments))
                self._wish(node, trace, [(rule, like) for rule in ("near", "before")], late=True)
            elif node.facts.response_id is not None:
                self._wish(node, trace, [("any", ("response", node.facts.response_id))])
            for linked, _ in node.span.links:
                self._wish(node, trace, [("any", ("trace", linked))])

    def _wish(
        self, node: Node, trace: int, wanted: Sequence[tuple[str, _Key]], late: bool = False, scope: int = 0
    ) -> None:
        """Notes what would join this trace, the first of it that there is."""
        for rule, key in wanted:
            self._wishes.append((late, self.wishes, rule, hash(key), *_times(node), trace, scope))
        self.wishes += bool(wanted)

    def _seek_copies(self, trace: int, call: Call) -> None:
        for node in call.nodes:
            usage, said = _agreed(node)
            if node.facts.response_id is not None:
                self._wish(node, trace, [("along", ("response", node.facts.response_id))], scope=0)
            wanted: list[_Key] = [("exact", usage, said), ("exact", usage, None), ("exact", None, said)]
            if usage is None or said is None:
                wanted = [("tokens", usage)] if said is None else [("said", said)]
            if usage is not None or said is not None:
                self._wish(node, trace, [("along", key) for key in wanted], scope=hash(node.span.scope))


def _agreed(node: Node) -> tuple[tuple[int, int] | None, tuple[object, ...] | None]:
    """What two spans of the same call agree in: tokens and output, None where a span does not tell it."""
    usage, output = node.facts.usage, node.facts.output
    return None if usage is None else (usage.input, usage.output), shape(output) if output else None


def _times(node: Node) -> tuple[int, int]:
    return min(node.span.start, _LATEST), min(node.span.end, _LATEST)
