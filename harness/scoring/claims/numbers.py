"""Numbers as people write them: grouping, decimal comma, English number words."""

from __future__ import annotations

from decimal import Decimal

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "  # noqa: SIM905
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)  # noqa: SIM905
}

WORDS: dict[str, int] = {
    **_UNITS,
    **_TENS,
    **{f"{tens}-{unit}": _TENS[tens] + _UNITS[unit] for tens in _TENS for unit in list(_UNITS)[1:10]},
    "a hundred": 100,
    "one hundred": 100,
}
"""English number words, lower case, with the number each stands for."""

DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,4})?|\d{1,3}(?:\.\d{3}){1,4},\d{1,2}|\d{1,14}(?:[.,]\d{1,4})?)(?![\d])"
"""Pattern of a number in digits; every quantifier is bounded, so that hostile text costs linear time."""


def read(text: str) -> Decimal:
    """The number that digits (matched by DIGITS) or an English number word stand for.

    `1,000` and `1.000,50` are grouped, `49,90` has a decimal comma: a comma or point before exactly three last digits
    groups when it is a comma, and is a decimal point when it is a point.
    """
    if text in WORDS:
        return Decimal(WORDS[text])
    if "," in text and "." in text:
        grouping = "," if text.rindex(".") > text.rindex(",") else "."
        return Decimal(text.replace(grouping, "").replace(",", "."))
    if "," in text:
        *_, tail = text.split(",")
        return Decimal(text.replace(",", "" if len(tail) == 3 else "."))
    return Decimal(text)
