"""Personal data that only its field tells: names, addresses and the like in what tools were given and gave."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.replay.scrub.stand_ins import Kind

_FIELDS: tuple[tuple[Kind, str], ...] = (
    ("name", r"(?:(?:full|first|last|middle|given|family|sur|customer|user|guest|passenger|contact|holder|card_?holder"
             r"|recipient|patient|account)_?name|surname|nombre|apellidos?)\d?"),
    ("address", r"(?:(?:street|postal|shipping|billing|home|delivery|mailing)_?)?address(?:_?(?:line)?_?\d)?"
                r"|street(?:_?\d)?|line_?[12]|direcci[oó]n|zip(?:_?code)?|post(?:al)?_?code|postcode"),
    ("email", r"(?:.*_)?e?_?mail(?:_?address)?"),
    ("phone", r"(?:.*_)?(?:phone|mobile|cell|telephone|fax|whatsapp|tel)(?:_?(?:number|no))?|tel[eé]fono"),
    ("card", r"(?:.*_)?card_?(?:number|no)|pan"),
    ("iban", r"iban"),
    ("birth date", r"dob|birth_?(?:date|day)|date_?of_?birth|fecha_?de_?nacimiento"),
    ("id", r"(?:user|customer|member|client|patient|guest|account)_?(?:id|no|number)|user_?name|login"
           r"|passport(?:_?(?:id|no|number))?|ssn|social_?security(?:_?number)?|tax_?id|national_?id"
           r"|(?:driver_?)?licen[cs]e(?:_?(?:no|number))?|dni|nif"),
)  # fmt: skip
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _FIELDS)
_PERSON = re.compile(
    r"(?:customer|user|passenger|guest|patient|person|contact|member|recipient|traveller|traveler)s?", re.I
)
_PLAIN_NAME = "name"
_HYPHENS = re.compile(r"[- ]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

Value = tuple[Kind, str]


def known_in(value: Any, within: str = "") -> Iterator[Value]:
    """The personal values in a JSON value, by the names of their fields. `within`: the field that it is in."""
    if isinstance(value, list):
        for member in value:
            yield from known_in(member, within)
    elif isinstance(value, dict):
        personal = _PERSON.fullmatch(_plain(within)) is not None or _tells_a_person(value)
        for name, member in value.items():
            kind = _kind_of(_plain(name), personal=personal)
            if kind is None:
                yield from known_in(member, name)
            else:
                yield from ((kind, text) for text in _texts(member) if _says_something(kind, text))


def _kind_of(name: str, *, personal: bool) -> Kind | None:
    if name == _PLAIN_NAME:
        return "name" if personal else None
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(name)), None)


def _tells_a_person(value: dict[str, Any]) -> bool:
    """Whether a `name` in it is a person's: what else it says is said of people."""
    return any(
        kind.fullmatch(_plain(name))
        for name in value
        for which, kind in _KINDS
        if which in ("email", "phone", "birth date")
    )


def _plain(name: str) -> str:
    return _HYPHENS.sub("_", _CAMEL.sub("_", name)).lower()


def _texts(value: Any) -> Iterator[str]:
    """The texts in a personal field, be it an object: of an address what says where in a town, not which town."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)
    elif isinstance(value, dict):
        for name, member in value.items():
            if _kind_of(_plain(name), personal=True) is not None:
                yield from _texts(member)


def _says_something(kind: Kind, text: str) -> bool:
    if kind == "name":
        return any(character.isalpha() for character in text) and len(text) > 1
    return len(text) > 3 and any(character.isalnum() for character in text)
