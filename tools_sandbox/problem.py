"""The one exception for what a person got wrong when writing a sandbox or a scenario's `given`."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from tools_sandbox.nearest import hint
from tools_sandbox.values import show


class SandboxProblem(Exception):
    """A sandbox, its start state or a `given` is wrong; `problems` says each, with what was probably meant."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def explain(error: ValidationError, names: Iterable[str], noun: str, limit: int = 5) -> list[str]:
    """What pydantic found, one line each: the place first. `names` are the known ones, `noun` says of what."""
    known = list(names)
    lines = []
    for found in error.errors(include_url=False, include_context=False)[:limit]:
        place = ".".join(str(step) for step in found["loc"])
        if found["type"] == "missing":
            lines.append(f"{place}: missing")
        elif found["type"] == "extra_forbidden":
            meant = f"; {hint(place, known)}" if len(found["loc"]) == 1 else ""
            lines.append(f"{show(place)[1:-1]}: no such {noun}{meant}")
        else:
            message = found["msg"].removeprefix("Value error, ")
            lines.append(f"{place or 'value'}: {message[:1].lower()}{message[1:]}, got {show(found['input'])}")
    return lines
