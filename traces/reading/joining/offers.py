"""What a trace offers to those without an id, and what one of those looks for: both as hashes, which meet if equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Literal, NamedTuple, get_args

from traces.reading.calls.atoms import Atom
from traces.reading.calls.copies import shape
from traces.reading.calls.model_calls import Call
from traces.reading.compare import canonical, last_part
from traces.reading.joining.askers import forms
from traces.reading.joining.lost_beginnings import came_to, ends, is_headless, lacking
from traces.reading.joining.strays import unasked
from traces.reading.tree.forest import Node

LATEST = 2**63 - 1
"""The latest of times, that a database has room for."""


What = Literal[
    "trace", "conversation", "response", "state", "spoken", "begun", "call", "told", "any call", "retold", "like"
]
"""What may be looked for: a trace that is linked to; a conversation by its id; a response that the server remembers; a
history that goes on, or only the words of one; a conversation that lacks this beginning; a tool's call by its id, asked
for before if it can be, or in but one conversation if a history without its beginning tells of it, or only histories
do; or by name and arguments.
"""

ALL: Set[What] = frozenset(get_args(What))


class Wish(NamedTuple):
    """What a trace looks for, from one of its spans: the first of these that there is. `late`: after all that aren't.

    `wanted`: each the name of what it is, and the hash that it is to be met by.
    """

    node: Node
    wanted: Sequence[tuple[What, int]]
    late: bool = False


class Sight(NamedTuple):
    """How one span shows a model call, so that another that shows it too is known."""

    response: int | None
    tokens: int | None
    said: int | None


def times(node: Node) -> tuple[int, int]:
    """When a span began and ended, in nanoseconds since the epoch."""
    return min(node.span.start, LATEST), min(node.span.end, LATEST)


def offered(nodes: Sequence[Node]) -> set[int]:
    """What these spans offer at any time: their traces, to links, and their conversations, to those that name them."""
    found = {hash(("trace", trace)) for trace in {node.span.trace_id for node in nodes}}
    ids = {node.facts.conversation[0] for node in nodes if node.facts.conversation is not None}
    return found | {hash(("conversation", one)) for one in ids}


def offered_by(call: Call, wanted: Set[What] = ALL) -> Iterator[int]:
    """What a model call offers, of what is wanted, once it has ended: a history to go on from, and to tools the calls
    that it asks for.
    """
    if call.is_known_again:
        yield hash(("state", call.state))
        if "spoken" in wanted and (spoken := call.spoken) is not None:
            yield hash(("spoken", spoken))
    elif call.is_unheard:
        yield hash(("unheard", call.opening))
    if "response" in wanted and (response := call.first("response_id")) is not None:
        yield hash(("response", response))
    for atom in call.given:
        if atom.call is not None:
            if "like" in wanted:
                name = last_part(atom.call.name)
                for form in forms(atom.call.arguments):
                    yield hash(("like", name, form))
            if atom.call.id is not None:
                yield hash(("call", atom.call.id))


def lacked(calls: Sequence[Call], wanted: Set[What] = ALL) -> Iterator[tuple[Call, int]]:
    """What a conversation with an id offers to what it lost: its beginning, and tools that only histories tell of. Each
    with a call that tells of it.
    """
    if "begun" in wanted:
        yield from ((call, hash(("begun", *beginning))) for call, beginning in lacking(calls))
    if "retold" in wanted:
        yield from ((calls[0], hash(("retold", *named))) for named in unasked(calls))


def sight(node: Node) -> Sight:
    """How a span shows a model call."""
    facts = node.facts
    return Sight(
        None if facts.response_id is None else hash(facts.response_id),
        None if facts.usage is None else hash((facts.usage.input, facts.usage.output)),
        hash(shape(facts.output)) if facts.output else None,
    )


def wishes(nodes: Sequence[Node], calls: Sequence[Call]) -> Iterator[Wish]:
    """What a trace without a key looks for: its conversation if a dialect knows one, what its histories go on from, or,
    if it shows no model calls, those who asked for its tools, and what it links to.
    """
    ids = {node.facts.conversation[0] for node in nodes if node.facts.conversation is not None}
    if ids:
        yield Wish(nodes[0], [("conversation", hash(("conversation", one))) for one in ids])
    elif calls:
        yield from _beginnings(calls)
        if is_headless(nodes):
            yield from _endings(calls)
    else:
        for node in nodes:
            yield from _askers(node)


def _beginnings(calls: Sequence[Call]) -> Iterator[Wish]:
    """Of each call what its history goes on from, unless that is in this trace."""
    states = {call.state for call in calls}
    responses = {call.first("response_id") for call in calls}
    asked = {atom.call.id for call in calls for atom in call.given if atom.call is not None}
    for call in calls:
        wanted: list[tuple[What, int]] = []
        if call.previous is not None and call.previous not in responses:
            wanted.append(("response", hash(("response", call.previous))))
        if call.answered is not None:
            wanted.append(("call", hash(("call", call.answered))))
        atoms = () if call.cut else call.atoms or ()
        for at in range(len(atoms) - 1, -1, -1):
            if call.marks[at + 1] in states and call.marks[at + 1] != call.state:
                break
            if atoms[at].kind in ("assistant", "call") or _unanswered(atoms, at):
                wanted.append(("state", hash(("state", call.marks[at + 1]))))
        else:
            wanted += [("told", hash(("call", name))) for name in call.told_of if name not in asked]
            wanted += [("spoken", hash(("spoken", mark))) for mark in (call.heard() if atoms else ())]
            wanted += [("state", hash(("unheard", mark))) for mark in (call.openings() if atoms else ())]
        yield Wish(call.node, wanted)


def _endings(calls: Sequence[Call]) -> Iterator[Wish]:
    """Of calls that nothing in their trace goes on from, the conversation that does."""
    for call in ends(calls):
        yield Wish(call.node, [("begun", hash(("begun", *beginning))) for beginning in came_to(call)])


def _unanswered(atoms: Sequence[Atom], at: int) -> bool:
    """Whether the user spoke again behind a tool's answer: of what was said in between, the text was not captured."""
    return atoms[at].kind == "answer" and at + 1 < len(atoms) and atoms[at + 1].kind == "user"


def _askers(node: Node) -> Iterator[Wish]:
    """Of a span in a trace without model calls, the call that asked for it, and what it links to."""
    tool = node.facts.tool
    if node.facts.kind == "tool" and tool is not None and tool.id is not None:
        asked = hash(("call", tool.id))
        retold = hash(("retold", tool.id, last_part(tool.name)))
        yield Wish(node, [("call", asked), ("any call", asked), ("retold", retold)], late=True)
    elif node.facts.kind == "tool" and tool is not None:
        like = hash(("like", last_part(tool.name), canonical(tool.arguments)))
        yield Wish(node, [("like", like)], late=True)
    for linked, _ in node.span.links:
        yield Wish(node, [("trace", hash(("trace", linked)))])
