"""A service that plays as the agent, written in a file of its own."""

from __future__ import annotations

from pathlib import Path

from harness.model.remote import HttpAgent, mistakes
from harness.workflow.find import shown
from harness.workflow.problems import Problem, Problems
from harness.workflow.validate import validate, value_place
from harness.workflow.yaml_nodes import parse, read_text


def read_http_agent(file: Path) -> HttpAgent:
    """The service that a file describes, as `agent:` of a workflow would. Raises Problems, all at once."""
    name = shown(file)
    node = parse(read_text(file, name), name)
    problems: list[Problem] = []
    agent = validate(HttpAgent, node, problems)
    if agent is not None:
        problems += [Problem(value_place(node, path), wrong) for path, wrong in mistakes(agent)]
    if agent is None or problems:
        raise Problems(problems)
    return agent
