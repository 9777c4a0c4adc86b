"""Pieces of Markdown that no text of an agent, a tool or a file can break out of: on GitHub, on GitLab, anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from harness.reports.printable import one_line

_TICKS = re.compile("`+")


def code(text: str, limit: int = 200) -> str:
    """The text as one line of code: nowhere else are links, HTML, mentions, references and formulas mere letters.

    The fence is longer than any run of backticks in the text (CommonMark 0.31, section 6.1).
    """
    line = one_line(text, limit)
    if not line.strip():
        return ""
    fence = "`" * (max(map(len, _TICKS.findall(line)), default=0) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def cell(text: str, limit: int = 200) -> str:
    """The same for a cell of a table, where a bar would end it even within code: it is written out."""
    return code(text.replace("|", r"\x7c"), limit)


def table_head(heads: Sequence[str]) -> list[str]:
    """The two lines that begin a table. Heads must be safe already."""
    return [row(heads), row(["---"] * len(heads))]


def row(cells: Iterable[str]) -> str:
    """A line of a table. Cells must be safe already."""
    return f"| {' | '.join(cells)} |"
