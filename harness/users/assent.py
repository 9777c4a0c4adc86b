"""Whether a message says yes or no in so many words."""

from __future__ import annotations

import re

_YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|correct|right|exactly|absolutely|definitely|certainly|of course|"
    r"please do|go ahead|do (?:it|that|so)|confirm(?:ed)?|i (?:confirm|agree|accept|approve)|sounds good|fine|"
    r"that(?:'|’)?s (?:right|correct|fine|ok(?:ay)?)|sí|si|claro|vale|de acuerdo|adelante|confirmo|correcto)\b"
    r"|是|对|好|可以|确认|同意|行)",
    re.IGNORECASE,
)
_NO = re.compile(r"\b(?:no|nope|not|don['’]?t|never|stop|wait|nunca|espera)\b|不|别", re.IGNORECASE)


def says_yes(text: str) -> bool:
    """Whether a message begins with a yes, and no word in it takes that back."""
    return _YES.match(text) is not None and _NO.search(text) is None


def says_no(text: str) -> bool:
    """Whether a message begins with a no."""
    return _NO.match(text.lstrip()) is not None
