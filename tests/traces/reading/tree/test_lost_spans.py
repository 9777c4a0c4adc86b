"""Model calls whose spans never came."""

from __future__ import annotations

from tests.traces.reading.made import SECOND, Trace, answer, assistant, user
from traces.log_record import LogRecord
from traces.reading import conversations


def test_a_call_whose_span_did_not_come_was_made_in_the_only_run_of_its_trace() -> None:
    trace = Trace()
    run = trace.run("desk")
    trace.tool(run, "get", {"k": 1}, "x", call_id="1", at=4)
    asks = assistant("", ("get", "1", {"k": 1}))
    told = [([user("a")], [asks]), ([user("a"), asks, answer("1", "x")], [assistant("b")])]
    records = [
        LogRecord(
            trace.id,
            f"{number:016x}",
            (2 * number + 1) * SECOND,
            "gen_ai.client.inference.operation.details",
            None,
            {"gen_ai.input.messages": asked, "gen_ai.output.messages": given},
        )
        for number, (asked, given) in enumerate(told, 1)
    ]
    (found,) = conversations(trace.spans, records)
    (turn,) = found.turns
    assert (turn.user, turn.assistant, turn.agents, found.id) == ("a", "b", ("desk",), "c1")
    assert [call.agent for call in turn.model_calls] == ["desk", "desk"]
    elsewhere = Trace(2, 1000)
    elsewhere.run("desk", conversation="c2")
    late = LogRecord(elsewhere.id, "f" * 16, 3000 * SECOND, records[0].name, None, records[0].attributes)
    (other,) = conversations(elsewhere.spans, [late])
    assert [call.agent for call in other.turns[0].model_calls] == [None]
