"""Personal data that only its field tells: names, addresses and the like in what tools were given and gave."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness.replay.scrub.fields import is_person, kind_of, plain, tells_a_person
from harness.replay.scrub.labelled import Labelled, labelled
from harness.replay.scrub.stand_ins import Kind

_FIRST = re.compile(r"(?:first|given)(?:_?name)?|forename|nombre", re.I)
_LAST = re.compile(r"(?:last|family)(?:_?name)?|surname|apellidos?", re.I)
_PARTS = re.compile(rf"{_FIRST.pattern}|{_LAST.pattern}|(?:middle|full|display|legal)(?:_?name)?|text", re.I)
"""Fields of a name that is an object."""
_AS_A_NAME = re.compile(r"[^\W\d_][^\W\d_.'’-]*(?:[ .'’-]{1,2}[^\W\d_]+){0,5}\.?|[\u4e00-\u9fff·]{2,8}")
_POSTCODE = re.compile(r"\b(?:\d{4,6}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\b")

Value = tuple[Kind, str]


def known_in(value: Any, within: str = "") -> Iterator[Value]:
    """The personal values in a JSON value, or in a text that tells field by field, by the names of the fields.
    `within`: the field that it is in.
    """
    if isinstance(value, str):
        yield from _in_text(value)
    elif isinstance(value, list):
        for member in value:
            yield from known_in(member, within)
    elif isinstance(value, dict):
        yield from _in_fields(value, within)


def _in_fields(value: Mapping[str, Any], within: str) -> Iterator[Value]:
    personal = is_person(plain(within)) or tells_a_person(value)
    for name, member in value.items():
        field = plain(name)
        kind = kind_of(field, personal=personal or _is_of_parts(member))
        if kind is not None:
            yield from _of_kind(kind, member)
        elif is_person(field) and isinstance(member, str) and " " in member and _is_cased(member):
            yield "name", member
        else:
            yield from known_in(member, name)
    yield from _whole_name(value)


def _in_text(text: str) -> Iterator[Value]:
    """Of a text that is JSON what is in that, of any other what stands behind its labels."""
    if text[:1] in ("{", "[", '"'):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            yield from known_in(found)
            return
    pairs = [(_kind_field(each.field), each) for each in labelled(text)]
    fields = {field: each.value for field, each in pairs}
    personal = tells_a_person(fields)
    for field, each in pairs:
        if (kind := kind_of(field, personal=personal)) is not None:
            yield from _of_kind(kind, each.value if each.sure else _as_far(kind, each))
    yield from _whole_name({field: each.value if each.sure else _as_far("name", each) for field, each in pairs})


def _kind_field(field: str) -> str:
    """The field as it is compared; of some words before a colon the last ones that are the name of one."""
    words = field.split()
    some = (plain(" ".join(words[at:])) for at in range(len(words)))
    return next((each for each in some if kind_of(each, personal=True) is not None), plain(field))


def _as_far(kind: Kind, told: Labelled) -> str:
    """A value whose end nobody marks, as far as it can be one of its kind; empty if it is none."""
    if kind == "address":
        return told.value if any(letter.isdigit() for letter in told.value) else ""
    if kind == "name":
        found = re.split(r"[,;(]|\.(?: |$)", told.value, maxsplit=1)[0].strip()
        return found if _is_cased(found) else ""
    first = (re.split(r"[\s,;]", told.value, maxsplit=1) if kind != "phone" else [told.value])[0]
    return first.rstrip(".)!?") if any(letter.isdigit() for letter in first) else ""


def _of_kind(kind: Kind, value: Any) -> Iterator[Value]:
    if kind == "name" and isinstance(value, dict | list):
        for each in value if isinstance(value, list) else [value]:
            yield from _whole_name(each, within_name=True) if isinstance(each, dict) else ()
    for text in _texts(value, kind):
        if _says_something(kind, text):
            yield kind, text
            yield from _parts_of_address(text) if kind == "address" else ()


def _is_of_parts(name: Any) -> bool:
    """Whether a name has a first and a last one, as only people's have."""
    first = name[0] if isinstance(name, list) and name else name
    return isinstance(first, dict) and any(_LAST.fullmatch(plain(each)) for each in first)


def _whole_name(value: Mapping[str, Any], *, within_name: bool = False) -> Iterator[Value]:
    """First and last name as people write them, for they may do so in lower case."""
    sides = []
    fields = [(plain(name), member) for name, member in value.items()]
    for pattern in (_FIRST, _LAST):
        said = ((field, member) for field, member in fields if pattern.fullmatch(field))
        told = (member for field, member in said if within_name or kind_of(field, personal=False) == "name")
        sides.append(next((text for member in told for text in _texts(member, "name")), ""))
    if all(sides):
        yield "name", " ".join(sides)


def _parts_of_address(text: str) -> Iterator[Value]:
    """Of an address on one line what says where in a town, and the postcode."""
    parts = [part.strip() for part in re.split(r"[,;\n]", text)]
    if len(parts) > 1:
        for part in parts:
            if any(letter.isdigit() for letter in part) and len(part) > 3:
                yield "address", part
        yield from (("address", each[0]) for each in _POSTCODE.finditer(text))


def _texts(value: Any, kind: Kind) -> Iterator[str]:
    """The texts in a personal field, be it an object: of an address what says where in a town, not which town."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member, kind)
    elif isinstance(value, dict):
        for name, member in value.items():
            field = plain(name)
            if kind_of(field, personal=True) is not None or (kind == "name" and _PARTS.fullmatch(field)):
                yield from _texts(member, kind)


def _is_cased(text: str) -> bool:
    """Whether it is written as names of people are."""
    return _AS_A_NAME.fullmatch(text) is not None and not any(word[0].islower() for word in text.split()[:1])


def _says_something(kind: Kind, text: str) -> bool:
    if kind == "name":
        return any(character.isalpha() for character in text) and len(text) > 1
    return len(text) > 3 and any(character.isalnum() for character in text)
