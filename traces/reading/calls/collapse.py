"""Model calls, each once, however many instrumentations saw it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from traces.genai import Usage
from traces.reading.calls.atoms import Atoms, beginnings
from traces.reading.calls.copies import copies
from traces.reading.calls.items import name_asked
from traces.reading.calls.model_calls import Call
from traces.reading.calls.outputs import complete
from traces.reading.calls.repairs import put_back, restore
from traces.reading.calls.reports import Reports
from traces.reading.tree.forest import Node

_PLACE = attrgetter("start", "node.span.trace_id", "node.span.span_id")


def collapse(nodes: Iterable[Node]) -> list[Call]:
    """The model calls among the spans of any number of traces, each once, in the order of their starts."""
    nodes = list(nodes)
    reports = Reports(nodes)
    models = [node for node in nodes if node.facts.kind == "model"]
    reports.name(models)
    atoms = Atoms()
    calls = [_call(group, atoms, reports) for group in copies(models)]
    if around := {node.model for node in nodes if node.facts.kind == "tool" and node.model is not None}:
        for call in calls:
            call.calls_tools = not around.isdisjoint(call.nodes)
    calls.sort(key=_PLACE)
    restore(calls)
    complete(calls)
    name_asked(calls, nodes)
    put_back(calls)
    return calls


def _call(group: list[Node], atoms: Atoms, reports: Reports) -> Call:
    if len(group) > 1:
        group.sort(key=_telling)
        history = next((node.facts.input for node in group if node.facts.input is not None), None)
        output = next((node.facts.output for node in group if node.facts.output), ())
        first = next((node.facts.output for node in group if node.facts.output is not None), ())
    else:
        history, output = group[0].facts.input, group[0].facts.output or ()
        first = output
    asked = None if history is None else atoms.of(history)
    given = atoms.of(output)
    marks = beginnings([*(asked or ()), *given])
    cut = history[-1].cut if history else False
    clipped = any(message.cut for message in first)
    return Call(group, asked, given, marks, cut, clipped, _usage(group, reports))


def _usage(group: Sequence[Node], reports: Reports) -> Usage | None:
    """The first count, with the parts that only others of the same sum give. Who counts 0 and 0 was told nothing."""
    counts = [node.facts.usage for node in group if node.facts.counted]
    if reports:
        counts += [reports.usage(node.facts.response_id) for node in group]
    told = [usage for usage in counts if usage is not None and (usage.input or usage.output)]
    if not told:
        return None
    first = told[0]
    if len(told) == 1:
        return first
    same = [usage for usage in told if (usage.input, usage.output) == (first.input, first.output)]
    if len(same) == 1:
        return first
    return Usage(first.input, first.output, max(usage.cached for usage in same), max(usage.reasoning for usage in same))


def _telling(node: Node) -> tuple[object, ...]:
    """Sorts first the span that holds the most messages, then one with token counts, then the outer."""
    facts = node.facts
    asked = sum(not message.cut for message in facts.input or ())
    usage: Usage | None = facts.usage
    return -asked, not facts.output, usage is None, node.span.start, node.span.trace_id, node.span.span_id
