"""What stands behind a claimed deed: the calls so far, by their names, their effects, and what they returned."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set
from functools import lru_cache
from typing import Literal

from harness.model.material import Tables
from harness.scoring.claims.acts import ANYTHING, OPEN, STATUS, Acts, spoken, statuses_in, words_of_name
from harness.scoring.claims.deeds import Deed
from harness.scoring.claims.evidence import written
from harness.scoring.claims.told import told_by
from harness.scoring.claims.topics import stems
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import ToolSpec

Behind = Literal["done", "failed", "nothing"]

_MONEY_BACK = re.compile(r":\s?\"?-\d")
_THING = re.compile(r"\b(?:your|the|this)\s([a-z]+)")
"""The thing that a clause is about first."""
_SET_TO = re.compile(r"\b(?:to|as|into)\s\W?([a-z]+)")
_WORD = re.compile(r"[a-z]+")
_LATER = {"shipped": ("delivered", "dispatched", "transit"), "paid": ("shipped", "delivered")}
"""Statuses from which an earlier one follows."""
_LABEL = 3
"""Words of the longest text that is read as a label (`on its way`)."""


def behind(
    deed: Deed, latest: Iterable[Call], tools: dict[str, ToolSpec], acts: Acts, keys: Collection[str] = ()
) -> tuple[Behind, Call | None]:
    """What stands behind a claim among the calls so far, the `latest` first: a call that shows it, else a failure that
    was to do it. `keys`: the rows that the claim names.

    A success shows an act by the name, description or `ends` mark of its tool, by what it changed, or by a result in
    which it is done already (`status: refunded`); any call by telling of it (the error "has already been refunded").
    Where no row is named, the error must be of the last thing that it was tried on.
    """
    failure = None
    for call in latest:
        of_this = bool(keys) or failure is None or failure.arguments == call.arguments
        tool = tools.get(call.tool)
        if of_this and not (tool and tool.retrieves) and told_by(deed, call, acts, keys):
            return "done", call
        if not _shows(deed, call, tool, acts):
            continue
        if call.ok:
            return "done", call
        failure = failure or call
    return ("failed", failure) if failure else ("nothing", None)


def concerns(call: Call, keys: Collection[str], tables: Tables) -> bool:
    """Whether a call may be about one of the rows that a claim names (`keys`): not if it names, or changed, other rows
    of their tables and none of these.
    """
    held = [table for table in tables.values() if any(key in table for key in keys)]
    if not held:
        return True
    given = {value for value in (call.arguments or {}).values() if isinstance(value, str)}
    named = given | {change.key for change in call.changes}
    others = any(name in table for name in named for table in held)
    return not others or not named.isdisjoint(keys) or any(key.lower() in _written(call.result) for key in keys)


def _shows(deed: Deed, call: Call, tool: ToolSpec | None, acts: Acts) -> bool:
    writes = (tool.kind if tool else call.kind) != "reads"
    if deed.act == "verify" and tool is not None and tool.proves:
        return True
    if not deed.own and _found_so(deed, call, tool, acts):
        return True
    if deed.act == STATUS or not writes:
        return False
    if deed.act == ANYTHING:
        return True
    marks = _marks(call.tool, tool.description, tool.ends) if tool else _marks(call.tool, "", call.ends)
    if set_to := {word for word in _SET_TO.findall(deed.clause) if word in acts.statuses}:
        return not set_to.isdisjoint(_WORD.findall(f"{marks} {_did(call)}"))
    if deed.act == OPEN:
        said = _about(deed)
        told = f"{marks} {_did(call)}"
        return (
            re.search(rf"\b{re.escape(deed.word)}", told) is not None
            or not said.isdisjoint(_effects(call))
            or len(said & stems(told)) > 1
        )
    sign = acts.signs[deed.act]
    # Most calls show an act by their tool: what they did is then not written out.
    if sign.search(marks) or sign.search(did := _did(call)) or (deed.act == "refund" and _MONEY_BACK.search(did)):
        return True
    name = words_of_name(call.tool)
    if deed.act == "change":
        thing = _THING.search(deed.clause)
        return not _about(deed).isdisjoint(stems(name) | _effects(call)) or (
            thing is not None and thing[1] in name.split()
        )
    verb = acts.signs.get(acts.participles.get(deed.word, ""))
    return verb is not None and verb.search(name) is not None and not (tool and tool.ends)


def _found_so(deed: Deed, call: Call, tool: ToolSpec | None, acts: Acts) -> bool:
    """Whether a call read, or left, a thing in the state that a claim tells of it ("your order is cancelled")."""
    if not call.ok or (tool is not None and tool.retrieves):
        return False
    if deed.state and acts.signs[deed.act].search(_written(call.result)):
        return True
    found = [call.result, *(change.after for change in call.changes)]
    if deed.act == OPEN:
        return re.search(rf"\b{re.escape(deed.word)}", _written(found)) is not None
    said = {spoken(deed.word), *_LATER.get(deed.word, ())}
    if _labelled(found, said):
        return True
    return deed.act in acts.signs and any(acts.signs[deed.act].search(status) for status in statuses_in(found))


def _about(deed: Deed) -> frozenset[str]:
    return stems(deed.clause) - stems(deed.word)


def _effects(call: Call) -> frozenset[str]:
    """Stems of the fields that a call changed in rows that were there, and of their new values."""
    changed = [
        {name: change.after.get(name) for name in change.fields}
        for change in call.changes
        if change.before and change.after
    ]
    return stems(_written(changed))


@lru_cache(maxsize=1024)
def _marks(tool: str, description: str, ends: str | None) -> str:
    """What a tool says of itself."""
    return f"{words_of_name(tool)} {description} {ends or ''}".lower()


def _did(call: Call) -> str:
    """What a call did or was to do; of rows that were there before, only what became different."""
    rows = [
        {name: change.after.get(name) for name in change.fields} if change.after else "deleted removed"
        for change in call.changes
    ]
    return _written([call.arguments, rows, call.result if call.ok else None])


def _written(value: Json) -> str:
    return written(value).lower().replace("_", " ")


def _labelled(value: Json, words: Set[str]) -> bool:
    """Whether a JSON value says one of these words where it says little: in its short texts, and in names of members
    that hold something (`cancelled: true`, `delivered_on: 2026-11-12`).
    """
    if isinstance(value, str):
        return value.count(" ") < _LABEL and not words.isdisjoint(spoken(value).split())
    if isinstance(value, list):
        return any(_labelled(member, words) for member in value)
    if not isinstance(value, dict):
        return False
    for name, member in value.items():
        inner = isinstance(member, (dict, list))
        if _labelled(member, words) or (member and not inner and not words.isdisjoint(spoken(name).split())):
            return True
    return False
