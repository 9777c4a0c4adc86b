"""Where in a document credentials stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from harness.store.codec import written
from harness.store.mask import mask, may_hold_secret


def secret_places(value: Any) -> list[str]:
    """The paths (`messages.3.calls.0.raw`) of what would be masked in a dataclass made of dataclasses and JSON values;
    none if it holds no credential. The credentials themselves are not in the paths.
    """
    text = written(value)
    if not may_hold_secret(text):
        return []
    document = json.loads(text)
    return list(_differing("", document, mask(document)))


def _differing(path: str, value: Any, masked: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for (key, member), (name, hidden) in zip(value.items(), masked.items(), strict=True):
            below = f"{path}.{name}" if path else name
            if key != name:
                yield below
            yield from _differing(below, member, hidden)
    elif isinstance(value, list):
        for position, (member, hidden) in enumerate(zip(value, masked, strict=True)):
            yield from _differing(f"{path}.{position}", member, hidden)
    elif value != masked and value == value:  # NaN is no secret
        yield path
