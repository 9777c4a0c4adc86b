"""The writes that a scenario expects: what its user wants to come about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.model.expect import Expect, literally
from harness.model.scenario import Scenario
from harness.users.acts import Act, Acts
from harness.users.details import Detail, details_of
from harness.users.words import keys
from tools_sandbox.call import Call
from tools_sandbox.matching import mismatches
from tools_sandbox.patterns import Listed, Matcher, Pattern, Subset
from tools_sandbox.schema import ANY, SandboxSchema, ToolSpec

_ARGUMENT = re.compile(r"\{\w+\}")
"""An argument's value in a path or value that a tool of the file sets."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """One expected write: a tool, patterns of some of its arguments, and how a sentence may tell their values."""

    act: Act
    arguments: Mapping[str, Pattern]
    details: tuple[Detail, ...]
    values: frozenset[str]
    """The keys of the argument values."""

    @property
    def spec(self) -> ToolSpec:
        """The tool."""
        return self.act.tool

    @property
    def tool(self) -> str:
        """The tool's name."""
        return self.spec.name

    def met_by(self, call: Call) -> bool:
        """Whether a call is this write."""
        given = call.arguments or {}
        return call.tool == self.tool and not any(
            mismatches(wanted, given.get(name), self.spec.arguments.get(name, ANY))
            for name, wanted in self.arguments.items()
        )

    def told(self, text: str) -> int | None:
        """How many of the argument values a sentence tells; None if it tells another value for one of them."""
        verdicts = [detail.told(text) for detail in self.details]
        return None if False in verdicts else verdicts.count(True)

    def others(self, text: str) -> frozenset[str]:
        """The things that a sentence does the act to, and that are not what the tool does it to."""
        return self.act.others(text, self.values)


@dataclass(frozen=True, slots=True)
class Branch:
    """One right end: the writes that it takes, and tools that it forbids whatever their arguments."""

    wishes: tuple[Wish, ...]
    never: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Every right end of a scenario. Without `any_of` there is one."""

    branches: tuple[Branch, ...]

    @classmethod
    def of(cls, scenario: Scenario, schema: SandboxSchema, acts: Acts) -> Wanted:
        """From the expectations at the end and of every turn.

        A write is expected if `calls` asks for it, if it ends the conversation with the expected outcome, if the gold
        path makes it, or, without a gold path, if it sets what the expected `state` has (unless a refusal is expected),
        or that speaks of it in the words of the tool's name.
        """
        reader = _Reader(schema, acts, state=not scenario.gold)
        turns = [expect for line in scenario.user.turns if (expect := line.expect)]
        always = [wish for expect in turns for branch in reader.branches(expect) for wish in branch.wishes]
        branches = reader.branches(scenario.expect)
        named = {wish.tool for wish in always} | {wish.tool for branch in branches for wish in branch.wishes}
        for step in scenario.gold:
            if step.tool is not None and step.tool not in named:
                given = {name: literally(value) for name, value in step.arguments.items()}
                always += reader.wishes(step.tool, given)
        return cls(tuple(Branch((*branch.wishes, *always), branch.never) for branch in branches))

    def reachable(self, calls: Sequence[Call]) -> tuple[Branch, ...]:
        """The right ends that the calls so far leave open: no forbidden call was tried, and every expected write that
        was made is one of theirs. All of them, if none is left.
        """
        if len(self.branches) == 1:
            return self.branches
        tried = {call.tool for call in calls}
        made = [call for call in calls if call.ok and any(_covers(branch, call) for branch in self.branches)]
        left = tuple(
            branch
            for branch in self.branches
            if not branch.never & tried and all(_covers(branch, call) for call in made)
        )
        return left or self.branches

    def known(self, calls: Sequence[Call]) -> frozenset[str]:
        """The keys of all that the expected writes may be said to do something to."""
        return frozenset().union(
            *(wish.act.about | wish.values for branch in self.reachable(calls) for wish in branch.wishes)
        )

    def outstanding(self, calls: Sequence[Call]) -> tuple[Wish, ...]:
        """The expected writes that no successful call has made yet, but for those that only prove who is talking."""
        made = [call for call in calls if call.ok]
        wishes = dict.fromkeys(wish for branch in self.reachable(calls) for wish in branch.wishes)
        return tuple(wish for wish in wishes if not wish.spec.proves and not any(map(wish.met_by, made)))


def _covers(branch: Branch, call: Call) -> bool:
    return any(wish.met_by(call) for wish in branch.wishes)


class _Reader:
    """From expectations to branches of wishes."""

    def __init__(self, schema: SandboxSchema, acts: Acts, *, state: bool) -> None:
        self._tools = schema.tools
        self._acts = acts
        self._state = state

    def branches(self, expect: Expect) -> list[Branch]:
        """One branch for each way through nested `any_of`; what stands outside belongs to all."""
        wishes, never = tuple(self._own(expect)), self._never(expect)
        inner = [branch for option in expect.any_of for branch in self.branches(option)]
        return [Branch((*wishes, *branch.wishes), never | branch.never) for branch in inner] or [Branch(wishes, never)]

    def wishes(self, tool: str, arguments: Mapping[str, Pattern]) -> Iterator[Wish]:
        """The wish for a call of a tool; none if it only reads."""
        spec = self._tools.get(tool)
        if spec is not None and spec.kind == "writes":
            act = self._acts.by_tool[tool]
            values = keys(" ".join(text for wanted in arguments.values() for text in _texts(wanted)))
            yield Wish(act, arguments, details_of(arguments, spec), values)

    def _own(self, expect: Expect) -> Iterator[Wish]:
        items = [*expect.calls.required, *expect.calls.in_order] if expect.calls else []
        for item in items:
            yield from self.wishes(item.tool, item.arguments)
        named = {item.tool for item in items}
        for tool, spec in self._tools.items():
            if tool not in named and (
                (spec.ends is not None and spec.ends == expect.outcome) or (self._state and self._changes(tool, expect))
            ):
                yield from self.wishes(tool, {})

    def _changes(self, tool: str, expect: Expect) -> bool:
        act, state = self._acts.by_tool[tool], expect.state or {}
        if expect.outcome != "refused" and any(_may_set(act, path, wanted) for path, wanted in state.items()):
            return True
        return any(act.heads & said for said in map(_state_keys, state.items()))

    def _never(self, expect: Expect) -> frozenset[str]:
        return (
            frozenset(item.tool for item in expect.calls.never if not item.arguments) if expect.calls else frozenset()
        )


def _may_set(act: Act, path: str, wanted: Pattern) -> bool:
    """Whether a case of the tool sets this path, or the row around it, and to nothing else than what is wanted."""
    for written, value in act.sets:
        pattern = ".+".join(map(re.escape, _ARGUMENT.split(written)))
        if re.fullmatch(pattern, path) and (_ARGUMENT.search(str(value)) or not mismatches(wanted, value, ANY)):
            return True
        if re.match(rf"{pattern}\.", path):
            return True
    members = wanted.members if isinstance(wanted, Subset) else {}
    return any(_may_set(act, f"{path}.{name}", member) for name, member in members.items())


def _state_keys(expected: tuple[str, Pattern]) -> frozenset[str]:
    """Words of a state path and of the text expected there."""
    path, wanted = expected
    return keys(" ".join([path.replace(".", " "), *_texts(wanted)]).replace("_", " "))


def _texts(wanted: Pattern) -> Iterator[str]:
    if isinstance(wanted, Matcher):
        yield from (value for value in wanted.tests.values() if isinstance(value, str))
    elif isinstance(wanted, Subset):
        for name, member in wanted.members.items():
            yield name
            yield from _texts(member)
    elif isinstance(wanted, Listed):
        for item in wanted.items:
            yield from _texts(item)
