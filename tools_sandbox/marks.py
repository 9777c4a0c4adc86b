"""Marks on a sandbox's methods: which are tools, what they do, and what they mean for the checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar, get_args

from tools_sandbox.nearest import hint
from tools_sandbox.problem import SandboxProblem
from tools_sandbox.schema import Need, Outcome

F = TypeVar("F", bound=Callable[..., Any])
Kind = Literal["reads", "writes"]

reads: Final = "reads"
writes: Final = "writes"

_MARKS = "_tool_marks"
_INVARIANT = "_is_invariant"


class ToolError(Exception):
    """Raised by a tool to say no: the agent gets the text as the call's error, and nothing stays changed."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What `@tool` says about a method; see `ToolSpec`."""

    kind: Kind
    proves: str | None = None
    needs: tuple[Need, ...] = ()
    ends: Outcome | None = None
    retrieves: bool = False


def tool(
    kind: Kind,
    *,
    proves: str | None = None,
    needs: tuple[Need, ...] = (),
    ends: Outcome | None = None,
    retrieves: bool = False,
) -> Callable[[F], F]:
    """Make a method a tool: `@tool(reads)` or `@tool(writes, needs=("identity", "consent"))`.

    Arguments and their JSON Schema come from the type hints, descriptions from the docstring (summary and `Args:`).

    - `proves`: a success establishes the identity of the account in the result's field of this name, or else in the
      argument of this name; a result where it is missing or null proves nothing.
    - `needs`: what must come before a call: `identity`, `consent`.
    - `ends`: the outcome that a success stands for, one of `resolved`, `escalated`, `refused`, `open`.
    - `retrieves`: the result is knowledge that replies may rest on.

    Raises SandboxProblem where a mark can't be meant.
    """
    if kind not in (reads, writes):
        raise SandboxProblem(["write @tool(reads) or @tool(writes), with the parentheses"])
    if not isinstance(needs, tuple) or not set(needs) <= set(get_args(Need)):
        raise SandboxProblem(
            [f'needs is a tuple of "identity" and "consent", such as needs=("identity",), not {needs!r}']
        )
    if ends is not None and ends not in get_args(Outcome):
        raise SandboxProblem([f"ends={ends!r} is no outcome; {hint(str(ends), get_args(Outcome))}"])
    marks = Marks(kind, proves, needs, ends, retrieves)

    def mark(method: F) -> F:
        _refuse_unfit(method, "tool")
        setattr(method, _MARKS, marks)
        return method

    return mark


def invariant(method: F) -> F:
    """Make a method a check that holds after every call: it returns a bool, or asserts.

    A call after which it holds no longer is recorded as having broken it, and not rolled back.
    """
    _refuse_unfit(method, "invariant")
    setattr(method, _INVARIANT, True)
    return method


def marks_of(member: Any) -> Marks | None:
    """The marks of a tool method, or None."""
    return getattr(member, _MARKS, None)


def is_invariant(member: Any) -> bool:
    """Whether a class member is marked as an invariant."""
    return getattr(member, _INVARIANT, False) is True


def _refuse_unfit(method: Any, mark: str) -> None:
    name = getattr(method, "__qualname__", repr(method))
    if not inspect.isfunction(method):
        raise SandboxProblem([f"{name}: @{mark} goes on a plain method, below any other decorator"])
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        raise SandboxProblem([f"{name}: a sandbox answers at once, so its methods are no coroutines: write `def`"])
    if inspect.isgeneratorfunction(method):
        raise SandboxProblem([f"{name}: it yields; return a list instead"])
