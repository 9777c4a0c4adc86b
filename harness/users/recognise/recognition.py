"""From a reply to what it asks for: its sentences read one by one, then what merely repeats an ask left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.model.episode import Ask, AskKind
from harness.users.recognise.book import SlotBook
from harness.users.recognise.language import Language, folded
from harness.users.recognise.languages import language_of
from harness.users.recognise.reader import Reader
from harness.users.recognise.segments import lines


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a reply wants of the user: its asks in order, whether it offers to close, whether it refuses a request."""

    asks: tuple[Ask, ...]
    closing: bool
    refusal: bool


def recognise(text: str, book: SlotBook) -> Recognition:
    """The asks of an agent's reply, as a user with these facts takes them; never raises, whatever the text."""
    language = language_of(folded(text))
    reader = Reader(language, book)
    for line in lines(text):
        reader.read(line)
    return Recognition(tuple(_settled(reader.asks, language)), reader.closing, reader.refusal)


def _settled(asks: list[Ask], language: Language) -> Iterator[Ask]:
    """The asks without repetitions: of a slot, or by an ask that only points at another one of the reply."""
    seen: set[tuple[AskKind, str | None, str]] = set()
    settled = False
    pointing = [_points(ask, language) for ask in asks]
    for ask, points in zip(asks, pointing, strict=True):
        key = (ask.kind, ask.slot, "" if ask.slot else ask.quote)
        needed = (ask.kind is AskKind.PROPOSAL and not settled) or (all(pointing) and not seen)
        if key not in seen and (needed or not points):
            seen.add(key)
            settled = settled or ask.kind in (AskKind.PROPOSAL, AskKind.CHOICE, AskKind.READBACK)
            yield ask


def _points(ask: Ask, language: Language) -> bool:
    """Whether an ask names nothing of its own, so that it says again what another ask of the reply has said."""
    if ask.kind is AskKind.PROPOSAL:
        return language.bare.search(folded(ask.quote)) is not None
    return ask.kind is AskKind.OTHER and language.follow_up.search(folded(ask.quote)) is not None
