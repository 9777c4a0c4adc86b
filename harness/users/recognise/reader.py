"""Reads the lines of a reply for asks: where one begins, what it governs, and so what kind it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from harness.model.episode import Ask, AskKind
from harness.users.recognise.book import Named, SlotBook
from harness.users.recognise.choices import inline_options, listed_options
from harness.users.recognise.language import Language, folded
from harness.users.recognise.readback import read_back
from harness.users.recognise.segments import Line, Words

_PUNCTUATION = " \t.,;:!?¿¡。，；：！？、()（）-–—\"“”'‘’"
_VALUE_FOLLOWS = re.compile(r"\s*[:：]\s*(?:\S*\d|(?![DMY-]+$)[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}$)")
_FEW = 3
"""Words: a proposal that stops after no more than these has left the act to the list."""
_SHORT = 40
"""Characters: a question no longer than this that names a slot asks for it, without any question word."""


class Reader:
    """Collects the asks of one reply, in order, in `asks`; `closing` tells whether it offers to close, `refusal`
    whether it turns a request down.
    """

    def __init__(self, language: Language, book: SlotBook) -> None:
        self.asks: list[Ask] = []
        self.closing = False
        self.refusal = False
        self._language = language
        self._book = book
        self._menu = Line("")
        self._before = Words("", "")

    def read(self, line: Line) -> None:
        """Read a line and the list that hangs on it, unless the list is the options of the line's own ask."""
        taken = False
        known = start = len(self.asks)
        for sentence in line.sentences():
            known = len(self.asks)
            items = line.items if line.text.endswith(sentence.text) else []
            self.refusal = self.refusal or refuses(sentence, self._language)
            if self._language.cues.search(sentence.low):
                self._sentence(sentence, items)
            taken = bool(items) and len(self.asks) > known and self.asks[-1].options == listed_options(items)
            self._before = sentence
        if line.items and not taken and self._before.leads and start < len(self.asks) == known and len(line.items) > 1:
            self._offer(listed_options(line.items))
        if not taken:
            for item in line.items:
                self.read(item)
        if len(line.items) > 1:
            self._menu = line

    def _offer(self, options: tuple[str, ...]) -> None:
        """Give the last ask its options: "How do you want to pay? You have:" and a list."""
        ask = self.asks[-1]
        if ask.kind is AskKind.OTHER or (ask.kind is AskKind.SLOT and ask.slot not in self._book.facts):
            self.asks[-1] = replace(ask, kind=AskKind.CHOICE, options=options)

    def _sentence(self, sentence: Words, items: list[Line]) -> None:
        language = self._language
        closing = language.closing.search(sentence.low)
        if closing:
            self.closing = True
            sentence = _without(sentence, closing, language)
        heads = self._heads(sentence.low)
        if closing and (
            language.follow_up.search(sentence.low)
            or not any(head.lastgroup in ("propose", "confirm", "request") for head in heads)
        ):
            return
        if not heads and not sentence.asks:
            return
        known = len(self.asks)
        if not heads:
            self._question(sentence, items)
        ends = [head.start() for head in heads[1:]] + [len(sentence.low)]
        for head, end in zip(heads, ends, strict=False):
            firm = head.lastgroup != "soft" or (len(heads) == 1 and sentence.asks)
            self._headed(sentence, head, end, items if end == ends[-1] else [], firm=firm)
        phrased = self._book.asked_in(sentence.text)
        if phrased:
            self.asks[known:] = self._phrased(sentence, phrased, self.asks[known:])

    def _phrased(self, sentence: Words, phrased: Mapping[str, tuple[int, int]], asks: list[Ask]) -> list[Ask]:
        """The asks of a sentence in which an author's phrases name slots: what they name is asked for once. A choice is
        one of the slot's values, no ask of its own.
        """
        spans = [span for span in phrased.values() if not self._language.edge.search(sentence.low, *span)]
        named = self._book.named(sentence.low, self._language)
        covered = [any(start <= one.start and one.end <= end for start, end in spans) for one in named]
        beside = {one.slot for one, inside in zip(named, covered, strict=True) if not inside}
        gone = {one.slot for one in named if one.slot not in beside} | phrased.keys()
        options = next((ask.options for ask in asks if ask.options), ())
        open_ = (ask for ask in asks if ask.kind not in (AskKind.OTHER, AskKind.CHOICE))
        rest = (ask for ask in open_ if ask.slot not in gone)
        return [*(Ask(AskKind.SLOT, sentence.text, slot, options=options) for slot in phrased), *rest]

    def _heads(self, low: str) -> list[re.Match[str]]:
        """The heads of a sentence. One that no edge parts from the head before it is a part of what that governs; so is
        a second proposal after "or", the other option of a choice or the way out of the first.
        """
        language = self._language
        heads: list[re.Match[str]] = []
        for head in language.heads.finditer(low):
            if heads:
                last = heads[-1]
                option = last.lastgroup in ("propose", "confirm") and head.lastgroup in ("propose", "soft")
                if option and language.either.search(low, last.end(), head.start()):
                    continue
                if not (language.edge.match(low, head.start()) or language.edge.search(low, last.end(), head.start())):
                    continue
            heads.append(head)
        return heads

    def _headed(self, sentence: Words, head: re.Match[str], end: int, items: list[Line], *, firm: bool) -> None:
        act, body = head.lastgroup, sentence.part(head.end(), end)
        if act in ("propose", "act") and self._is_asked(sentence.low, head.start()):
            self._question(sentence, items)
        elif act == "propose":
            self._proposal(sentence, body, items)
        elif act == "confirm":
            self._confirm(sentence, body, items)
        elif act == "await":
            self._await(sentence, body)
        else:
            self._request(sentence, body, items, lead=head[0], firm=firm, tells=act != "act")

    def _is_asked(self, low: str, head: int) -> bool:
        """Whether a question word governs a head: "which seat would you like", "how many nights will you stay"."""
        wh = self._language.wh.search(low, 0, head)
        return wh is not None and not self._language.edge.search(low, wh.end(), head)

    def _proposal(self, sentence: Words, body: Words, items: list[Line]) -> None:
        options: tuple[str, ...] = ()
        if items and sentence.leads:
            # "Would you like to:" lists acts; "Would you like me to change your flight to:" lists what the act is.
            short = len(body.low.split()) <= _FEW
            options = listed_options(items) if short or self._language.pick.search(body.low) else ()
        elif sentence.asks or self._weighs(body.low):
            options = inline_options(body, self._language)
        self._choice(sentence, options, AskKind.PROPOSAL)

    def _confirm(self, sentence: Words, body: Words, items: list[Line]) -> None:
        language = self._language
        if language.consent.match(body.low):
            self.asks.append(Ask(AskKind.PROPOSAL, sentence.text))
        elif language.summary.match(body.low) or not body.low.strip(_PUNCTUATION):
            self.asks += [Ask(AskKind.PROPOSAL, sentence.text), *self._slots(sentence, body, items=[])]
        else:
            open_value = language.open_confirm.match(body.low)
            if language.condition.match(body.low):
                open_value = open_value if inline_options(body, language) else None
            value = None if open_value else read_back(body, language, self._book, sentence.text, sure=False)
            if value:
                self.asks.append(value)
            elif language.open_confirm.match(body.low) or (
                not language.assertion.match(body.low) and self._book.named(body.low, language)
            ):
                self._request(sentence, body, items)
            else:
                self.asks.append(Ask(AskKind.PROPOSAL, sentence.text))

    def _await(self, sentence: Words, body: Words) -> None:
        """Once you confirm: something, or all that was said before."""
        if self._language.open_confirm.match(body.low):
            self._request(sentence, body, items=[])
        else:
            slots = [] if body.low.startswith((",", "，")) else self._slots(sentence, body, items=[])
            self.asks += slots or [Ask(AskKind.PROPOSAL, sentence.text)]

    def _request(
        self, sentence: Words, body: Words, items: list[Line], *, lead: str = "", firm: bool = True, tells: bool = True
    ) -> None:
        language = self._language
        slots = self._slots(sentence, body, items, lead) if tells and not language.condition.match(body.low) else []
        if not slots and not self.asks and language.pointer.search(sentence.low):
            slots = self._slots(sentence, self._before, items=[])
        self.asks += slots
        if slots or not firm:
            return
        pick = language.pick.search(lead + self._aim(body.low))
        options: tuple[str, ...] = ()
        if items and sentence.leads and (pick or language.follow_up.search(sentence.low)):
            options = listed_options(items)
        elif pick or (language.open_confirm.match(body.low) and not language.open_question.match(body.low)):
            options = inline_options(body, language)
        self._choice(sentence, options or self._picked(pick), AskKind.OTHER)

    def _question(self, sentence: Words, items: list[Line]) -> None:
        """A question without a head: after a tag, for a slot, a choice, or any other."""
        language, low = self._language, sentence.low
        tag = language.tag.search(low)
        if tag or language.claim.search(low):
            value = read_back(sentence, language, self._book, sentence.text, sure=True)
            value = value or read_back(self._before, language, self._book, sentence.text, sure=False)
            if value or tag:
                self.asks.append(value or Ask(AskKind.PROPOSAL, sentence.text))
                return
        slots = self._slots(sentence, sentence, items) if language.wh.search(low) or self._elliptic(low) else []
        self.asks += slots
        if slots:
            return
        options: tuple[str, ...] = ()
        if items and sentence.leads:
            options = listed_options(items)
        elif not language.open_question.match(low):
            options = inline_options(sentence, language)
        self._choice(sentence, options or self._picked(language.pick.search(low)), AskKind.OTHER)

    def _elliptic(self, low: str) -> bool:
        """Whether a question is no more than the slot it asks for: "And your e-mail?"."""
        if self._language.polar.search(low):
            return False
        named = self._book.named(low, self._language)
        return bool(named) and (len(low) <= _SHORT or named[0].start <= len("your "))

    def _weighs(self, low: str) -> bool:
        pick = self._language.pick.search(low)
        return pick is not None and pick.lastgroup == "weigh"

    def _picked(self, pick: re.Match[str] | None) -> tuple[str, ...]:
        """The options that were listed before, if one of them is to be picked."""
        return listed_options(self._menu.items) if pick and pick.lastgroup != "weigh" else ()

    def _choice(self, sentence: Words, options: tuple[str, ...], otherwise: AskKind) -> None:
        if len(options) > 1:
            self.asks.append(Ask(AskKind.CHOICE, sentence.text, options=options))
        else:
            self.asks.append(Ask(otherwise, sentence.text))

    def _slots(self, sentence: Words, body: Words, items: list[Line], lead: str = "") -> list[Ask]:
        """Asks for the slots that a body governs; for those of the list that hangs on it, if it names none itself.
        Where the user must pick one of a list and knows no such fact, it is a choice.
        """
        language, book = self._language, self._book
        wanted = self._wanted(body.low)
        options: tuple[str, ...] = ()
        if wanted and language.pick.search(lead + body.low):
            options = listed_options(items) or self._menu_of(wanted[0])
        if not wanted and sentence.leads:
            told = [below for item in items for below in (item, *item.under())]
            for item in (Words.of(item.text) for item in told if not item.row):
                for named in book.named(item.low, language):
                    # "Order number: O-1001" tells, it does not ask.
                    if named.start or not _VALUE_FOLLOWS.match(item.text, named.end):
                        wanted.append(named.slot)
        found = []
        for slot in dict.fromkeys(wanted):
            kind = AskKind.CHOICE if len(options) > 1 and slot not in book.facts else AskKind.SLOT
            found.append(Ask(kind, sentence.text, slot, options=options if len(options) > 1 else ()))
        return found

    def _menu_of(self, slot: str) -> tuple[str, ...]:
        """The options that were listed before, if the list was one of this slot's values."""
        texts = (self._menu.text, *(item.text for item in self._menu.items))
        named = any(named.slot == slot for text in texts for named in self._book.named(folded(text), self._language))
        return listed_options(self._menu.items) if named else ()

    def _wanted(self, low: str) -> list[str]:
        """The slots that a body wants: not those it says what for, nor those that only tell another thing apart."""
        language = self._language
        low = self._aim(low)
        wanted: list[Named] = []
        for named in self._book.named(low, language):
            if wanted and not language.edge.search(low, wanted[-1].end, named.start):
                continue
            if not language.aside.search(low, 0, named.start):
                wanted.append(named)
        return [named.slot for named in wanted]

    def _aim(self, low: str) -> str:
        """The part of a body that says what is asked for, not what for."""
        for cut in self._language.purpose.finditer(low):
            if low[: cut.start()].strip(_PUNCTUATION):
                return low[: cut.start()]
        return low


def refuses(sentence: Words, language: Language) -> bool:
    """Whether a sentence turns a request down."""
    if sentence.asks or not language.refusal.search(sentence.low):
        return False
    return not language.setback.search(sentence.low)


def _without(sentence: Words, closing: re.Match[str], language: Language) -> Words:
    """The sentence up to, or else from, the clauses that offer to close."""
    edges = [0, *(edge.end() for edge in language.edge.finditer(sentence.low)), len(sentence.low)]
    start = max(edge for edge in edges if edge <= closing.start())
    end = min(edge for edge in edges if edge >= closing.end())
    return sentence.part(0, start) if start else sentence.part(end)
