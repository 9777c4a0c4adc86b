"""Figures as they are printed: never rounded to look equal to a limit that they differ from."""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from math import floor, log10

_DIGITS = 3
_LARGEST = sys.float_info.max
_LONG = 10**15
"""From here on, digits are counted and not written out."""


def exactly(value: Decimal | float | int) -> Fraction:
    """The number as it is written: 0.1 is one tenth, not the binary fraction next to it."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))


def nearest(value: Fraction | Decimal | float | int) -> float:
    """The number as a float; beyond the largest float, that one: whatever an agent claims to have used has a place."""
    try:
        return max(-_LARGEST, min(_LARGEST, float(value)))
    except OverflowError:
        return _LARGEST if value > 0 else -_LARGEST


def shown(figure: Fraction, limit: Decimal | int | None = None) -> str:
    """The figure with three digits behind the point (below one: three that count), or as many as it takes to tell it
    from the limit; trailing zeros are dropped.
    """
    if abs(figure) >= _LONG:
        return f"{Decimal(round(figure)):.{_DIGITS}e}"
    places = _DIGITS + (floor(-log10(abs(figure))) if 0 < abs(figure) < 1 else 0)
    if limit is not None and figure != exactly(limit):
        while Fraction(round(figure * 10**places), 10**places) == exactly(limit):
            places += 1
    text = f"{Decimal(round(figure * 10**places)).scaleb(-places):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
