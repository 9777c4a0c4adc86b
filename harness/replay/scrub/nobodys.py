"""What is personal by its form and yet nobody's: a workflow's own test data, and what its policy tells everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.model.material import Document, Tables
from harness.replay.scrub.text import found_in


def nobodys(start: Tables, knowledge: Iterable[Document]) -> frozenset[str]:
    """The texts of a start state, keys and whole numbers too, and the addresses and numbers in the knowledge."""
    public = (document.text[each.start : each.end] for document in knowledge for each in found_in(document.text))
    return frozenset((*leaves(start), *public))


def leaves(value: Any) -> Iterator[str]:
    """The texts in a JSON value, names of fields among them, and its whole numbers as texts."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield str(name)
            yield from leaves(member)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from leaves(member)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)
