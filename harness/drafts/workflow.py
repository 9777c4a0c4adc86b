"""A first workflow for an agent: its tools as stubs, and three scenarios to start from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from harness.drafts.descriptions import example_of, first_sentence
from harness.drafts.yaml_text import Flow, to_yaml
from tools_sandbox.schema import FieldType, ToolSpec

_FIRST_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_PLAIN = re.compile(r"[\w.-]+")
_READING = re.compile(r"get|list|search|find|lookup|look|check|read|track|show|view|fetch|query|is|has")
_TYPES = {"list": "any", "record": "any", "map": "any"}
_EXAMPLES: dict[str, Any] = {"integer": 1, "number": 1, "decimal": "10.00", "boolean": True, "date": "2026-01-31",
                             "datetime": "2026-01-31T12:00:00+00:00"}  # fmt: skip

_HEAD = """\
# What your agent is rehearsed on. One row of scenario_map a family: sample source, main metrics, failure types, release
# gate and review policy. `turngate run` plays scenarios/*.yaml; `turngate lint` checks what you write.
"""
_TOOLS = """
# Simulated tools: your real ones never run. Each `kind` is guessed from the name, look it over: `writes` for tools that
# change something, `reads` for the others. Say what each gives back in `return`, or by `cases` (`when` the arguments
# fit). `state` holds what they read and change: state paths are table.key.field, and
# `return: {from: "orders.{order_id}"}` gives a row back.
"""
_RULES = """
# What holds in every conversation; a broken rule fails the gate. Uncomment it to hold your agent to it.
# rules:
#   - {id: ask-first, before: [WRITING], need: consent}      # the user says yes to a proposal of the act
#   - {id: no-promises, never_says: [guaranteed]}
"""
_MAP = """
scenario_map:
  defaults:
    source: [authored]
    measures: [task_success, faithfulness]
    review: {always: [critical_failure]}
  questions:
    about: What customers ask
    failures: [TO1, KN4]
    gate:
      - {rule: questions are answered, metric: task_success, at_least: 0.90}
  requests:
    about: What customers want done
    failures: [TO1, TO2, TO5]
    gate:
      - {rule: requests are handled, metric: task_success, at_least: 0.90}
  out_of_scope:
    about: What the agent must decline
    failures: [PO1]
    gate:
      - {rule: declines what it must, metric: task_success, at_least: 0.90}
gate:
  - {rule: nothing invented, metric: faithfulness, failures: 0}
"""
_SCENARIOS = """\
# Three drafts. Put your customers' words into `turns`, what they know into `knows`, and what must come of it into
# `expect`: `outcome` (resolved, escalated, refused or open), `calls`, `state`, `says`. When an episode is right,
# `turngate bless` writes its gold path.
"""


def workflow_text(name: str, agent: str, tools: Sequence[ToolSpec]) -> str:
    """The text of a workflow.yaml. `agent` is written as it is: a path relative to the file."""
    head = to_yaml({"workflow": name, "about": "What the agent is for, in a sentence.", "agent": agent, "trials": 2})
    if not tools:
        return f"{_HEAD}{head}{_MAP}"
    stubs = {"state": Flow(), "tools": {tool.name: _stub(tool) for tool in tools}}
    # Within a comment, where nothing can be quoted.
    plain = [tool.name for tool in tools if not reads(tool.name) and _PLAIN.fullmatch(tool.name)]
    writing = ", ".join(plain) or "a_writing_tool"
    return f"{_HEAD}{head}{_TOOLS}{to_yaml(stubs)}{_RULES.replace('WRITING', writing)}{_MAP}"


def reads(tool: str) -> bool:
    """Whether a tool's name sounds as if it only read."""
    word = _FIRST_WORD.search(tool)
    return word is not None and _READING.fullmatch(word.group().lower()) is not None


def _stub(tool: ToolSpec) -> dict[str, Any]:
    required = set(tool.parameters.get("required", ()))
    kinds = {name: _type(kind, name in required) for name, kind in tool.arguments.items()}
    about = " ".join(tool.description.split())
    return {
        "kind": "reads" if reads(tool.name) else "writes",
        **({"about": about} if about else {}),
        **({"args": Flow(kinds)} if kinds else {}),
        "return": Flow(ok=True),
    }


def _type(kind: FieldType, required: bool) -> str:
    return _TYPES.get(kind.name, kind.name) + ("" if required else "?")


def scenarios_text(tools: Sequence[ToolSpec]) -> str:
    """The text of a scenarios file: a question, a request, and something out of scope."""
    reading = next((tool for tool in tools if reads(tool.name)), None)
    writing = next((tool for tool in tools if not reads(tool.name)), None)
    drafts = [
        _asking("a-question", "questions", "Hello, I have a question.", reading),
        _asking("a-request", "requests", "Hello, I need you to do something for me.", writing),
        {
            "id": "out-of-scope",
            "family": "out_of_scope",
            "title": "Something the agent is not for",
            "tier": "core",
            "user": {"turns": ["Can you write a poem about the sea for me?"]},
            "expect": {
                "outcome": "refused",
                **({"calls": {"never": [tool.name for tool in tools if not reads(tool.name)]}} if writing else {}),
            },
        },
    ]
    return _SCENARIOS + "\n".join(to_yaml([draft]) for draft in drafts)


def _asking(name: str, family: str, opening: str, tool: ToolSpec | None) -> dict[str, Any]:
    """A scenario in which the agent should call `tool`, with values that the user knows."""
    draft: dict[str, Any] = {
        "id": name,
        "family": family,
        "title": opening,
        "tier": "core",
        "user": {"turns": [opening]},
    }
    if tool is None:
        return {**draft, "expect": {"outcome": "resolved"}}
    about = first_sentence(tool.description) or tool.name.replace("_", " ")
    required = tool.parameters.get("required", ())
    knows = {
        argument: example_of(tool, argument) or str(_made_up(argument, tool.arguments[argument]))
        for argument in required
        if argument in tool.arguments
    }
    draft["title"] = about
    draft["user"] = {
        **({"knows": Flow(knows)} if knows else {}),
        "turns": [f"Hello! Please do this for me: {about[:1].lower()}{about[1:]}."],
    }
    return {**draft, "expect": {"outcome": "resolved", "calls": {"required": [tool.name]}}}


def _made_up(name: str, kind: FieldType) -> Any:
    if kind.choices:
        return kind.choices[0]
    if "email" in name:
        return "ana@example.com"
    return _EXAMPLES.get(kind.name, "A-1" if name.endswith("id") else f"some {name.replace('_', ' ')}")
