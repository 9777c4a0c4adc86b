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


def test_openinference_tells_of_crews_and_tools_too():
    scope = "openinference.instrumentation.crewai"
    tasks = '[{"description": "Find the fee of B-7", "expected_output": "a fee"}]'
    kickoff = {
        "openinference.span.kind": "CHAIN",
        "crew_tasks": tasks,
        "output.value": '{"raw": "3 EUR", "json_dict": null}',
    }
    crew = facts(span(scope, "Crew_1.kickoff")(kickoff))
    assert (crew.kind, crew.dialect, crew.said, crew.replied) == ("agent", "crewai", "Find the fee of B-7", "3 EUR")
    task = '{"description": "Find the fee of B-7", "raw": "3 EUR"}'
    agent = {"openinference.span.kind": "AGENT", "graph.node.id": "Clerk", "output.value": task}
    found = facts(span(scope, "Clerk._execute_core")(agent))
    assert (found.agent, found.said, found.replied) == ("Clerk", "Find the fee of B-7", "3 EUR")
    tool = {"openinference.span.kind": "TOOL", "input.value": '{"order": "B-7"}', "output.value": "3 EUR"}
    called = facts(span(scope, "get_fee.run")(tool)).tool
    assert called is not None
    assert (called.name, called.arguments) == ("get_fee", {"order": "B-7"})


def test_several_tasks_are_not_one_question():
    at = {"crewai.crew.tasks": '[{"description": "a"}, {"description": "b"}]'}
    assert facts(span()(at)).said is None
