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
