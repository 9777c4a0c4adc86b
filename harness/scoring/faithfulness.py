"""faithfulness: what the agent says is held against what it could know, and against what it did.

Typed facts (amounts, percentages, durations, dates, weekdays, times, ids, counts) must be supported by tool results
so far, passages, the knowledge, the user's words, or by a derivation from them; a claim that something was done must
have a successful call behind it, and one of how a thing stands a row or result that shows it. Facts in digits are read
in any language, deeds in English, Spanish and Chinese, the rest in English. An unsupported fact is KN3 where the
knowledge speaks about it and KN4 else; a deed claimed over a failed call is TO4, one without any call KN4. A deed or a
status that is denied, though a successful call shows it, is TO4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from harness.model.episode import Message, Observed
from harness.model.failure import Evidence, Finding
from harness.model.material import Ground, Tables
from harness.model.score import Score
from harness.model.status import PASSED, Judgement, failed, not_applicable, not_judged
from harness.scoring.claims.acts import Acts, statuses_of
from harness.scoring.claims.backing import Behind, behind, concerns
from harness.scoring.claims.deeds import Deed, claimed, key_of, told_of
from harness.scoring.claims.denials import Denial, denials
from harness.scoring.claims.evidence import Evidence as Seen
from harness.scoring.claims.evidence import Sight
from harness.scoring.claims.facts import Fact, Places, extract, facts_at, places
from harness.scoring.claims.known import Known
from harness.scoring.claims.offers import offered
from harness.scoring.claims.remembered import remembered_by, shape
from harness.scoring.claims.rows import contradicting
from harness.scoring.claims.sentences import sentence_at, unmarked
from harness.scoring.claims.support import example, underivable, unseen, unsupported
from harness.scoring.claims.topics import WINDOWS, Statement, misplaced, on_topic, statements, stems
from harness.scoring.prepared import prepared
from harness.scoring.reading import Reading
from harness.scoring.registry import reading_scorer
from harness.scoring.timeline import Step
from tools_sandbox.call import Call, Json
from tools_sandbox.schema import ToolSpec

VERSION = "1"
LONGEST, MOST = 100_000, 400
"""Characters of one reply that are looked through, and facts, deeds and denials of it that are checked; what is beyond
is not judged."""
_CODE = re.compile(r"```.*?```", re.DOTALL)
"""A block of code shows how something is written; it claims nothing."""


@reading_scorer("faithfulness", dimension="faithfulness", version=VERSION)
def faithfulness(reading: Reading) -> Score:
    """Whether every checkable claim of the agent's replies is supported. No claim: not applicable.

    Details: `claims` that were checked, and how many of them were `unsupported`.
    """
    material, timeline = reading.material, reading.timeline
    witness = _Witness(prepared(material.ground, Basis.of), material.start, [call for _, call in timeline.calls])
    witness.see(reading.episode.clock)
    if (observed := reading.episode.observed) is not None:
        witness.observed(observed)
    for step, event in timeline.events:
        if isinstance(event, Call):
            witness.called(event)
        elif event.role == "user":
            witness.heard(event)
        else:
            witness.replied(step, event)
    details: dict[str, object] = {"claims": witness.claims, "unsupported": len(witness.findings)}
    return Score("faithfulness", VERSION, _judged(witness, reading), tuple(witness.findings), details)


def _judged(witness: _Witness, reading: Reading) -> Judgement:
    standing = [finding for finding in witness.findings if not finding.recovered]
    unseen = reading.episode.spans_missing
    if standing and unseen and reading.material.workflow.passthrough:
        return not_judged(f"tools outside the sandbox may have been called unseen: {unseen}")
    if standing:
        return failed(standing[0].text)
    if witness.cut:
        return not_judged(witness.cut)
    return PASSED if witness.claims else not_applicable("the agent made no checkable claim")


@dataclass(frozen=True, slots=True)
class Basis:
    """What every agent of a workflow knows before anything is said, and the acts that it may claim."""

    known: Known
    sights: tuple[Sight, ...]
    statements: tuple[Statement, ...]
    acts: Acts
    tools: dict[str, ToolSpec]

    @classmethod
    def of(cls, ground: Ground) -> Basis:
        """From the knowledge and the tools with their descriptions."""
        tools = ground.schema.tools
        texts = [*(document.text for document in ground.knowledge), *(tool.description for tool in tools.values())]
        known = Known()
        for text in texts:
            known.learn(extract(text))
        about = tuple(statements(ground.knowledge))
        acts = Acts.of(tools.values(), statuses_of(ground.schema, ground.start))
        return cls(known, tuple(map(Sight, texts)), about, acts, tools)


@dataclass(frozen=True, slots=True)
class _Said:
    """What replies of one shape say: where facts stand, where those that claim nothing (they show how something is
    written, or are offered), the deeds that they claim, and whether they deny any.
    """

    places: Places
    idle: frozenset[int]
    deeds: tuple[Deed, ...]
    denies: bool


@remembered_by(shape)
def _said(text: str, acts: Acts) -> _Said:
    stated = _stated(text)
    lowered = unmarked(stated)
    idle = frozenset(fact.start for fact in extract(stated) if example(text, fact) or offered(lowered, fact))
    return _Said(places(stated), idle, claimed(text, acts), any(True for _ in denials(text, acts)))


@remembered_by(shape)
def _heard(text: str, acts: Acts) -> tuple[Set[str], Set[str]]:
    """The acts and statuses that users' messages of one shape tell of, and the statuses that they deny."""
    return told_of(text, acts), {denial.denied for denial in denials(text, acts)} - {""}


def _stated(text: str) -> str:
    """A reply with blanks for what it claims nothing by."""
    return _CODE.sub(lambda code: " " * len(code[0]), text) if "```" in text else text


class _Witness:
    """One pass through an episode. `met` is what was seen in the conversation alone, `known` that, what was
    retrieved, and the basis.
    """

    def __init__(self, basis: Basis, start: Tables, every: Sequence[Call]) -> None:
        self.basis = basis
        self.start = start
        self.every = every
        self.known = Seen(basis.known, basis.sights)
        self.met = Seen()
        self.calls: list[Call] = []
        self.asked = ""
        self.claims = 0
        self.cut = ""
        self.findings: list[Finding] = []
        self.told: set[object] = set()
        self.heard_of: set[str] = set()
        """Acts and statuses that the user told of ("my order was cancelled")."""
        self.doubted: set[str] = set()
        """Statuses that the user denied ("it was never delivered")."""

    def see(self, *values: Json) -> None:
        seen = tuple(map(Sight, values))
        self.known.add(*seen)
        self.met.add(*seen)

    def observed(self, observed: Observed) -> None:
        """What the agent had besides, of a conversation that was read from telemetry."""
        self.known.add(*(Sight(text) for text in (observed.instructions,) if text))
        self.known.add(*(Sight(passage.text) for _, passage in observed.retrieved))

    def heard(self, message: Message) -> None:
        self.asked = message.text[:LONGEST]
        self.see(self.asked)
        told, denied = _heard(self.asked, self.basis.acts)
        self.heard_of |= told
        self.doubted |= denied

    def called(self, call: Call) -> None:
        self.calls.append(call)
        if call.error is not None:
            self.see(call.error.text)
            return
        tool = self.basis.tools.get(call.tool)
        if tool is not None and tool.retrieves:
            self.see(call.arguments)
            self.known.add(Sight(call.result))
        else:
            self.see(call.arguments, call.result)
        for passage in call.passages:
            self.known.add(Sight(passage.text))

    def replied(self, step: Step, message: Message) -> None:
        text = message.text[:LONGEST]
        said = _said(text, self.basis.acts)
        stated = facts_at(said.places, _stated(text))
        facts = [fact for fact in stated if fact.kind != "number" and fact.start not in said.idle]
        deeds = said.deeds
        # Of a denial it matters which numbers are in it.
        denied = list(denials(text, self.basis.acts)) if said.denies else []
        if len(message.text) > LONGEST or max(map(len, (facts, deeds, denied))) > MOST:
            self.cut = (
                f"a reply of turn {message.turn} has {len(message.text):,} characters, {len(facts):,} facts, "
                f"{len(deeds):,} claims of deeds and {len(denied):,} denials; "
                f"{LONGEST:,} and {MOST} of each are looked at"
            )
            facts, deeds, denied = facts[:MOST], deeds[:MOST], denied[:MOST]
        open_ = unseen(text, facts, self.known)
        wrong = underivable(text, open_, facts, self.known, self.met)
        self.claims += len(facts) + len(deeds)
        for fact in wrong:
            first, last = sentence_at(text, fact.start, fact.end)
            against = on_topic(fact, text[first:last], f"{self.asked} {text}", self.basis.statements)
            self._wrong(step, message, fact, "KN3" if against else "KN4", against)
        supported = [fact for fact in facts if fact not in wrong] if wrong else facts
        for fact in supported:
            if fact.kind in WINDOWS and (against := self._misplaced(text, fact)):
                self._wrong(step, message, fact, "KN3", against)
        told = [self._check(step, message, deed, supported) for deed in deeds]
        for denial in denied:
            self._contradicted(step, message, denial, told)
        if derived := [fact for fact in open_ if fact not in wrong]:
            self.known.learn(derived)
            self.met.learn(derived)

    def _misplaced(self, text: str, fact: Fact) -> Statement | None:
        first, last = sentence_at(text, fact.start, fact.end)
        against = misplaced(fact, stems(text[first:last]), self.basis.statements)
        return against if against and unsupported(text, [fact], self.met) else None

    def _check(self, step: Step, message: Message, deed: Deed, facts: Sequence[Fact]) -> Call | None:
        """Hold a deed against the calls; the call that shows it."""
        if not deed.own and key_of(deed) in self.heard_of:
            return None
        named = [fact for fact in facts if fact.kind == "id" and deed.start <= fact.start < deed.end]
        keys = [message.text[fact.start : fact.end] for fact in named]
        found, call = self._behind(deed, self.calls, keys)
        if found == "done":
            amounts = [fact for fact in facts if fact.kind == "amount" and deed.start <= fact.start < deed.end]
            for fact in unsupported(message.text, amounts, self.met) if amounts else ():
                self._wrong(step, message, fact, "TO4", None, "no call and no word of the user holds it")
        elif (key := (deed.act, unmarked(message.text[deed.start : deed.end]))) not in self.told:
            self.told.add(key)
            self.findings.append(self._unfounded(step, message, deed, call, keys))
        return call if found == "done" else None

    def _contradicted(self, step: Step, message: Message, denial: Denial, told: Sequence[Call | None]) -> None:
        """Find a denial that a call contradicts. One that the same reply tells of denies something else."""
        call = contradicting(denial, message.text, message.turn, self.calls, self.start, self.basis.acts)
        if call is None or (denial.act and call in told) or denial.denied in self.doubted:
            return
        self.claims += 1
        said = message.text[denial.start : denial.end].strip()
        if (denial.act, said) in self.told:
            return
        self.told.add((denial.act, said))
        self.findings.append(
            Finding(
                f"the agent says {said!r}, but {call.tool} shows otherwise",
                "TO4",
                step,
                _evidence(message, denial.start, denial.end, call=call),
                expected="what the successful call shows",
                actual=said,
            )
        )

    def _behind(self, deed: Deed, calls: Sequence[Call], keys: Sequence[str]) -> tuple[Behind, Call | None]:
        latest = (call for call in reversed(calls) if not keys or concerns(call, keys, self.start))
        return behind(deed, latest, self.basis.tools, self.basis.acts, keys)

    def _unfounded(self, step: Step, message: Message, deed: Deed, call: Call | None, keys: Sequence[str]) -> Finding:
        later, _ = self._behind(deed, self.every, keys)
        said = message.text[deed.start : deed.end].strip()
        return Finding(
            f"the agent claims {said!r}, but {f'{call.tool} had failed' if call else 'no successful call shows it'}",
            "TO4" if call else "KN4",
            step,
            _evidence(message, deed.start, deed.end, call=call),
            expected="a successful call before the claim",
            actual=call.error.text if call and call.error else "no such call",
            recovered=later == "done",
        )

    def _wrong(
        self, step: Step, message: Message, fact: Fact, code: str, against: Statement | None, why: str = ""
    ) -> None:
        value = (fact.kind, fact.low, fact.high, fact.unit, fact.key, fact.days)
        if value in self.told:
            return
        self.told.add(value)
        said = message.text[fact.start : fact.end]
        supported = f"a supported {fact.kind}: of a result, the knowledge or the user"
        why = why or ("the knowledge says otherwise" if against else "nothing that it could know supports it")
        self.findings.append(
            Finding(
                f"the agent says {said!r}: {why}",
                code,
                step,
                _evidence(message, fact.start, fact.end, where=against.where if against else None),
                expected=against.text if against else supported,
                actual=said,
                layer=1 if code == "KN3" else 0,
            )
        )


def _evidence(
    message: Message, start: int, end: int, *, call: Call | None = None, where: str | None = None
) -> Evidence:
    first, last = sentence_at(message.text, start, end)
    quote = message.text[first:last].strip()
    return Evidence(message.turn, call.id if call else None, call.span_id if call else None, quote=quote, where=where)
