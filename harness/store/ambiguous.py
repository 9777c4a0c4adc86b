"""What is said of a name that may mean several things."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 200
"""So many of those that a name may mean are looked up at least, where there are as many."""
_NAMED = 5


def ambiguous(name: str, ids: Sequence[str], what: str = "") -> str:
    """The text that says which there are; `what` they are, in the plural."""
    count = f"{len(ids)} or more" if len(ids) >= MOST else str(len(ids))
    some = ", ".join(ids[:_NAMED])
    more = " …" if len(ids) > _NAMED else ""
    return f"{name} may be any of {count}{what and ' '}{what}, {some}{more}: give the id of one, or enough of it"
