"""A workflow's replay policy, compiled: what answers which tool, and which of the arguments count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.model.replay_policy import ALL_TOOLS, ReplayPolicy
from harness.replay.canonical import Canon, frozen, typed
from tools_sandbox.call import Json
from tools_sandbox.schema import SandboxSchema

_ANY = "*"


@dataclass(frozen=True, slots=True)
class Policy:
    """`simulated`: the tools that the sandbox has. `canon`: from a call's arguments to those that count."""

    written: ReplayPolicy
    simulated: frozenset[str]
    canon: Canon

    @classmethod
    def of(cls, written: ReplayPolicy, schema: SandboxSchema, simulated: Collection[str]) -> Policy:
        """Compiled for tools of this shape."""
        return cls(written, frozenset(simulated), counting(written, schema))

    @property
    def miss(self) -> Literal["stop", "sandbox", "error"]:
        """What comes of a call that no recorded result answers."""
        return self.written.miss

    def recorded(self, tool: str) -> bool:
        """Whether recorded results answer a tool, and nothing else does."""
        named = self.written.tools.get(tool, self.written.tools.get(ALL_TOOLS, "sandbox"))
        return named == "recorded" or tool not in self.simulated


def counting(written: ReplayPolicy, schema: SandboxSchema) -> Canon:
    """Arguments read through the types of their tools, without what is ignored, and normalised."""
    canon = typed(schema)
    steps: list[tuple[list[str], _Change]] = [(path.split("."), _gone) for path in written.ignore]
    steps += [(path.split("."), _all_of(names)) for path, names in written.normalise.items()]
    if not steps:
        return canon

    def counted(tool: str, arguments: dict[str, Json]) -> dict[str, Json]:
        value: Json = canon(tool, arguments)
        for (named, *path), change in steps:
            if named in (tool, _ANY):
                value = _changed(value, path, change)
        return value  # type: ignore[no-any-return]

    return counted


class _Gone:
    pass


_GONE = _Gone()
_Change = Callable[[Json], Json]


def _gone(_: Json) -> Json:
    return _GONE


def _changed(value: Json, path: Sequence[str], change: _Change) -> Json:
    """The value with what stands at the path changed; what is not there stays so."""
    if not path:
        return change(value)
    step, *rest = path
    if isinstance(value, dict):
        new = {
            name: _changed(member, rest, change) if step in (name, _ANY) else member for name, member in value.items()
        }
        return {name: member for name, member in new.items() if member is not _GONE}
    if isinstance(value, list):
        each = [
            _changed(member, rest, change) if step in (str(place), _ANY) else member
            for place, member in enumerate(value)
        ]
        return [member for member in each if member is not _GONE]
    return value


def _all_of(names: Sequence[str]) -> _Change:
    def change(value: Json) -> Json:
        for name in names:
            value = _NORMALISERS[name](value)
        return value

    return change


def _of_text(change: Callable[[str], str]) -> _Change:
    return lambda value: change(value) if isinstance(value, str) else value


def _in_order(value: Json) -> Json:
    return sorted(value, key=lambda member: repr(frozen(member))) if isinstance(value, list) else value


_NORMALISERS: dict[str, _Change] = {
    "case": _of_text(str.casefold),
    "spaces": _of_text(lambda text: " ".join(text.split())),
    "digits": _of_text(lambda text: "".join(char for char in text if char.isdigit())),
    "order": _in_order,
}
