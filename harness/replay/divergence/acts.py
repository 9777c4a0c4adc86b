"""A tool call as another one is held against it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.replay.canonical import Canon, frozen
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import SandboxSchema

_TEXT = "$raw"
"""The name under which arguments that could not be read are compared, as text."""


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """A call at its `place` in the trajectory. `given`: its canonical arguments; `key`: two calls are equal exactly if
    theirs are. `kind`: of its tool; None where nobody knows.
    """

    place: int
    call: Call
    given: dict[str, Json]
    key: Hashable
    kind: Literal["reads", "writes"] | None

    @property
    def writes(self) -> bool:
        """Whether the tool writes, or may."""
        return self.kind != "reads"

    @property
    def bars(self) -> bool:
        """Whether what is read before and after it may differ: a write that may have been done."""
        return self.writes and self.call.may_be_done


def acts(calls: Sequence[Call], schema: SandboxSchema, canon: Canon) -> Iterator[Act]:
    """The calls in order. A tool that the schema does not know is what the call itself says it is."""
    for place, call in enumerate(calls):
        spec = schema.tools.get(call.tool)
        kind = spec.kind if spec else call.kind
        unread = call.arguments is None and call.raw is not None
        given = {_TEXT: call.raw} if unread else canon(call.tool, call.arguments or {})
        yield Act(place, call, given, (call.tool, frozen(given)), kind)
