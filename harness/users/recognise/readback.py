"""Read-backs: a fact said back to the user to be confirmed."""

from __future__ import annotations

import re

from harness.model.episode import Ask, AskKind
from harness.users.recognise.book import SlotBook
from harness.users.recognise.language import Language
from harness.users.recognise.segments import Words
from tools_sandbox.text import mentions

_SHAPED = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[^\s,;?!。，？！]*\d[^\s,;?!。，？！]*(?<![.:])")
_END = re.compile(r"[,;?!。，？！]|\.$")


def read_back(body: Words, language: Language, book: SlotBook, quote: str, *, sure: bool) -> Ask | None:
    """The read-back in a text, or None: the value that it gives to a slot ("your order number is O-1001").

    Where it is `sure` that something is read back, also a value that the user knows, or anything shaped like a value
    beside a slot.
    """
    named = book.named(body.low, language)
    for slot in named:
        copula = language.copula.match(body.low, slot.end)
        if copula:
            shaped = _SHAPED.match(body.text, copula.end())
            value = shaped[0] if shaped else _END.split(body.text[copula.end() :])[0]
            return Ask(AskKind.READBACK, quote, slot.slot, value.strip(" \"'“”"))
    if not sure:
        return None
    for fact, value in book.values.items():
        if mentions(value, body.text):
            return Ask(AskKind.READBACK, quote, fact, value)
    anything = _SHAPED.search(body.text)
    if named and anything:
        return Ask(AskKind.READBACK, quote, named[0].slot, anything[0])
    return None
