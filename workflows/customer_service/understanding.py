"""What a customer's message is about: language, intent and values, by word patterns in English, Spanish and Chinese.

A fixture, not a language model: it understands a range of wordings and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .words import INTENTS, NO, SPANISH, YES


class Intent(StrEnum):
    """What a customer may want, most urgent first: the first that fits a message wins."""

    INJURY = "injury"
    PERSON = "person"
    OTHERS_DATA = "others_data"
    CARD_NUMBER = "card_number"
    OWN_DETAILS = "own_details"
    REFUND_TIME = "refund_time"
    EMAIL_NOTICE = "email_notice"
    CANCEL = "cancel"
    CHANGE_ADDRESS = "change_address"
    RETURN_WINDOW = "return_window"
    STORE_CREDIT = "store_credit"
    REFUND = "refund"
    RETURN = "return"
    PROMISE = "promise"
    DELIVERY = "delivery"
    TRACK = "track"
    OFF_TOPIC = "off_topic"
    THANKS = "thanks"
    GREETING = "greeting"


ORDER_ID = re.compile(r"\bO-?(\d{4,})\b", re.IGNORECASE)
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NEGATED_ORDER = re.compile(r"\b(?:not|no es|no|不是)\s+(?:order\s+|el\s+)?O-?\d{4,}\b", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\d+ [A-ZÀ-Ý][\w' -]+, (?:\d{4,5} )?[A-ZÀ-Ý][\w' -]+|[A-ZÀ-Ý][\w' -]+ \d+, (?:\d{4,5} )?[A-ZÀ-Ý][\w -]+"
)
_PATTERNS = {Intent(name): re.compile(pattern, re.IGNORECASE) for name, pattern in INTENTS.items()}
_YES, _NO, _SPANISH = (re.compile(pattern, re.IGNORECASE) for pattern in (YES, NO, SPANISH))
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Understood:
    """One message, understood. `order_id` is the last one named that is not ruled out ("not O-1040")."""

    intent: Intent | None
    order_id: str | None
    email: str | None
    address: str | None
    yes: bool
    no: bool


def understand(text: str) -> Understood:
    """Read one message of a customer."""
    wanted = _NEGATED_ORDER.sub(" ", text)
    orders, email, address = ORDER_ID.findall(wanted), EMAIL.search(text), _ADDRESS.search(text)
    return Understood(
        intent=next((intent for intent in Intent if intent in _PATTERNS and _PATTERNS[intent].search(text)), None),
        order_id=f"O-{orders[-1]}" if orders else None,
        email=email.group().lower() if email else None,
        address=address.group().strip() if address else None,
        yes=bool(_YES.search(text)) and not _NO.search(text),
        no=bool(_NO.search(text)),
    )


def language(texts: Sequence[str]) -> str:
    """`en`, `es` or `zh`, by the customer's own words; the latest message that shows it decides."""
    for text in reversed(texts):
        if _CHINESE.search(text):
            return "zh"
        if _SPANISH.search(text):
            return "es"
        if len(re.findall(r"[a-z]+", text.lower())) >= 4:
            return "en"
    return "en"
