"""Which fields hold what is personal, told by their names in English, Spanish and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.replay.scrub.stand_ins import Kind

_FIELDS: tuple[tuple[Kind, str], ...] = (
    ("name", r"(?:(?:full|first|last|middle|given|family|sur|display|legal|customer|user|guest|passenger|contact|holder"
             r"|card_?holder|recipient|patient|account|buyer|owner)_?name|surname|forename|nombre(?:_completo)?"
             r"|apellidos?|姓名|收货人|联系人)\d?"),
    ("address", r"(?:(?:street|postal|shipping|billing|home|delivery|mailing|residential)_?)?addr(?:ess)?"
                r"(?:_?(?:line)?_?\d)?|street(?:_?(?:name|\d))?|house_?(?:number|no)|line_?[12]|direcci[oó]n"
                r"|zip(?:_?code)?|post(?:al)?_?code|postcode|c[oó]digo_postal|地址|收货地址|邮编"),
    ("email", r"(?:.*_)?e?_?mail(?:_?address)?|correo(?:_electr[oó]nico)?|邮箱"),
    ("phone", r"(?:.*_)?(?:phone|mobile|cell|telephone|fax|whatsapp|tel)(?:_?(?:number|no))?|tel[eé]fono|m[oó]vil"
              r"|电话|手机(?:号码?)?"),
    ("card", r"(?:.*_)?card_?(?:number|no)|pan"),
    ("iban", r"iban"),
    ("birth date", r"dob|birth_?(?:date|day)|date_?of_?birth|fecha_?de_?nacimiento|出生日期"),
    ("id", r"(?:user|customer|member|client|patient|guest|account)_?(?:id|no|number)|user_?name|login"
           r"|passport(?:_?(?:id|no|number))?|ssn|social_?security(?:_?number)?|tax_?id|national_?id"
           r"|(?:driver_?)?licen[cs]e(?:_?(?:no|number))?|dni|nif|身份证(?:号码?)?|护照(?:号码?)?"),
)  # fmt: skip
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _FIELDS)
_PERSON = re.compile(
    r"(?:customer|user|passenger|guest|patient|person|contact|member|recipient|traveller|traveler|owner|buyer|holder"
    r"|employee|driver|cliente?)s?",
    re.I,
)
_PLAIN_NAME = "name"
_HYPHENS = re.compile(r"[- ]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def plain(name: str) -> str:
    """The name of a field as it is compared: `Last-Name` and `lastName` are `last_name`."""
    return _HYPHENS.sub("_", _CAMEL.sub("_", name)).lower()


def kind_of(name: str, *, personal: bool) -> Kind | None:
    """What a field holds, by its plain name; None if nothing personal. `personal`: whether `name` is a person's."""
    if name == _PLAIN_NAME:
        return "name" if personal else None
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(name)), None)


def is_person(name: str) -> bool:
    """Whether a plain name of a field is that of a person: `customer`, `passengers`."""
    return _PERSON.fullmatch(name) is not None


def tells_a_person(value: Iterable[str]) -> bool:
    """Whether a `name` among these fields is a person's: what else they say is said of people."""
    return any(
        kind.fullmatch(plain(name))
        for name in value
        for which, kind in _KINDS
        if which in ("email", "phone", "birth date")
    )
