"""From a reply to what it asks for: its sentences read one by one, then what merely repeats an ask left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from harness.model.episode import Ask, AskKind
from harness.users.recognise.book import SlotBook
from harness.users.recognise.language import Language, folded
from harness.users.recognise.languages import language_of
from harness.users.recognise.reader import Reader, refuses
from harness.users.recognise.segments import lines
from tools_sandbox.text import zeroed


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a reply wants of the user: its asks in order, whether it offers to close, whether it refuses a request."""

    asks: tuple[Ask, ...]
    closing: bool
    refusal: bool


def recognise(text: str, book: SlotBook) -> Recognition:
    """The asks of an agent's reply, as a user with these facts takes them; never raises, whatever the text.

    What was recognised in replies of usual length is remembered: in another trial the agent may well say the same, and
    of another order the same but for its number.
    """
    if len(text) > _USUAL_LENGTH:
        return _recognise(text, book)
    # Digits are told apart in no cue, but in the JSON of an envelope.
    asks_nothing = _without_cues(text if text.startswith("{") else zeroed(text))
    return _remembered(text, book) if asks_nothing is None else asks_nothing


_USUAL_LENGTH = 2000


@lru_cache(maxsize=4096)
def _without_cues(text: str) -> Recognition | None:
    """What a text says to any user, whatever its figures, if no sentence of it has a cue; None if one has."""
    language, refusal = language_of(folded(text)), False
    for line in lines(text):
        for part in (line, *line.under()):
            for sentence in part.sentences():
                if language.cues.search(sentence.low):
                    return None
                refusal = refusal or refuses(sentence, language)
    return Recognition((), False, refusal)


@lru_cache(maxsize=4096)
def _remembered(text: str, book: SlotBook) -> Recognition:
    return _recognise(text, book)


def _recognise(text: str, book: SlotBook) -> Recognition:
    language = language_of(folded(text))
    reader = Reader(language, book)
    for line in lines(text):
        reader.read(line)
    asks = tuple(_settled(reader.asks, language, closing=reader.closing))
    return Recognition(asks, reader.closing, reader.refusal)


def _settled(asks: list[Ask], language: Language, *, closing: bool) -> Iterator[Ask]:
    """The asks without repetitions: of a slot, or by an ask that only points at another one of the reply."""
    seen: set[tuple[str, AskKind | None]] = set()
    pointing = [_points(ask, language) for ask in asks]
    # What an open ask may point at: any other ask of the reply, or its closing.
    target = closing or not all(pointing)
    settled = False
    for ask, points in zip(asks, pointing, strict=True):
        key = (ask.slot, None) if ask.slot else (ask.quote, ask.kind)
        repeats = points and (target or bool(seen) if ask.kind is AskKind.OTHER else settled)
        if key in seen or repeats:
            continue
        seen.add(key)
        settled = settled or ask.kind in (AskKind.PROPOSAL, AskKind.CHOICE, AskKind.READBACK)
        yield ask


def _points(ask: Ask, language: Language) -> bool:
    """Whether an ask names nothing of its own, so that it may say again what another ask of the reply has said."""
    if ask.slot or ask.kind is AskKind.READBACK:
        return False
    pattern = language.bare if ask.kind is AskKind.PROPOSAL else language.follow_up
    return pattern.search(folded(ask.quote)) is not None
