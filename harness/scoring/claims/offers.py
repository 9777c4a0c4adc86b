"""Amounts that are offered or asked for, in English: "Shall I move 1000 EUR instead?" claims nothing.

What a question takes for granted is a claim all the same: "Shall I refund the 59.90?", "… your order of 59.90?".
"""

from __future__ import annotations

import re

from harness.scoring.claims.facts import Fact
from harness.scoring.claims.sentences import sentence_at

_ASKS = re.compile(
    r"\b(?:(?:shall|should|may|can|could) (?:i|we)|(?:would|do) you (?:like|want|wish|prefer|rather|need)|want me to|"
    r"(?:how|what) about|what if (?:i|we)|(?:do|did) you mean|is it)\b"
)
_WISH = re.compile(r"\b(?:if|should|in case) you(?:'d| would)? (?:like|want|wish|prefer|rather|need)\b")
_WOULD = re.compile(r"\b(?:(?:i|we)(?: can| could| would|'d)|if (?:i|we))\b")
_TOLD = re.compile(
    r"\b(?:the|your|its|their|my|our|this|that|these|those|which|of|for|at|is|are|was|were|costs?|worth|"
    r"over|above|below|under|than|least|most)\b|[:(]"
)
"""Words between an offer and an amount that tell the amount of something known, or a limit."""
_NAMED = re.compile(r"\W{0,3}(?:the|your|its|which)\b|,? or (?:more|less)\b")
"""The same behind the amount ("59.90, the full price")."""


def offered(lowered: str, fact: Fact) -> bool:
    """Whether an amount is only offered, asked, or supposed in what the user may wish; `lowered` is in lower case."""
    if fact.kind != "amount" or _NAMED.match(lowered, fact.end):
        return False
    first, last = sentence_at(lowered, fact.start, fact.end)
    leads = [_ASKS] if lowered[last - 1 : last] == "?" else []
    if _WISH.search(lowered, first, last):
        leads += [_WISH, _WOULD]
    ends = [match.end() for lead in leads for match in lead.finditer(lowered, first, fact.start)]
    return bool(ends) and not _TOLD.search(lowered, max(ends), fact.start)
