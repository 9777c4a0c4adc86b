"""Whatever spans hold, every view of them can be made, and no terminal obeys it."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from rich.console import Console

from harness.reports.traces.as_json import trace_json
from harness.reports.traces.diff_page import diff_page
from harness.reports.traces.figures import Figures, figures_json
from harness.reports.traces.figures_page import figures_page
from harness.reports.traces.page import trace_page
from harness.reports.traces.trace import Trace
from harness.reports.traces.tree import tree
from harness.reports.traces.waterfall import waterfall
from tests.traces.otlp.trees import RECORDS
from traces.outline import outline
from traces.reading import conversation
from traces.span import Span


def printed(*parts):
    out = io.StringIO()
    console = Console(file=out, width=100, markup=False, emoji=False, highlight=False, color_system=None)
    console.print(*parts, sep="\n")
    return out.getvalue()


def views(found):
    told = outline(found)
    trace = Trace(
        id="c-1",
        origin="imported",
        name=found.id,
        status=told.status,
        started=told.started / 1e9,
        ended=told.ended / 1e9,
        turns=told.turns,
        model_calls=told.model_calls,
        tool_calls=told.tool_calls,
        errors=told.errors,
        tools=told.tools,
        agents=found.agents,
        load=lambda: found,
    )
    yield printed(trace_page(trace, found))
    yield printed(trace_page(trace, found, full=True))
    yield printed(*tree(found))
    yield printed(*waterfall(found, 100))
    yield printed(diff_page(trace, trace))
    figures = Figures()
    figures.add(found, None)
    yield printed(figures_page(figures))
    document = "".join(trace_json(trace.figures, found))
    assert shape(document) == shape(f"{json.dumps(json.loads(document), indent=2)}\n")
    yield document
    yield json.dumps(figures_json(figures), ensure_ascii=True)


def shape(text):
    return [len(line) - len(line.lstrip()) for line in text.split("\n")]


def harmless(text):
    return not any(
        (ord(char) < 32 and char not in "\n\t") or 0x7F <= ord(char) < 0xA0 or char in "\u202e\ud800" for char in text
    )


@settings(max_examples=60, deadline=None)
@given(RECORDS)
def test_any_spans_and_log_records_are_shown(records):
    spans = [each for each in records if isinstance(each, Span)]
    found = conversation(spans, [each for each in records if not isinstance(each, Span)])
    assert all(harmless(text) for text in views(found))


@pytest.mark.parametrize("depth", [50, 500, 5000])
def test_deep_arguments_and_results_are_shown(depth):
    deep = "[" * depth + "]" * depth
    nested = 0
    for _ in range(min(depth, 500)):
        nested = {"a": nested}
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "dig",
        "gen_ai.tool.call.arguments": deep,
        "gen_ai.tool.call.result": nested,
    }
    found = conversation([Span("a" * 32, "b" * 16, None, "dig", "internal", 1, 2, attributes)])
    assert any("dig" in text for text in views(found))


def test_a_very_deep_tree_is_shown():
    spans = [
        Span("a" * 32, f"{n:016x}", f"{n - 1:016x}" if n else None, f"s{n}", "internal", n, n + 1) for n in range(3000)
    ]
    (page, *_, flow) = printed(*tree(conversation(spans))), printed(*waterfall(conversation(spans), 100))
    assert page.count("\n") == flow.count("\n") - 1 == 3001
