"""Which response a model call got, as a span beside it reports."""

from __future__ import annotations

import pytest

from tests.traces.reading.made import Trace, assistant, user
from traces.reading import conversations

LLAMA_INDEX = "openinference.instrumentation.llama_index"


def report(trace: Trace, number: int, model: str, taken: int) -> None:
    raw = {"id": f"chatcmpl-{number}", "model": model, "usage": {"completion_tokens": 5, "prompt_tokens": taken}}
    event = {"openinference.span.kind": "CHAIN", "input.value": f"AgentOutput(raw={raw}, tool_calls=[])"}
    trace.add(event, trace.spans[0], scope=LLAMA_INDEX)


@pytest.mark.parametrize(
    ("reports", "told"),
    [
        ([("m-2026", 10)], ("m-2026", "chatcmpl-0")),
        ([("m-2026", 11)], (None, None)),
        ([("other", 10)], (None, None)),
        ([("m-2026", 10), ("m-2026", 10)], (None, None)),
    ],
)
def test_a_response_is_that_of_the_call_with_its_counts(
    reports: list[tuple[str, int]], told: tuple[str | None, str | None]
) -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")])
    for number, (model, taken) in enumerate(reports):
        report(trace, number, model, taken)
    (found,) = conversations(trace.spans)
    (call,) = found.turns[0].model_calls
    assert (call.response_model, call.response_id) == told


def test_of_two_calls_with_the_same_counts_it_is_unclear_whose_response_is_reported() -> None:
    trace = Trace()
    run = trace.run()
    for reply in ("b", "c"):  # at the same time
        trace.model(run, [user("a")], [assistant(reply)], at=2)
    report(trace, 0, "m-2026", 10)
    (found,) = conversations(trace.spans)
    assert [call.response_id for turn in found.turns for call in turn.model_calls] == [None, None]


def test_spans_of_the_same_call_have_the_same_response() -> None:
    trace = Trace()
    run = trace.run()
    outer = trace.model(run, [user("a")], [assistant("b")], at=2, lasting=2)
    trace.model(outer, [user("a")], [assistant("b")], at=2.5)
    trace.model(run, [user("a")], [assistant("b")], at=2, lasting=2, scope="other")
    report(trace, 0, "m-2026", 10)
    (found,) = conversations(trace.spans)
    assert [call.response_id for turn in found.turns for call in turn.model_calls] == ["chatcmpl-0"]
