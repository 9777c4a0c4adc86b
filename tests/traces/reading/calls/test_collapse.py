"""Model calls, each once, with the counts that are theirs."""

from __future__ import annotations

from tests.traces.reading.made import HISTORY, OUTPUT, Trace, assistant, model_calls, user
from traces.genai import Usage
from traces.reading import conversations


def test_counts_of_agents_are_no_calls() -> None:
    trace = Trace()
    run = trace.run()
    run.attributes |= {"gen_ai.usage.input_tokens": 99, "gen_ai.usage.output_tokens": 99}
    trace.model(run, HISTORY, OUTPUT)
    assert [call.usage for call in model_calls(trace.spans)] == [Usage(10, 5)]


def test_a_call_that_counts_nothing_at_all_was_told_nothing() -> None:
    trace = Trace()
    trace.model(trace.run(), [user("a")], [assistant("b")], tokens=(0, 0))
    (found,) = conversations(trace.spans)
    (call,) = found.turns[0].model_calls
    assert (call.usage, call.missing) == (None, "the span `span` gives no token counts")
