"""Statements of the knowledge with the facts in them, and which of them a reply speaks about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from harness.model.material import Document
from harness.scoring.claims.facts import Fact, extract

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WRAPPED = re.compile(r"(?<=\S)\n(?=[^\s#|*-])")
"""A line break within a paragraph."""
_WORD = re.compile(r"[a-z]{3,}")
_STEM = 5
"""Letters that two forms of a word have in common: refund, refunds, refunded."""
_COMMON = frozenset(
    (  # noqa: SIM905 a list of words reads best as text
        "the and for you your are can our with from that this have has will not but any all was were been may must its "
        "into than then them they their there here what when which who how why does did out off over under more most "
        "other such only also just very order orders item items please within after before until days day weeks week "
        "months month hours hour years year business working time"
    ).split()
)
WINDOWS = ("duration", "percent")
"""Kinds of facts that a policy states by topic: the same value may be right of one thing and wrong of another."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a document: its text, the stems of its words and of its clause's title, its facts, and where it
    stands (`policy/refunds.md#R2`).
    """

    text: str
    stems: frozenset[str]
    facts: tuple[Fact, ...]
    where: str


def stems(text: str) -> frozenset[str]:
    """Beginnings of the words that carry a topic."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()) if word not in _COMMON)


def statements(documents: Iterable[Document]) -> Iterator[Statement]:
    """The statements that hold a fact, clause by clause; a document without clauses as a whole."""
    for document in documents:
        source = document.source
        parts = [(clause.title, clause.text, f"{source}#{clause.id}") for clause in document.clauses]
        for title, text, where in parts or [("", document.text, source)]:
            for sentence in _SENTENCE.split(_WRAPPED.sub(" ", text)):
                if facts := extract(sentence):
                    yield Statement(sentence.strip(), stems(f"{title} {sentence}"), facts, where)


def like_facts(statement: Statement, fact: Fact) -> list[Fact]:
    """The facts of a statement that are of a fact's kind and unit."""
    units = (fact.unit,) if fact.kind == "duration" else None
    return [other for other in statement.facts if other.kind == fact.kind and (units is None or other.unit in units)]


def on_topic(fact: Fact, sentence: str, context: str, known: Iterable[Statement]) -> Statement | None:
    """The statement that says otherwise than an unsupported fact: it holds a fact of this kind, and of those it shares
    most words with what was said. A window or rate needs one word in common with the context, an amount two with its
    own sentence; of dates, ids and counts the knowledge says nothing.
    """
    if fact.kind not in (*WINDOWS, "amount"):
        return None
    said, least = (stems(sentence), 2) if fact.kind == "amount" else (stems(f"{sentence} {context}"), 1)
    shared = [(len(said & statement.stems), statement) for statement in known if like_facts(statement, fact)]
    best = max(shared, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= least else None


def misplaced(fact: Fact, said: frozenset[str], known: Iterable[Statement]) -> Statement | None:
    """The statement that a fact (of WINDOWS) contradicts though another statement, on another topic, holds its value.

    Only where the sentence shares two topic words and more with the first and none with any that holds the value. A
    value that no statement holds was reckoned from others.
    """
    elsewhere = False
    against: list[tuple[int, Statement]] = []
    for statement in known:
        facts = like_facts(statement, fact)
        holds = any({fact.low, fact.high} <= {other.low, other.high} for other in facts)
        shared = len(said & statement.stems)
        if holds and shared:
            return None
        elsewhere = elsewhere or holds
        if facts and not holds and shared > 1:
            against.append((shared, statement))
    return max(against, key=lambda pair: pair[0])[1] if against and elsewhere else None
