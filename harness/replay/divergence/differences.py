"""Where the arguments of two calls differ, by path."""

from __future__ import annotations

from typing import Any, Literal

from harness.model.replay import Difference
from tools_sandbox.call import Json
from tools_sandbox.values import with_numbers

_FLAGS = {"\0true": True, "\0false": False}
"""What stands for true and false while DeepDiff is at work: in lists it takes true for 1."""


def differences(recorded: Json, new: Json) -> tuple[Difference, ...]:
    """The innermost places at which two canonical values differ, in the order of their paths; none if they are equal.
    Items of a list are told apart from those before and after that are still there.
    """
    from deepdiff import DeepDiff  # slow to import, and what is alike doesn't need it

    found = DeepDiff(_marked(recorded), _marked(new), view="tree", ignore_private_variables=False)
    each = [_difference(level) for levels in found.values() for level in levels]
    return tuple(sorted(each, key=lambda difference: difference.path))


def _difference(level: Any) -> Difference:
    from deepdiff.helper import notpresent

    path = ".".join(map(str, level.path(output_format="list")))
    missing: Literal["recorded", "new"] | None = None
    if level.t1 is notpresent or level.t2 is notpresent:
        missing = "recorded" if level.t1 is notpresent else "new"
    first, second = (None if side is notpresent else _unmarked(side) for side in (level.t1, level.t2))
    return Difference(path, with_numbers(first), with_numbers(second), missing)


def _marked(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _marked(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_marked(member) for member in value]
    return f"\0{str(value).lower()}" if isinstance(value, bool) else value


def _unmarked(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _unmarked(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_unmarked(member) for member in value]
    return _FLAGS.get(value, value) if isinstance(value, str) else value
