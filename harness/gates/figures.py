"""Figures as they are printed: never rounded to look equal to a limit that they differ from."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor, log10

_DIGITS = 3


def exactly(value: Decimal | float | int) -> Fraction:
    """The number as it is written: 0.1 is one tenth, not the binary fraction next to it."""
    return Fraction(str(value))


def shown(figure: Fraction, limit: Decimal | int | None = None) -> str:
    """The figure with three digits behind the point (below one: three that count), or as many as it takes to tell it
    from the limit; trailing zeros are dropped.
    """
    places = _DIGITS + (floor(-log10(abs(figure))) if 0 < abs(figure) < 1 else 0)
    if limit is not None and figure != exactly(limit):
        while Fraction(round(figure * 10**places), 10**places) == exactly(limit):
            places += 1
    text = f"{Decimal(round(figure * 10**places)).scaleb(-places):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
