"""The arguments of a tool call as they were sent: JSON text as a model writes it, or an object."""

from __future__ import annotations

import json
from typing import NoReturn

from tools_sandbox.arguments import BadArguments
from tools_sandbox.call import Json
from tools_sandbox.values import is_flat, show, to_json, with_numbers

_MOST_NESTED = 100
"""Objects and lists within each other."""


def sent_arguments(sent: Json | str) -> tuple[dict[str, Json], dict[str, Json]]:
    """The arguments object twice: for the record, and for the tool, which may change what is in its own (the object
    itself is read into a new one). Raises BadArguments if there is none, or if it is nested beyond reading.
    """
    if is_flat(sent):
        read = dict(sent)
        return read, read
    try:
        read = (
            to_json(with_numbers(sent)) if not isinstance(sent, str) else _DECODER.decode(sent) if sent.strip() else {}
        )
        own = to_json(read)
    except json.JSONDecodeError as problem:
        raise BadArguments(f"no JSON: {problem.msg} at character {problem.pos}") from None
    except (ValueError, TypeError) as problem:
        raise BadArguments(str(problem)) from None
    except RecursionError:
        raise BadArguments("nested too deeply") from None
    if not isinstance(read, dict):
        raise BadArguments(f"a JSON object is needed, not {show(read)}")
    if is_deep(read):
        raise BadArguments("nested too deeply")
    return read, own


def is_deep(value: Json, most: int = _MOST_NESTED) -> bool:
    """Whether it is nested deeper than whatever walks through a record later on may have to go."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(most):
        members = (each.values() if isinstance(each, dict) else each for each in level)
        level = [member for some in members for member in some if isinstance(member, (dict, list))]
        if not level:
            return False
    return True


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"no JSON: {name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if abs(number) != float("inf") else _no_number(text[:40])


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
