"""What the sandbox writes down about one tool call: the single source of truth for what the agent did."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from tools_sandbox.schema import Outcome

Json = Any
"""A JSON value: None, bool, int, float, str, list of Json, dict of str to Json."""

ErrorKind = Literal["unknown_tool", "bad_arguments", "refused", "fault", "sandbox", "passthrough", "outside"]
"""Why a call failed. `refused`: the tool said no (ToolError). `sandbox`: the simulated tool itself is broken, which
is not the agent's fault. `passthrough`: a real tool that was let through raised. `outside`: only the agent tells of the
call; the sandbox, which simulates the tool, knows nothing of it."""

Origin = Literal["sandbox", "span", "passthrough"]


@dataclass(frozen=True, slots=True)
class CallError:
    """An error as the agent saw it: its kind and the text it was given."""

    kind: ErrorKind
    text: str


@dataclass(slots=True)
class Change:
    """One row that a call added, changed or removed. Rows are JSON; `before` is None for an added row. Never changed;
    not frozen, for that takes five times as long to make.
    """

    table: str
    key: str
    before: dict[str, Json] | None
    after: dict[str, Json] | None

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that differ, sorted; every field of a row that was added or removed."""
        before, after = self.before or {}, self.after or {}
        changed = [name for name, value in after.items() if before.get(name, ...) != value]
        return tuple(sorted(changed + [name for name in before if name not in after]))

    def beyond(self, free: Collection[str]) -> tuple[str, ...]:
        """The fields that differ and that are free to change by none of these paths `table.key.field`: a path frees
        what it names and all that lies in it.
        """
        if not free:
            return self.fields
        return tuple(name for name in self.fields if not _covered(f"{self.table}.{self.key}.{name}", free))


@dataclass(frozen=True, slots=True)
class Proof:
    """Identity established by a successful call of a tool marked `proves`: whose, and from which values."""

    slot: str
    account: str
    given: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of knowledge that a tool marked `retrieves` handed to the agent."""

    source: str
    text: str
    clause: str | None = None


@dataclass(slots=True)
class Call:
    """One tool call. Times are seconds since the epoch; `arguments` is None where the text was no JSON object."""

    id: str
    turn: int
    tool: str
    raw: str | None
    arguments: dict[str, Json] | None
    kind: Literal["reads", "writes"] | None
    origin: Origin = "sandbox"
    result: Json = None
    error: CallError | None = None
    started: float = 0.0
    ended: float = 0.0
    span_id: str | None = None
    changes: list[Change] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    """Invariants that hold no longer since this call."""
    proof: Proof | None = None
    ends: Outcome | None = None
    """The outcome that a successful call of this tool stands for (`escalated` …)."""
    passages: list[Passage] = field(default_factory=list)
    fault: str | None = None
    exception: str | None = None
    """The traceback of a simulated tool that is itself broken (`sandbox`); the agent saw only `internal error`."""

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    def alters(self, free: Collection[str]) -> bool:
        """Whether the call changed anything that counts: state beyond these paths. Outside the sandbox nobody saw what
        a call did, so there every write that may have succeeded counts.
        """
        if self.origin == "sandbox":
            return self.ok and any(change.beyond(free) for change in self.changes)
        return self.may_be_done and self.kind == "writes"

    @property
    def may_be_done(self) -> bool:
        """Whether the call succeeded, or may have outside the sandbox: nothing to rely on, but a deed to answer for."""
        return self.error is None or self.error.kind == "outside"


def _covered(path: str, free: Collection[str]) -> bool:
    return any(path == place or path.startswith(f"{place}.") for place in free)


def net_changes(calls: Iterable[Call]) -> list[Change]:
    """What calls changed, taken together: row by row, by table and key."""
    rows: dict[tuple[str, str], Change] = {}
    for call in calls:
        for change in call.changes:
            first = rows.setdefault((change.table, change.key), change)
            rows[change.table, change.key] = Change(change.table, change.key, first.before, change.after)
    return [change for _, change in sorted(rows.items()) if change.before != change.after]
