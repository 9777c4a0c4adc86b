"""What stands for a value that is personal: made up, of the same shape, and the same wherever the value stands.

A stand-in is told by the value and a key alone. Without the key nobody can try out which value gives it.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Literal

Kind = Literal["credential", "email", "phone", "card", "iban", "name", "address", "id", "birth date"]

_CONSONANTS, _VOWELS = "bcdfghjklmnprstvz", "aeiou"
_SHOWN = 4
"""Digits of a card that are left as they are: people are told a card by its last four."""


class StandIns:
    """Makes stand-ins. `key`: secret bytes; two that have the same make the same."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, kind: Kind, value: str) -> str:
        """What stands for a value. ValueError for a kind whose shape it has not."""
        return _MAKERS[kind](value, lambda told: self._draw(kind, told))

    def _draw(self, kind: Kind, told: str) -> Iterator[int]:
        """Bytes without end, told by the value alone."""
        block = 0
        while True:
            yield from hmac.digest(self._key, f"{kind}\0{block}\0{told}".encode("utf-8", "surrogatepass"), "sha256")
            block += 1


_Draw = Callable[[str], Iterator[int]]


def _email(value: str, draw: _Draw) -> str:
    """Letter by letter, at a host that can't exist (RFC 2606)."""
    local, _, _ = value.rpartition("@")
    return f"{_same_shape(local, draw(value.casefold()))}@{_word(draw('@' + value.casefold()), 6)}.example"


def _phone(value: str, draw: _Draw) -> str:
    """Its last eight digits: those before are of country and area, and may be left out or written in several ways."""
    digits = [character for character in value if character.isdigit()]
    own = digits[-min(8, max(len(digits) - 1, 1)) :]
    new = iter([*digits[: len(digits) - len(own)], *_digits(draw("".join(own)), len(own))])
    return "".join(next(new) if character.isdigit() else character for character in value)


def _card(value: str, draw: _Draw) -> str:
    """A number that passes the check (Luhn, ISO/IEC 7812-1), with the last four digits of the old one."""
    digits = [int(character) for character in value if character.isdigit()]
    drawn = draw("".join(map(str, digits)))
    new = [digits[0], *(int(each) for each in _digits(drawn, len(digits) - 1 - _SHOWN)), *digits[-_SHOWN:]]
    at = len(new) - _SHOWN - 1
    new[at] = next(digit for digit in range(10) if not _luhn([*new[:at], digit, *new[at + 1 :]]))
    made = iter(new)
    return "".join(str(next(made)) if character.isdigit() else character for character in value)


def _luhn(digits: list[int]) -> int:
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(odd) + sum(sum(divmod(2 * digit, 10)) for digit in even)) % 10


def _iban(value: str, draw: _Draw) -> str:
    """One of the same country that passes the check (ISO 7064, mod 97-10)."""
    plain = "".join(filter(str.isalnum, value)).upper()
    account = _same_shape(plain[4:], draw(plain)).upper()
    number = "".join(str(int(character, 36)) for character in f"{account}{plain[:2]}00")
    made = iter(f"{plain[:2]}{98 - int(number) % 97:02}{account}")
    return "".join(next(made) if character.isalnum() else character for character in value)


def _name(value: str, draw: _Draw) -> str:
    """Word by word, so that a first name alone has the stand-in that it has within the whole."""
    return "".join(
        _cased(_word(draw(unaccented(word).casefold()), max(len(word), 3)), word) if word[0].isalpha() else word
        for word in _runs(value)
    )


def _address(value: str, draw: _Draw) -> str:
    """Word by word as well; digits stay digits."""
    return "".join(
        _name(run, draw) if run[0].isalpha() else _same_shape(run, draw(run.casefold())) for run in _runs(value)
    )


def _id(value: str, draw: _Draw) -> str:
    return _same_shape(value, draw(value.casefold()))


def _birth_date(value: str, draw: _Draw) -> str:
    """Another day within a year of it. ValueError for what is no day in ISO 8601."""
    told = date.fromisoformat(value)
    drawn = draw(value)
    away = (next(drawn) * 256 + next(drawn)) % 364 + 1
    return (told - timedelta(days=away)).isoformat()


def _credential(value: str, draw: _Draw) -> str:
    raise ValueError("credentials are masked, and have no stand-in")


_MAKERS: dict[Kind, Callable[[str, _Draw], str]] = {
    "credential": _credential,
    "email": _email,
    "phone": _phone,
    "card": _card,
    "iban": _iban,
    "name": _name,
    "address": _address,
    "id": _id,
    "birth date": _birth_date,
}


def unaccented(text: str) -> str:
    """The text without accents, as people may type a name."""
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def _runs(value: str) -> list[str]:
    """The words of a text and what is between them."""
    found: list[str] = []
    for character in value:
        if found and found[-1][-1].isalpha() == character.isalpha():
            found[-1] += character
        else:
            found.append(character)
    return found


def _same_shape(value: str, drawn: Iterator[int]) -> str:
    """Letters for letters and digits for digits, the rest as it is."""
    made = ""
    for character in value:
        if character.isdigit():
            made += str(next(drawn) % 10)
        elif character.isalpha():
            made += _cased(chr(ord("a") + next(drawn) % 26), character)
        else:
            made += character
    return made


def _digits(drawn: Iterator[int], count: int) -> list[str]:
    return [str(next(drawn) % 10) for _ in range(count)]


def _word(drawn: Iterator[int], length: int) -> str:
    """Something that can be spoken."""
    letters = (_CONSONANTS if at % 2 == 0 else _VOWELS for at in range(length))
    return "".join(some[next(drawn) % len(some)] for some in letters)


def _cased(made: str, like: str) -> str:
    """Upper and lower case as in another word."""
    if like.isupper() and len(like) > 1:
        return made.upper()
    return made[0].upper() + made[1:] if like[0].isupper() else made
