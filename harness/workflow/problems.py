"""What is wrong in a file that a person wrote, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from harness.model.source import Where

_QUOTED = re.compile(r"`([^`]*)`")
_LONGEST = 100
"""Nobody reads a longer quotation to its end."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `what` says it, `meant` is the nearest guess at what was meant, `do` how to mend it."""

    where: Where
    what: str
    meant: str | None = None
    do: str | None = None

    def __str__(self) -> str:
        guess = f"; did you mean `{self.meant}`?" if self.meant else ""
        advice = f" ({self.do})" if self.do else ""
        return f"{self.where}: " + _QUOTED.sub(_cut, f"{self.what}{guess}{advice}")


def _cut(quoted: re.Match[str]) -> str:
    return quoted[0] if len(quoted[1]) <= _LONGEST else f"`{quoted[1][: _LONGEST - 1]}…`"


class Problems(Exception):
    """Everything that is wrong with the files of one bundle, in order of place, each thing once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = in_order(problems)
        super().__init__("\n".join(map(str, self.problems)))


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each problem once, by file, line and column."""
    return tuple(
        sorted(dict.fromkeys(problems), key=lambda each: (each.where.file, each.where.line, each.where.column))
    )


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Names as `a, b, c`, cut after `limit`; "none" if there are none."""
    every = list(names)
    more = f" and {len(every) - limit} more" if len(every) > limit else ""
    return (", ".join(every[:limit]) or "none") + more
