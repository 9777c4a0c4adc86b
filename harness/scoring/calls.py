"""Expected tool calls against actual ones: paired one to one, optimally, with the reason for every mismatch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.model.expect import CallItem
from harness.scoring.timeline import Step
from tools_sandbox.call import Call
from tools_sandbox.matching import Mismatch, describe, mismatches, pair
from tools_sandbox.patterns import Matcher, Pattern, Subset
from tools_sandbox.schema import FieldType, SandboxSchema

Made = tuple[Step, Call]
"""A tool call and when it was made."""


@dataclass(frozen=True, slots=True)
class Match:
    """An expected call and the actual one it is paired with (None: no call of that tool is left for it), and where
    their arguments differ.
    """

    item: CallItem
    made: Made | None
    mismatches: tuple[Mismatch, ...] = ()

    @property
    def met(self) -> bool:
        """Whether the call was made as expected."""
        return self.made is not None and not self.mismatches


def match(items: Sequence[CallItem], calls: Iterable[Made], schema: SandboxSchema) -> list[Match]:
    """Pair every expected call with at most one actual call of the same tool, in the order of the items: as many as
    possible that fit, then with fewest mismatches.
    """
    if not items:
        return []
    made: dict[str, list[Made]] = {}
    for step, call in calls:
        made.setdefault(call.tool, []).append((step, call))
    wanted: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        wanted.setdefault(item.tool, []).append(index)
    found: dict[int, Match] = {}
    for tool, indices in wanted.items():
        there = made.get(tool, [])
        pairing = pair(
            [Subset(items[index].arguments) for index in indices],
            [call.arguments or {} for _, call in there],
            arguments_type(schema, tool),
        )
        for one in pairing.pairs:
            index = indices[one.pattern]
            found[index] = Match(items[index], there[one.value], one.mismatches)
    return [found.get(index, Match(item, None)) for index, item in enumerate(items)]


def fits(item: CallItem, call: Call, schema: SandboxSchema) -> bool:
    """Whether a call is one that the item describes. A call whose arguments could not be read fits only an item that
    says nothing of arguments.
    """
    if item.tool != call.tool:
        return False
    return not item.arguments or not mismatches(
        Subset(item.arguments), call.arguments, arguments_type(schema, call.tool)
    )


def broken_off(items: Sequence[CallItem], calls: Iterable[Made], schema: SandboxSchema) -> int | None:
    """Index of the first item at which the calls stop having the items as a subsequence; None if they have it."""
    at = 0
    for _, call in calls:
        if at < len(items) and fits(items[at], call, schema):
            at += 1
    return at if at < len(items) else None


def arguments_type(schema: SandboxSchema, tool: str) -> FieldType:
    """The type of a tool's arguments object."""
    spec = schema.tools.get(tool)
    return FieldType("record", fields=spec.arguments if spec else {})


def worded(item: CallItem) -> str:
    """An expected call in words."""
    wanted = ", ".join(_worded_argument(name, pattern) for name, pattern in item.arguments.items())
    return f"{item.tool} with {wanted}" if wanted else item.tool


def _worded_argument(name: str, pattern: Pattern) -> str:
    exactly = isinstance(pattern, Matcher) and "equals" in pattern.tests
    words = describe(pattern)
    return f"{name}=" + words.strip('"') if exactly else f"{name} {words}"
