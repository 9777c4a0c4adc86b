"""What no message tells of, put into the turns: tools that nobody asked for, retrievals, runs without model calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from operator import attrgetter

from traces.dialects.facts import AskedCall, Facts
from traces.reading.calls.model_calls import Call
from traces.reading.drafts import Asked, Draft, Item, started
from traces.reading.tree.forest import Node
from traces.reading.turns.begun import Begun
from traces.reading.turns.fruitless import fruitless, give_back
from traces.reading.turns.talk import Talk

_PLACE = attrgetter("span.start", "span.trace_id", "span.span_id")
_RUN, _TOOL, _SAID = attrgetter("run"), attrgetter("tool"), attrgetter("said")


def place(talk: Talk, nodes: Sequence[Node], unasked: Iterable[list[Node]]) -> None:
    """Adds to the turns what only spans tell of, each where it was caused, else where it happened."""
    waiting: list[tuple[Node, Item]] = [(node, node) for node in nodes if node.facts.kind == "retrieval"]
    for group in unasked:
        call = next((node.facts.tool for node in group if node.facts.tool is not None), AskedCall(""))
        waiting.append((group[0], Asked(call, spans=group)))
    runs = [run for run in dict.fromkeys(map(_RUN, nodes)) if run.facts.kind == "agent" and run.tool is None]
    if any(map(_SAID, talk.drafts)):
        runs = fruitless(runs, talk.drafts)
    waiting += [(run, run) for run in runs]
    if waiting:
        _spread(talk, sorted(waiting, key=lambda pair: _PLACE(pair[0])))
    if max(map(len, map(_SAID, talk.drafts)), default=0) > 1:
        give_back(talk.drafts)
    if any(map(_TOOL, nodes)):
        for draft in talk.drafts:
            _order(draft)
    _group(talk.drafts)


def finish(draft: Draft, others: AbstractSet[Node] = frozenset()) -> tuple[str | None, str | None]:
    """What the user said and the agent replied: by the messages, else by its runs but `others`, which have more turns.

    Where more than one agent had its own history, a run's own word on what came in and went out is the better one; so
    it is where it stands within a message, for then the rest is the prompt that a framework put around it.
    """
    said, reply = "\n".join(filter(None, draft.said)) or None, draft.reply or None
    runs = [run.facts for run in draft.runs if run not in others]
    if draft.asides:
        return _heard(runs) or said, _given(runs) or reply
    if said and len(draft.said) == 1:
        heard = _heard(runs)
        if heard and heard != said and heard in said:
            return heard, _given(runs) or reply
    if reply is None and (given := _given(runs)) is not None and not _is_stale(given, draft):
        reply = given
    return said or _heard(runs), reply


def _heard(runs: Iterable[Facts]) -> str | None:
    return next((run.said for run in runs if run.said), None)


def _given(runs: Sequence[Facts]) -> str | None:
    return next((run.replied for run in reversed(runs) if run.replied), None)


def _is_stale(given: str, draft: Draft) -> bool:
    """Whether a run tells the reply of an earlier turn, for it looks for the last words, and the model gave none."""
    last = next((item for item in reversed(draft.items) if isinstance(item, Call)), None)
    if last is None or not last.node.facts.output or any(atom.kind == "assistant" for atom in last.given):
        return False
    return any(atom.kind == "assistant" and atom.text == given for atom in last.atoms or ())


def _spread(talk: Talk, waiting: Iterable[tuple[Node, Item]]) -> None:
    """Puts each item, in the order of time, into the turn of its span."""
    turns = Begun(talk.drafts)
    new: dict[Draft, list[tuple[Node, Item]]] = {}
    for node, item in waiting:
        draft = _draft(turns, node)
        if node.facts.kind != "agent":
            turns.begin(draft)
            new.setdefault(draft, []).append((node, item))
    for draft, some in new.items():
        draft.items[:] = _merged(draft.items, some)


def _draft(turns: Begun, node: Node) -> Draft:
    """The turn of the span's run; of a span that has lost its context, the one at its time; else a new one."""
    run, time = node.run, node.span.start
    found = turns.of(run, time)
    if found is None and (run is node or run.lost) and node.facts.kind != "agent":
        found = turns.latest(time)
    return found or turns.new(run, time)


def _merged(items: Sequence[Item], new: Iterable[tuple[Node, Item]]) -> Iterator[Item]:
    """The items with others, in the order of time: each behind all that began before it, and behind the tool that it
    happened in.
    """
    starts = ((started(item), place) for place, item in enumerate(items))
    coming = sorted([(start, place) for start, place in starts if start is not None], reverse=True)
    tools = {node: place for place, item in enumerate(items) if isinstance(item, Asked) for node in item.spans}
    behind: dict[int, list[Item]] = {}
    last = -1
    for node, item in new:
        while coming and coming[-1][0] <= node.span.start:
            last = max(last, coming.pop()[1])
        last = max(last, tools.get(node.tool, -1)) if node.tool is not None else last
        behind.setdefault(last, []).append(item)
    yield from behind.get(-1, ())
    for place, item in enumerate(items):
        yield item
        yield from behind.get(place, ())


def _order(draft: Draft) -> None:
    """Puts the calls of an agent that is itself a tool behind the call of that tool."""
    inside: dict[int, list[Item]] = {}
    tops: list[Item] = []
    owner = {node: item for item in draft.asked for node in item.spans}
    for item in draft.items:
        node = item.node if isinstance(item, Call) else _asker(item)
        above = owner.get(node.tool) if node is not None and node.tool is not None else None
        if above is None or above is item:
            tops.append(item)
        else:
            inside.setdefault(id(above), []).append(item)
    if inside:
        draft.items[:] = _expanded(tops, inside)


def _group(drafts: Sequence[Draft]) -> None:
    """Gives a number to the calls that ran one behind the other for a model call that hides what it asked for."""
    used = [asked.group for draft in drafts for asked in draft.asked if asked.group is not None]
    numbers = count(max(used, default=-1) + 1)
    for draft in drafts:
        for together in _together(draft.items):
            number = next(numbers)
            for asked in together:
                asked.group = number


def _together(items: Iterable[Item]) -> Iterator[list[Asked]]:
    """The calls by ids, which a model gave them, between two model calls: one message asked for all of them."""
    found: list[Asked] = []
    hidden = False
    for item in items:
        if isinstance(item, Asked) and item.asker is None and item.call.id is not None and hidden:
            found.append(item)
        elif isinstance(item, Call):
            if len(found) > 1:
                yield found
            found, hidden = [], not item.given
    # behind the last model call there may be more that did not come


def _asker(item: Asked | Node) -> Node | None:
    if isinstance(item, Node):
        return item
    return item.asker.node if item.asker is not None else next(iter(item.spans), None)


def _expanded(tops: Iterable[Item], inside: dict[int, list[Item]]) -> list[Item]:
    """The items, each with what was inside of it behind it, however deep."""
    found: list[Item] = []
    waiting = [*tops][::-1]
    while waiting:
        found.append(waiting.pop())
        waiting += inside.pop(id(found[-1]), ())[::-1]
    return found
