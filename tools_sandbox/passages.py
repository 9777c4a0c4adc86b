"""The passages of knowledge in the result of a tool marked `retrieves`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tools_sandbox.call import Json, Passage


def passages(result: Json, tool: str) -> list[Passage]:
    """What was retrieved. A passage is text, or an object with `text` and perhaps `source` and `clause`; lists of them,
    at the top or in a member of an object, are taken apart. Anything else is one passage, as JSON text.
    """
    return list(_found(result, tool))


def _found(result: Json, source: str) -> Iterator[Passage]:
    if result is None:
        return
    if isinstance(result, list):
        for item in result:
            yield from _found(item, source)
    elif isinstance(result, str):
        yield Passage(source, result)
    elif isinstance(result, dict) and isinstance(result.get("text"), str):
        clause = result.get("clause")
        yield Passage(str(result.get("source") or source), result["text"], None if clause is None else str(clause))
    elif isinstance(result, dict) and any(isinstance(member, list) for member in result.values()):
        for member in result.values():
            if isinstance(member, list):
                yield from _found(member, source)
    else:
        yield Passage(source, json.dumps(result, ensure_ascii=False))
