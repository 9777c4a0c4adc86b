"""Judgements find their turn."""

from __future__ import annotations

from tests.traces.reading.made import Trace, assistant, handled, of_service, user, words
from traces.log_record import LogRecord
from traces.reading import conversations


def test_a_judgement_goes_to_the_application_that_it_comes_from() -> None:
    spans = [
        *of_service(handled(1, [user("a")], "1", conversation_id="x"), "shop"),
        *of_service(handled(2, [user("b")], "2", conversation_id="x"), "bank"),
    ]
    attributes = {"gen_ai.evaluation.name": "good", "gen_ai.conversation.id": "x"}
    log = LogRecord(None, None, 5, "gen_ai.evaluation.result", None, attributes, {"service.name": "bank"})
    assert [(words(one), len(one.feedback)) for one in conversations(spans, [log])] == [(["a"], 0), (["b"], 1)]


def test_feedback_finds_its_turn() -> None:
    spans = [
        *handled(1, [user("a")], "b", {"gen_ai.response.id": "r1"}, "x"),
        *handled(2, [user("a"), assistant("b"), user("c")], "d", {"gen_ai.response.id": "r2"}, "x"),
    ]
    run = spans[2]

    def judged(name: str, trace_id: str | None, span_id: str | None, **more: str) -> LogRecord:
        attributes = {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": 1, **more}
        return LogRecord(trace_id, span_id, 5, "gen_ai.evaluation.result", None, attributes)

    later = Trace(9, 9000)
    later.add(
        {
            "openinference.span.kind": "EVALUATOR",
            "annotations.0.annotation.name": "linked",
            "annotations.0.annotation.score": 0.5,
        },
        links=((run.trace_id, run.span_id),),
    )
    logs = [
        judged("on the span", run.trace_id, run.span_id),
        judged("by response", None, None, **{"gen_ai.response.id": "r1", "gen_ai.conversation.id": "x"}),
        judged("of the whole", None, None, **{"gen_ai.conversation.id": "x"}),
    ]
    (found,) = conversations([*spans, *later.spans], logs)
    assert {one.name: one.turn for one in found.feedback} == {
        "on the span": 1,
        "linked": 1,
        "by response": 0,
        "of the whole": None,
    }
