"""Ids are names of files and parts of commands sooner or later, so they are checked before anything runs."""

from __future__ import annotations

import re
import unicodedata

from harness.model.source import Mapping, Scalar, Where
from harness.workflow.problems import Problem

MAX_LENGTH = 100
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def unsafe(name: str) -> str | None:
    """Why a name can't be the name of a file everywhere, or would be mangled by a shell; None if it can be typed as it
    is. Letters and digits may be of any script.
    """
    if not name.strip():
        return "is blank"
    if len(name) > MAX_LENGTH:
        return f"has {len(name)} characters, more than {MAX_LENGTH}"
    if ".." in name:
        return "holds `..`"
    if bad := next((char for char in name if char not in "-_." and unicodedata.category(char)[0] not in "LMN"), None):
        if bad == " ":
            return "holds a blank"
        return f"holds `{bad}`" if bad.isprintable() else f"holds the invisible character U+{ord(bad):04X}"
    if name[0] in "-." or name[-1] == ".":
        return "begins with a dash or a dot, or ends with a dot"
    if _DEVICES.fullmatch(name):
        return "is the name of a device on Windows"
    return None


def check_ids(scenarios: list[Mapping], problems: list[Problem]) -> None:
    """Ids that are there twice (also but for their case), or that can't be the name of a file."""
    seen: dict[str, tuple[str, Where]] = {}
    for node in scenarios:
        identifier = node.get("id")
        if not isinstance(identifier, Scalar):
            continue
        check_name(identifier.raw, identifier.at, "id", problems)
        form = unicodedata.normalize("NFKC", identifier.raw).casefold()
        if form in seen:
            first, where = seen[form]
            what = "is here twice" if first == identifier.raw else f"differs from `{first}` in case only"
            problems.append(Problem(identifier.at, f"the id `{identifier.raw}` {what}, first at {where}"))
        seen.setdefault(form, (identifier.raw, identifier.at))


def check_name(name: str, at: Where, kind: str, problems: list[Problem]) -> None:
    """A problem if a name can't be the name of a file."""
    reason = unsafe(name)
    if reason:
        shown = "".join(char if char.isprintable() else "�" for char in name[:40])
        advice = "use letters, digits, `-`, `_` and `.`"
        problems.append(Problem(at, f"the {kind} `{shown}{'…' if len(name) > 40 else ''}` {reason}", do=advice))
