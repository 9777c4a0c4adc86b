"""When a scripted line may be said."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from harness.model.scenario import Condition, Line
from harness.users.view import View
from tools_sandbox.call import Json
from tools_sandbox.matching import describe, mismatches
from tools_sandbox.patterns import Listed, Pattern
from tools_sandbox.schema import ANY, FieldType, SandboxSchema
from tools_sandbox.text import mentions

_NOTHING = Condition.model_validate({})


@dataclass(frozen=True, slots=True)
class StateTest:
    """A state path, what is expected there and the type to compare by."""

    path: str
    wanted: Pattern
    kind: FieldType

    def holds(self, view: View) -> bool:
        """Whether the state there fits now. A list against a table is matched with the rows that were touched."""
        return not mismatches(self.wanted, self._value(view), self.kind)

    def _value(self, view: View) -> Json:
        value = view.value(self.path)
        if isinstance(self.wanted, Listed) and isinstance(value, dict):
            touched = dict.fromkeys(
                change.key for call in view.calls for change in call.changes if change.table == self.path
            )
            return [value[key] for key in touched if key in value]
        return value


@dataclass(frozen=True, slots=True)
class Fit:
    """The conditions of one line, compiled: all must hold. Tools count from their first successful call."""

    after: frozenset[str]
    before: frozenset[str]
    phrases: tuple[str, ...] = ()
    state: tuple[StateTest, ...] = ()
    outcome: str | None = None
    refused: bool | None = None

    @classmethod
    def of(cls, line: Line, schema: SandboxSchema) -> Fit:
        """`after` and `called` are one, and so are `before` and `not_called`."""
        if not (line.when or line.after or line.before):
            return _FREE
        when = line.when or _NOTHING
        return cls(
            frozenset([*line.after, *when.called]),
            frozenset([*line.before, *when.not_called]),
            tuple(when.reply),
            tuple(StateTest(path, wanted, type_at(schema, path)) for path, wanted in when.state.items()),
            when.outcome,
            when.refused,
        )

    @property
    def free(self) -> bool:
        """Whether the line waits for nothing."""
        return self == _FREE

    def missed(self, done: Set[str]) -> bool:
        """Whether it can hold no more, since a tool was called that it had to come before."""
        return not self.before.isdisjoint(done)

    def holds(self, view: View, done: Set[str]) -> bool:
        """Whether the line fits now; `done` are the tools with a successful call."""
        return self is _FREE or (
            self.after <= done
            and not self.missed(done)
            and (not self.phrases or self._replied(view))
            and (self.refused is None or self._refused(view) is self.refused)
            and (self.outcome is None or self.outcome == view.outcome)
            and all(test.holds(view) for test in self.state)
        )

    def _refused(self, view: View) -> bool | None:
        """Whether the last reply is a refusal; None before any."""
        return any(message.refusal for message in view.replies) if view.replies else None

    def _replied(self, view: View) -> bool:
        return any(mentions(phrase, message.text) for phrase in self.phrases for message in view.replies)

    def __str__(self) -> str:
        return " and ".join(self._words()) or "its turn"

    def _words(self) -> Iterator[str]:
        if self.after:
            yield f"a successful {' and '.join(sorted(self.after))}"
        if self.before:
            yield f"no {' or '.join(sorted(self.before))} yet"
        if self.phrases:
            yield f"a reply that mentions {' or '.join(map(repr, self.phrases))}"
        for test in self.state:
            yield f"{test.path} being {describe(test.wanted)}"
        if self.outcome:
            yield f"the outcome {self.outcome}"
        if self.refused is not None:
            yield "a refusal" if self.refused else "a reply that is no refusal"


_FREE = Fit(frozenset(), frozenset())


def type_at(schema: SandboxSchema, path: str) -> FieldType:
    """The type of the field at `table.key.field`, or ANY. Keys may have dots in them."""
    table, _, rest = path.partition(".")
    fields = schema.tables[table].fields if table in schema.tables else {}
    name = rest.rpartition(".")[2]
    return fields[name].type if name in fields and "." in rest else ANY
