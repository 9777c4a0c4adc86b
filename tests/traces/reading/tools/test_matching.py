"""Spans are put to calls as the rules say, though no look is taken at all calls for each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.traces.reading.made import Trace, answer, assistant, tool_calls, user
from traces.conversation import ToolError
from traces.dialects.facts import Answer, AskedCall
from traces.reading import conversation
from traces.reading.calls.collapse import collapse
from traces.reading.drafts import Asked
from traces.reading.tools.executions import executions
from traces.reading.tools.matching import attach
from traces.reading.tree.forest import Node, forest

IDS = st.sampled_from([None, None, "1", "2", "3"])


NAMES = st.sampled_from(["look", "Tools-look", "find", "", "-"])


ARGUMENTS = st.sampled_from(
    [None, {}, {"i": 1}, {"i": 1.0}, {"i": 1, "j": "x"}, {"j": "x"}, {"k": {"i": 1}}, 1, "x", [1]]
)


RESULTS = st.sampled_from([None, "a", "b", {"c": 1}, '{"c": 1.0}'])


CALLS = st.lists(st.tuples(NAMES, IDS, ARGUMENTS, st.none() | st.integers(0, 3), RESULTS), max_size=6)


SPANS = st.lists(st.tuples(NAMES, IDS, ARGUMENTS, RESULTS, st.integers(0, 1), st.integers(1, 12)), max_size=6)


@given(CALLS, SPANS)
def test_each_span_is_put_to_the_call_that_the_rules_say(
    calls: list[tuple[Any, ...]], spans: list[tuple[Any, ...]]
) -> None:
    traces = [Trace(1), Trace(2)]
    runs = [trace.run(at=0) for trace in traces]
    for number, trace in enumerate((*traces, *traces)):
        trace.model(runs[number % 2], [user("q")], None, at=3 + 2 * number)
    for name, call_id, arguments, result, number, at in spans:
        traces[number].tool(runs[number], name, arguments, result, call_id, at=at, lasting=2)
    nodes, _ = forest([span for trace in traces for span in trace.spans], [])
    askers = collapse(nodes)
    groups = executions(nodes)
    one, other = (
        [
            Asked(
                AskedCall(name, call_id, arguments),
                None if asker is None else askers[asker],
                None if result is None else Answer(call_id, result),
            )
            for name, call_id, arguments, asker, result in calls
        ]
        for _ in range(2)
    )
    assert attach(one, groups) == plainly(other, groups)
    assert [(asked.spans, asked.mended) for asked in one] == [(asked.spans, asked.mended) for asked in other]


def plainly(asked: Sequence[Asked], groups: Sequence[list[Node]]) -> Sequence[list[Node]]:
    """The same by the definition: a look at every call for every span."""
    known = {item.call.id for item in asked}
    for rule in (by_id, by_arguments, by_name, by_foreign_id):
        left = []
        for group in groups:
            fit = [
                item
                for item in asked
                if not item.spans and any(rule(item, node, node.facts.tool, known) for node in group)
            ]
            if not fit:
                left.append(group)
                continue
            found = min(fit, key=lambda item: far(item, group))
            found.spans.extend(group)
            found.mended = found.asker is not None and all(
                node.span.trace_id != found.asker.node.span.trace_id for node in group
            )
        groups = left
    return groups


def by_id(item: Asked, node: Node, seen: Any, known: set[str | None]) -> bool:
    return seen.id is not None and seen.id == item.call.id


def by_arguments(item: Asked, node: Node, seen: Any, known: set[str | None]) -> bool:
    return alike(item, seen) and same_arguments(item.call.arguments, seen.arguments)


def by_name(item: Asked, node: Node, seen: Any, known: set[str | None]) -> bool:
    return alike(item, seen) and (item.call.arguments is None or seen.arguments is None)


def by_foreign_id(item: Asked, node: Node, seen: Any, known: set[str | None]) -> bool:
    if seen.id in known or item.asker is None or item.asker.node.span.trace_id != node.span.trace_id:
        return False
    return same_name(item.call.name, seen.name) and same_arguments(item.call.arguments, seen.arguments)


def alike(item: Asked, seen: Any) -> bool:
    return (seen.id is None or item.call.id is None) and same_name(item.call.name, seen.name)


def same_name(one: str, other: str) -> bool:
    return one == other or (bool(one and other) and one.split("-")[-1] == other.split("-")[-1])


def same_arguments(asked: Any, seen: Any) -> bool:
    if asked is None or seen is None:
        return False
    if isinstance(asked, dict) and isinstance(seen, dict):
        flat = not any(isinstance(value, dict) for value in (*asked.values(), *seen.values()))
        return asked == seen or (flat and bool(asked) and asked.items() <= seen.items())
    return asked == seen or (isinstance(asked, dict) and len(asked) == 1 and next(iter(asked.values())) == seen)


def far(item: Asked, group: Sequence[Node]) -> tuple[Any, ...]:
    """No telling of the very result, another run, asked for only later, and how far away in time."""
    told = item.answer is not None and any(
        value(item.answer.content) == value(node.facts.result) for node in group if node.facts.has_result
    )
    if item.asker is None:
        return not told, True, True, 0
    late = group[0].span.start - item.asker.start
    return not told, item.asker.node.run is not group[0].run, late < 0, abs(late)


def value(result: Any) -> Any:
    return json.loads(result) if isinstance(result, str) and result.startswith("{") else result


def test_calls_without_any_id_are_matched_by_name_and_order() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", None, {"k": 1}), ("put", None, {}))
    trace.model(run, [user("a")], [asks])
    back = [
        {"role": "tool", "parts": [{"type": "tool_call_response", "name": "put", "response": "p"}]},
        answer(None, "g"),
    ]
    trace.model(run, [user("a"), asks, *back], [assistant("b")])
    assert [(call.name, call.told) for call in tool_calls(conversation(trace.spans))] == [("get", "g"), ("put", "p")]


def test_ids_that_repeat_in_every_turn_are_told_apart() -> None:
    trace = Trace()
    history: list[Any] = []
    for number in (1, 2):
        run = trace.run()
        history.append(user(f"q{number}"))
        asks = assistant("", ("get", "call_0", {"k": number}))
        trace.model(run, history, [asks])
        trace.tool(run, "get", {"k": number}, f"r{number}", "call_0")
        history += [asks, answer("call_0", f"r{number}")]
        trace.model(run, history, [assistant(f"a{number}")])
        history.append(assistant(f"a{number}"))
    found = conversation(trace.spans)
    assert [(call.arguments, call.result, call.told) for call in tool_calls(found)] == [
        ({"k": 1}, "r1", "r1"),
        ({"k": 2}, "r2", "r2"),
    ]


def test_the_bare_value_of_the_only_argument_is_recognised() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("weather", "1", {"city": "Zürich"}), ("weather", "2", {"city": "東京"}))
    trace.model(run, [user("a")], [asks])
    for city, weather in (("東京", "9°C"), ("Zürich", "-2°C")):
        trace.add(
            {"openinference.span.kind": "TOOL", "tool.name": "weather", "input.value": city, "output.value": weather},
            run,
        )
    found = tool_calls(conversation(trace.spans))
    assert [(call.arguments, call.result) for call in found] == [
        ({"city": "Zürich"}, "-2°C"),
        ({"city": "東京"}, "9°C"),
    ]


def test_a_prefix_before_the_name_is_the_frameworks() -> None:
    trace = Trace()
    run = trace.run()
    trace.model(run, [user("a")], [assistant("", ("Tools-get", None, {}))])
    trace.tool(run, "get", {}, "x")
    (call,) = tool_calls(conversation(trace.spans))
    assert (call.name, call.result) == ("Tools-get", "x")


def test_an_id_that_no_message_knows_is_the_librarys_own() -> None:
    trace = Trace()
    run = trace.run()
    asks = assistant("", ("get", "1", {"k": 1}), ("get", "2", {"k": 2}))
    trace.model(run, [user("a")], [asks])
    trace.tool(run, "get", {"k": 2}, "y", call_id="2")
    trace.tool(run, "get", {"k": 1}, call_id="run-9", status="error", status_text="ValueError: no")
    trace.tool(run, "get", {"k": 2}, "again", call_id="run-10")
    trace.model(run, [user("a"), asks, answer("1", "no"), answer("2", "y")], [assistant("b")])
    first, second, third = tool_calls(conversation(trace.spans))
    assert (first.id, first.error, second.id, second.result) == ("1", ToolError("ValueError", "no", "status"), "2", "y")
    assert (third.id, third.result) == ("run-10", "again")  # its call has its own span
