"""The engine: from a reply's sentences to its asks, by the patterns of its language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.model.episode import Ask, AskKind
from harness.users.recognise.book import SlotBook
from harness.users.recognise.language import Language
from harness.users.recognise.languages import language_of
from harness.users.recognise.segments import Sentence, sentences

_QUESTION = re.compile(r"[?？]")
_EDGE = re.compile(r"[,;:.!?—–]|\band\b|\bor\b|\bso\b|，|；|、")
_VALUE = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|#?[A-Za-z]{0,4}-?\d[\w-]*(?:[.,]\d+)*|(?<=\bis )[^,.?!]+")


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a reply wants of the user: its asks in order, whether it offers to close, whether it turns a request down."""

    asks: tuple[Ask, ...]
    closing: bool
    refusal: bool


def recognise(text: str, book: SlotBook) -> Recognition:
    """The asks of an agent's reply, as the user with these facts would take them."""
    language = language_of(text)
    asks: list[Ask] = []
    closing = refusal = False
    for sentence in sentences(text):
        if not refusal and language.refusal.search(sentence.text):
            refusal = not _QUESTION.search(sentence.text) and not language.setback.search(sentence.text)
        if not language.cues.search(sentence.text):
            continue
        if language.closing.search(sentence.text):
            closing = True
            continue
        asks += _read(sentence, language, book)
    return Recognition(tuple(_settled(asks, language)), closing, refusal)


def _read(sentence: Sentence, language: Language, book: SlotBook) -> Iterator[Ask]:
    """The asks of one sentence."""
    text = sentence.text
    asked = book.asked_for(text)
    heads = list(language.heads.finditer(text))
    question = bool(_QUESTION.search(text[-3:]))
    if not heads and not question:
        return
    if asked:
        yield from (Ask(AskKind.SLOT, text, slot) for slot in asked)
        return
    if not heads:
        yield from _question(sentence, language, book)
        return
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        body = text[head.end() : end]
        yield from _headed(head, body, sentence, language, book)


def _headed(head: re.Match[str], body: str, sentence: Sentence, language: Language, book: SlotBook) -> Iterator[Ask]:
    """The asks of a head and what it governs."""
    text, act = sentence.text, head.lastgroup
    before = text[: head.start()]
    if act == "propose":
        wh = language.wh.search(before)
        if wh and not _EDGE.search(before, wh.end()):
            yield from _question(sentence, language, book)
            return
        options = _options(body, sentence, language) if _QUESTION.search(text) else ()
        yield Ask(AskKind.CHOICE, text, options=options) if options else Ask(AskKind.PROPOSAL, text)
        return
    asked = _governed(body, language)
    if act == "confirm":
        value = _read_back(asked, text, language, book)
        if value:
            yield value
            return
        if language.consent.search(body) or not body.strip(" .,!?:"):
            yield Ask(AskKind.PROPOSAL, text)
            return
    slots = book.slots(asked, language)
    if not slots and sentence.items and act in ("request", "soft", "confirm"):
        slots = [slot for item in sentence.items for slot in book.slots(item, language)]
    if not slots and act in ("request", "soft") and not asked.strip(" .,!?:"):
        slots = book.slots(before, language)
    if slots:
        yield from (Ask(AskKind.SLOT, text, slot) for slot in slots)
    elif act == "confirm":
        yield Ask(AskKind.PROPOSAL, text)
    elif act != "soft" or _QUESTION.search(text[-3:]):
        options = tuple(sentence.items) if language.follow_up.search(text) else ()
        yield Ask(AskKind.CHOICE, text, options=options) if options else Ask(AskKind.OTHER, text)


def _question(sentence: Sentence, language: Language, book: SlotBook) -> Iterator[Ask]:
    """The asks of a question that has no head: by its question word, its options, its tag."""
    text = sentence.text
    tagged = language.tag.search(text) or language.claim.search(text)
    value = _read_back(text, text, language, book) if tagged else None
    if value:
        yield value
        return
    slots = book.slots(_governed(text, language), language)
    wh = language.wh.search(text)
    if slots and (wh or len(text.split()) <= 5):
        yield from (Ask(AskKind.SLOT, text, slot) for slot in slots)
        return
    options = _options(text, sentence, language)
    if language.tag.search(text):
        yield Ask(AskKind.PROPOSAL, text)
    elif options:
        yield Ask(AskKind.CHOICE, text, options=options)
    else:
        yield Ask(AskKind.OTHER, text)


def _governed(body: str, language: Language) -> str:
    """The part of a body that says what is asked for, not why."""
    for cut in language.purpose.finditer(body):
        if body[: cut.start()].strip(" ,."):
            return body[: cut.start()]
    return body


def _options(body: str, sentence: Sentence, language: Language) -> tuple[str, ...]:
    if sentence.items and sentence.text.rstrip().endswith((":", "：")):
        return tuple(sentence.items)
    parts = [part.strip(" ,.?!？") for part in language.either.split(body)]
    return tuple(parts) if len(parts) > 1 and all(parts) else ()


def _read_back(body: str, text: str, language: Language, book: SlotBook) -> Ask | None:
    folded = text.casefold()
    for fact, value in book.values.items():
        if len(value) > 2 and value.casefold() in folded:
            return Ask(AskKind.READBACK, text, fact, value)
    slots = book.slots(body, language)
    value = _VALUE.search(body)
    if slots and value:
        return Ask(AskKind.READBACK, text, slots[0], value.group().strip())
    return None


def _settled(asks: list[Ask], language: Language) -> Iterator[Ask]:
    """The asks without repetitions, and without a mere "let me know" or "please confirm" after the ask it belongs to."""
    seen: set[tuple[AskKind, str | None, str]] = set()
    for ask in asks:
        key = (ask.kind, ask.slot, "" if ask.slot else ask.quote)
        follows = ask.kind is AskKind.OTHER and len(asks) > 1 and language.follow_up.search(ask.quote)
        if key not in seen and not follows:
            seen.add(key)
            yield ask
