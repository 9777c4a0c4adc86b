"""CrewAI as OpenLLMetry shows it."""

from __future__ import annotations

from tests.traces.dialects.made import facts, span


def test_an_agent_names_its_model_but_is_no_call():
    at = {"traceloop.span.kind": "agent", "crewai.agent.role": "Clerk", "gen_ai.request.model": "m-1"}
    found = facts(span("opentelemetry.instrumentation.crewai")(at))
    assert (found.kind, found.dialect, found.agent) == ("agent", "crewai", "Clerk")


def test_a_task_is_what_was_said_and_its_output_the_answer():
    at = {
        "traceloop.span.kind": "task",
        "crewai.task.description": "Find the fee of B-7",
        "traceloop.entity.output": "3 EUR",
    }
    found = facts(span()(at))
    assert (found.kind, found.said, found.replied) == ("agent", "Find the fee of B-7", "3 EUR")
    crew = facts(span()({"gen_ai.system": "crewai", "crewai.crew.result": "3 EUR", "crewai.crew.tasks": "[]"}))
    assert (crew.kind, crew.replied, crew.counted) == ("agent", "3 EUR", False)


def test_a_wrapper_of_a_model_is_a_call_of_which_nothing_more_is_known():
    found = facts(span()({"crewai.llm.model": "m-1"}))
    assert (found.kind, found.model, found.input, found.usage) == ("model", "m-1", None, None)
