"""Scenarios from the tasks of τ²-bench: what the user wants, in their own words, and what must be called and said."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.drafts.scenario import pattern
from harness.drafts.yaml_text import Flow, to_yaml
from tools_sandbox.call import Json

REQUESTS, NOTHING = "requests", "nothing_to_change"
"""Families: tasks in which something must be changed, and those in which nothing may be."""

_WIDTH = 110
_PERSONS: Mapping[str, str] = {
    "you are": "I am",
    "you're": "I'm",
    "you were": "I was",
    "yourself": "myself",
    "yours": "mine",
    "your": "my",
    "you": "I",
}
"""The longest first: what stands in front of another is found before it."""
_OBJECT = re.compile(
    r"\b(to|for|with|from|of|at|by|let|told|tells?|helps?|calls?|gives?|gave|sends?|sent|asks?|charged?|caused?) you\b",
    re.IGNORECASE,
)
"""Where `you` is no subject, as far as the word before it tells."""
_SECOND = re.compile(rf"\b({'|'.join(_PERSONS)})\b", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:[Yy]ou are|[Yy]our? name is) ([A-Z][\w'-]+ [A-Z][\w'-]+)")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_POSTCODE = re.compile(r"\bzip ?code (?:is )?(\d{5})\b")
_KEY = re.compile(r"#?\w+")
_UNKNOWN: Mapping[str, str] = {"email": "email", "reservation id": "reservation_id", "order id": "order_id"}


@dataclass(frozen=True, slots=True)
class Domain:
    """What is known of a domain: its tools, those of them that change something, and the keys of each table's rows."""

    tools: Collection[str]
    writing: Collection[str]
    keys: Mapping[str, Collection[str]]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class Action(_Part):
    """A call that the task expects; `requestor` says whose."""

    name: str
    arguments: dict[str, Json] = Field(default_factory=dict)
    requestor: Literal["assistant", "user"] = "assistant"


class _Function(_Part):
    name: str


class Tool(_Part):
    """A tool of the agent, as tools.json tells of it."""

    function: _Function
    tool_type: str = ""


class _Instructions(_Part):
    reason_for_call: str = ""
    known_info: str | None = None
    unknown_info: str | None = None
    task_instructions: str | None = None


class _UserScenario(_Part):
    instructions: _Instructions | str


class _Criteria(_Part):
    actions: list[Action] | None = None
    communicate_info: list[str] | None = None
    nl_assertions: list[str] | None = None


class _Description(_Part):
    purpose: str | None = None


class Task(_Part):
    """A task of τ²-bench: who calls and why, and what must come of it."""

    id: str
    description: _Description | None = None
    user_scenario: _UserScenario
    initial_state: dict[str, Json] | None = None
    evaluation_criteria: _Criteria | None = None

    @property
    def instructions(self) -> _Instructions:
        """What the user is told, which some domains do in one text."""
        told = self.user_scenario.instructions
        return _Instructions(reason_for_call=told) if isinstance(told, str) else told

    @property
    def criteria(self) -> _Criteria:
        """What is expected, nothing if the task says nothing."""
        return self.evaluation_criteria or _Criteria()

    @property
    def actions(self) -> list[Action]:
        """The calls that are expected of the agent."""
        return [action for action in self.criteria.actions or [] if action.requestor == "assistant"]


def scenarios_text(tasks: Iterable[Task], domain: Domain) -> str:
    """The text of a scenarios file."""
    return "\n".join(f"{_comment(task, domain)}{to_yaml([scenario(task, domain)])}" for task in tasks)


def family(task: Task, domain: Domain) -> str:
    """The family that a task is in."""
    return REQUESTS if any(action.name in domain.writing for action in task.actions) else NOTHING


def scenario(task: Task, domain: Domain) -> dict[str, Any]:
    """A scenario that asks for what the task asks for: its calls that change something and no others of the kind, and
    its words.
    """
    wanted = [action for action in task.actions if action.name in domain.writing]
    said = task.criteria.communicate_info or []
    purpose = (task.description.purpose if task.description else None) or task.instructions.reason_for_call
    known = _known(task.instructions, domain.keys)
    calls: dict[str, Any] = {}
    if wanted:
        calls["required"] = [{action.name: pattern(action.arguments)} for action in wanted]
        calls["at_most"] = Flow(Counter(action.name for action in wanted))
    if never := sorted(set(domain.writing) - {action.name for action in wanted}):
        calls["never"] = never
    reply = f"I have looked into it: {', '.join(said)}." if said else "I have looked into it."
    made = [{action.name: Flow(action.arguments)} for action in task.actions if action.name in domain.tools]
    return {
        "id": f"task-{re.sub(r'[^0-9A-Za-z._-]+', '-', task.id)}",
        "family": family(task, domain),
        "title": textwrap.shorten(purpose, 90, placeholder=" …"),
        "tier": "core",
        **({"speaker": known["user_id"]} if known.get("user_id") else {}),
        "user": {
            **({"knows": Flow(known)} if known else {}),
            "turns": [" ".join(first_person(task.instructions.reason_for_call).split()) or "Hello."],
        },
        "expect": {
            "calls": calls,
            **({"says": [Flow(mentions=text) for text in said]} if said else {}),
        },
        "gold": [*made, {"reply": reply}],
    }


def first_person(text: str) -> str:
    """What a user is told of themselves, said by them: `You want your money back` is `I want my money back`."""
    return _SECOND.sub(_turned, _OBJECT.sub(r"\1 me", text))


def _turned(found: re.Match[str]) -> str:
    turned = _PERSONS[found[0].lower()]
    return turned[0].upper() + turned[1:] if found[0][0].isupper() else turned


def _known(told: _Instructions, keys: Mapping[str, Collection[str]]) -> dict[str, str | None]:
    """The user's facts: keys of rows, by the singular of their table, and name, e-mail and postcode."""
    known_info = told.known_info or ""
    mentioned = dict.fromkeys(_KEY.findall(f"{known_info} {told.reason_for_call} {told.task_instructions or ''}"))
    facts: dict[str, str | None] = {}
    for table, rows in keys.items():
        of_this = [key for key in mentioned if key in rows]
        if len(of_this) == 1:
            facts[f"{table.removesuffix('s')}_id"] = of_this[0]
    for slot, shape in (("name", _NAMED), ("email", _EMAIL), ("postcode", _POSTCODE)):
        if found := shape.search(known_info):
            facts[slot] = found[found.re.groups]
    unknown = (told.unknown_info or "").lower()
    return {**{slot: None for word, slot in _UNKNOWN.items() if word in unknown}, **facts}


def _comment(task: Task, domain: Domain) -> str:
    """What the task says and no key of a scenario takes over, for whoever goes on writing."""
    told = task.instructions
    parts = [
        ("how they talk and what else they want", told.task_instructions),
        ("what they know", told.known_info),
        ("what they don't know", told.unknown_info),
        ("what a judge would look for", " ".join(task.criteria.nl_assertions or [])),
        ("not taken over", ", ".join(_left_out(task, domain))),
    ]
    lines = [f"τ²-bench task {task.id}", *(f"{name}: {text}" for name, text in parts if text and text.strip())]
    return "".join(f"# {line}\n" for text in lines for line in _wrapped(text))


def _left_out(task: Task, domain: Domain) -> Iterator[str]:
    if task.initial_state:
        yield "an initial_state"
    yield from sorted(
        {f"a call of {each.name}, which is no tool" for each in task.actions if each.name not in domain.tools}
    )
    if len(task.actions) < len(task.criteria.actions or []):
        yield "calls of the user's own tools"


def _wrapped(text: str) -> Iterator[str]:
    visible = "".join(char if char.isprintable() else " " for char in text)
    yield from textwrap.wrap(" ".join(visible.split()), _WIDTH, subsequent_indent="  ")
