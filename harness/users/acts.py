"""What a sentence proposes to do: the tools that it speaks of, by the words of their names and descriptions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from harness.model.workflow import StubCase, Tool
from harness.users.objects import others
from harness.users.words import ACT_KEYS, LIGHT_KEYS, keys, name_keys
from tools_sandbox.call import Json
from tools_sandbox.schema import SandboxSchema, ToolSpec
from tools_sandbox.values import to_json

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
# In a tool's name these mean looking something up; in a sentence ("get a refund") they mean nothing of the kind.
_READING = frozenset(keys("get fetch list show read query"))
# To send something is said in many ways; what is sent tells as much.
_VAGUE = frozenset({"send"})
_NAME = 2.0


def named(name: str) -> str:
    """A tool's or act's name as words."""
    return _CAMEL.sub(" ", name)


@dataclass(frozen=True, slots=True)
class Act:
    """One tool as it is talked about. `heads`: what it does, or to what where its name has no verb that says something;
    `things`: all other words of its name, with the less weight the more tools share them; `about`: all words of its
    name, its description and its arguments; `sets`: the state paths that its cases in the file set, with the values.
    """

    tool: ToolSpec
    heads: frozenset[str]
    things: Mapping[str, float]
    about: frozenset[str]
    sets: tuple[tuple[str, Json], ...] = ()

    def strength(self, said: frozenset[str]) -> float:
        """How clearly a sentence with these keys names the tool; 0 if it does not."""
        heads = len(self.heads & said) / len(self.heads)
        return heads and _NAME * heads + sum(weight for thing, weight in self.things.items() if thing in said)

    def others(self, text: str, values: frozenset[str] = frozenset()) -> frozenset[str]:
        """The things that a text does this to and that are not what the tool does it to, nor the `values` (keys) of its
        arguments.
        """
        return others(text, self.heads & ACT_KEYS, self.about | values)


@dataclass(frozen=True, slots=True)
class Acts:
    """All tools of a sandbox, compiled once. `objects`: the keys of what its tables and tools are named after."""

    by_tool: Mapping[str, Act]
    objects: frozenset[str]

    @classmethod
    def of(cls, schema: SandboxSchema, written: Mapping[str, Tool] | None = None) -> Acts:
        """The acts of a schema's tools. `written`: those that the workflow's file describes."""
        names = {tool: _name_keys(tool) for tool in schema.tools}
        shared = Counter(key for name in names.values() for key in name)
        acts = {}
        for tool, spec in schema.tools.items():
            heads = names[tool] & ACT_KEYS or names[tool]
            if heads <= _VAGUE:
                heads = names[tool]
            things = {key: 1 / shared[key] for key in names[tool] - heads}
            told = (spec.description, *map(named, spec.arguments))
            acts[tool] = Act(spec, heads, things, names[tool].union(*map(keys, told)), _sets((written or {}).get(tool)))
        tables = map(name_keys, map(named, schema.tables))
        return cls(acts, frozenset().union(*names.values(), *tables) - ACT_KEYS - LIGHT_KEYS)

    def has(self, thing: str) -> bool:
        """Whether a thing is one that the sandbox has by this name."""
        return not self.objects.isdisjoint(keys(thing))

    def spoken_of(self, text: str) -> dict[str, float]:
        """The tools that a sentence names, each with how clearly (greater is clearer)."""
        said = keys(text)
        return {tool: strength for tool, act in self.by_tool.items() if (strength := act.strength(said))}


def _sets(tool: Tool | None) -> tuple[tuple[str, Json], ...]:
    answers: tuple[Tool | StubCase, ...] = (tool, *tool.cases) if tool else ()
    return tuple((path, to_json(value)) for answer in answers for path, value in answer.set.items())


def _name_keys(tool: str) -> frozenset[str]:
    said = name_keys(named(tool))
    told = said - LIGHT_KEYS - _READING | (frozenset({"find"}) if said & _READING else frozenset())
    return told or said


def best(strengths: Mapping[str, float]) -> tuple[str, ...]:
    """The tools with the greatest number, in the order of the mapping."""
    top = max(strengths.values(), default=0.0)
    return tuple(tool for tool, strength in strengths.items() if strength == top)
