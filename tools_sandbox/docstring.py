"""What a tool's docstring tells the agent."""

from __future__ import annotations

import inspect
import re

_SECTION = re.compile(r"(args|arguments|parameters|returns?|yields?|raises|examples?|notes?)\s*:\s*", re.IGNORECASE)
_ARGUMENT = re.compile(r"\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>.*)")


def read_docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """The description (all before the first section) and what `Args:` says of each argument."""
    summary: list[str] = []
    arguments: dict[str, str] = {}
    section, indent, current = "", 0, ""
    for line in inspect.cleandoc(text or "").splitlines():
        depth = len(line) - len(line.lstrip())
        if depth == 0 and _SECTION.fullmatch(line.rstrip()):
            section, indent, current = line.strip().casefold().rstrip(": "), 0, ""
        elif not section:
            summary.append(line.strip())
        elif section in ("args", "arguments", "parameters") and line.strip():
            found = _ARGUMENT.fullmatch(line.strip())
            if found and (not indent or depth <= indent):
                indent, current = depth, found["name"]
                arguments[current] = found["text"]
            elif current:
                arguments[current] = f"{arguments[current]} {line.strip()}".strip()
    paragraphs = re.split(r"\n{2,}", "\n".join(summary).strip())
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs), arguments
