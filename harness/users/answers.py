"""One message that answers everything an agent's reply asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from harness.model.episode import Ask, AskKind, Message
from harness.users.facts import Facts, Knows, Template, same_fact
from harness.users.recognise.segments import Line, lines
from harness.users.stance import Mind, Verdict
from tools_sandbox.call import Call


@dataclass(frozen=True, slots=True)
class Answers:
    """How the user of one scenario answers, compiled once."""

    facts: Facts
    mind: Mind
    otherwise: Template

    def to(
        self, replies: Sequence[Message], knows: Knows, calls: Sequence[Call], moot: Collection[Ask] = ()
    ) -> Answered:
        """The answers to all asks of a reply but the moot ones; each slot is answered once."""
        answered = Answered(self, replies, knows, calls)
        asks = [ask for message in replies for ask in message.asks if ask not in moot]
        # A read-back of a slot says more than a bare ask for it, so it is answered first.
        for ask in sorted(asks, key=lambda ask: ask.kind is not AskKind.READBACK):
            answered.add(ask)
        return answered


@dataclass(slots=True)
class Answered:
    """The answers to one reply as they come together. `unscripted`: quotations of asks that nothing covers."""

    answers: Answers
    replies: Sequence[Message]
    knows: Knows
    calls: Sequence[Call]
    said: list[tuple[str, str]] = field(default_factory=list)
    consent: list[str] = field(default_factory=list)
    unscripted: list[str] = field(default_factory=list)
    _sentences: list[str] = field(default_factory=list)
    _proposals: list[tuple[str, Verdict]] = field(default_factory=list)
    _confirmed: bool = False
    _corrections: list[str] = field(default_factory=list)
    _clauses: list[str] = field(default_factory=list)
    _slots: set[str] = field(default_factory=set)
    _in_own_words: set[str] = field(default_factory=set)

    def add(self, ask: Ask) -> None:
        """Answer one more ask."""
        if ask.kind is AskKind.SLOT and ask.slot is not None:
            self._slot(ask, ask.slot)
        elif ask.kind is AskKind.READBACK:
            self._read_back(ask)
        elif ask.kind is AskKind.PROPOSAL:
            self._proposal(ask)
        elif ask.kind is AskKind.CHOICE:
            self._choice(ask)
        else:
            self.unscripted.append(ask.quote)

    def text(self, *, otherwise: bool = True) -> str:
        """The message: sentences, "I can't say" for what nothing covers, facts last; empty if nothing was asked."""
        sayings = self.answers.facts.sayings
        sentences = [*self._sentences]
        if self._confirmed and not self._corrections:
            sentences.append(sayings.right)
        sentences += self._stances()
        if self.unscripted and otherwise:
            sentences.append(self.answers.otherwise.filled(self.knows))
        facts = sayings.between_facts.join([*self._corrections, *self._clauses])
        if self._corrections:
            facts = sayings.wrong.format(facts)
        if facts:
            sentences.append(facts[0].upper() + facts[1:])
        return sayings.between_sentences.join(dict.fromkeys(sentences))

    def _slot(self, ask: Ask, slot: str) -> None:
        facts = self.answers.facts
        if slot in self._slots:
            return
        self._slots.add(slot)
        if slot in facts.own:
            self._in_own_words.add(ask.quote)
            self._sentence(slot, facts.own[slot].filled(self.knows))
            decided = self.answers.mind.choice(ask, self._told(), self.calls) if ask.options else None
            self.consent += decided[1].consent if decided else ()
        elif slot not in self.knows:
            self.unscripted.append(ask.quote)
        elif value := self.knows[slot]:
            self._clause(slot, facts.clause(slot, value), self._clauses)
        else:
            self._sentence(slot, facts.lacking(slot))

    def _read_back(self, ask: Ask) -> None:
        """Confirm a value that is a known fact, correct any other; say no to an unwanted act that comes with it."""
        value = ask.value or ""
        slot = ask.slot or value
        verdict = self.answers.mind.announced(ask.quote, self.calls)
        if verdict and not verdict.yes:
            self._decided(ask, verdict)
            return
        known = [self.knows[slot]] if slot in self.knows else [*self.knows.values()]
        if any(same_fact(value, fact) for fact in known if fact):
            self._slots.add(slot)
            self._confirmed = True
            self.consent += verdict.consent if verdict else ()
            self.said.append((slot, self.answers.facts.sayings.right))
        elif slot not in self.knows:
            self.unscripted.append(ask.quote)
        elif slot not in self._slots and (fact := self.knows[slot]):
            self._slots.add(slot)
            self._clause(slot, self.answers.facts.clause(slot, fact), self._corrections)
        else:
            self._slot(ask, slot)

    def _proposal(self, ask: Ask) -> None:
        verdict = self.answers.mind.verdict(ask.quote, *self._around(ask), self._told(), self.calls)
        if ask.quote in self._in_own_words and (verdict is None or verdict.mild):
            return
        if verdict is None:
            self.unscripted.append(ask.quote)
        else:
            self._decided(ask, verdict)

    def _decided(self, ask: Ask, verdict: Verdict) -> None:
        self._proposals.append((ask.quote, verdict))
        self.consent += verdict.consent
        self.said.append((verdict.about, self._yes_or_no(verdict)))

    def _choice(self, ask: Ask) -> None:
        sayings = self.answers.facts.sayings
        decided = self.answers.mind.choice(ask, self._told(), self.calls)
        if decided is None and ask.slot is not None:
            self._slot(ask, ask.slot)
        elif decided is None:
            self.unscripted.append(ask.quote)
        else:
            option, verdict = decided
            self.consent += verdict.consent
            self._sentence(verdict.about, sayings.pick.format(_as_start(option)) if option else sayings.neither)

    def _sentence(self, about: str, text: str) -> None:
        self._sentences.append(text)
        self.said.append((about, text))

    def _clause(self, about: str, text: str, among: list[str]) -> None:
        among.append(text)
        self.said.append((about, text))

    def _stances(self) -> list[str]:
        """One yes or no if it goes for all proposals, else one for each."""
        words = [self._yes_or_no(verdict) for _, verdict in self._proposals]
        if len(set(words)) <= 1:
            return words[:1]
        about = self.answers.facts.sayings.about
        return [about.format(quote, word) for (quote, _), word in zip(self._proposals, words, strict=True)]

    def _yes_or_no(self, verdict: Verdict) -> str:
        sayings = self.answers.facts.sayings
        return sayings.yes if verdict.yes else sayings.no

    def _told(self) -> list[str]:
        return [value for value in self.knows.values() if value]

    def _around(self, ask: Ask) -> tuple[list[str], list[str]]:
        """The sentences of the reply before and after the one that asks."""
        before: list[str] = []
        after: list[str] = []
        for message in self.replies:
            for sentence in _sentences(lines(message.text)):
                if not after and ask in message.asks and sentence == ask.quote:
                    after.append(sentence)
                else:
                    (after or before).append(sentence)
        return before, after[1:]


def _sentences(level: list[Line]) -> Iterator[str]:
    for line in level:
        yield from (sentence.text for sentence in line.sentences())
        yield from _sentences(line.items)


def _as_start(option: str) -> str:
    return option[0].upper() + option[1:]
