"""Bare yeses and noes, which mean nothing without the question that they answer."""

from __future__ import annotations

import re

_BARE = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|correct|right|exactly|absolutely|definitely|certainly|of course|please do"
    r"|go ahead|do (?:it|that|so)|confirm(?:ed)?|i (?:confirm|agree|accept)|sounds good"
    r"|that(?:'|’)?s (?:right|correct|fine)"
    r"|no(?:pe)?|not really|don(?:'|’)?t|sí|si|claro|vale|de acuerdo|adelante|confirmo|correcto"
    r"|是的?|对的?|好的?|可以|确认|同意|行|不(?:用|要|是|行|可以)?|否)(?!\w)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:\W|\b(?:please|thanks?|thank you|then|that(?:'|’)?s|that|it|this|is|fine|right|correct|good|great|perfect|all"
    r"|do|so|go|ahead|proceed|with|the|and|i|am|sure|agree|confirm|accept|would|like|want|to|you|can|may|por|favor|gracias|eso"
    r"|es|lo|hazlo|h[aá]galo|quiero|yes|yeah|ok(?:ay)?|no|sí|si|vale|claro|perfecto)\b|请|谢谢|吧|的|了|是|好|对|可以)+",
    re.IGNORECASE,
)


def is_short_answer(text: str) -> bool:
    """Whether a message is a yes or a no and nothing else."""
    start = _BARE.match(text)
    return start is not None and (start.end() == len(text) or _FILLER.fullmatch(text, start.end()) is not None)
