"""The scripted user: a person with facts and a mind, and deterministic. It says its lines and answers asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from harness.model.episode import Ask, AskKind, Because, Message, Unsaid
from harness.model.scenario import Fact, Line, Scenario
from harness.model.source import Item
from harness.users.acts import Acts
from harness.users.answers import Answered, Answers
from harness.users.approvals import Approvals
from harness.users.assent import says_yes
from harness.users.conditions import Fit
from harness.users.facts import Facts, Template
from harness.users.recognise import Recognition, SlotBook, recognise
from harness.users.sayings import sayings_in
from harness.users.stance import Mind
from harness.users.view import Done, Say, View
from tools_sandbox.call import Json
from tools_sandbox.schema import SandboxSchema

_ACTS = (AskKind.PROPOSAL, AskKind.CHOICE)


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """A line of the script, compiled. `now`: the facts that it changes, None for a line that interrupts nothing."""

    number: int
    messages: tuple[Template, ...]
    fit: Fit
    now: Mapping[str, Fact] | None
    source: Line
    where: str | None


@dataclass(frozen=True)
class Script:
    """Everything about a scenario's user that its trials share. `names`: of all facts that it knows at some time;
    `acts`: those of the sandbox's tools, if they are at hand.
    """

    scenario: Scenario
    schema: SandboxSchema
    acts: Acts | None
    lines: tuple[ScriptLine, ...]
    names: Collection[str]
    approvals: Approvals
    book: SlotBook
    where: str | None
    interrupts: bool
    """Whether there are lines with `now`."""

    @classmethod
    def of(cls, scenario: Scenario, schema: SandboxSchema, acts: Acts | None = None) -> Script:
        """Compiled from a scenario, for a sandbox of this shape."""
        user = scenario.user
        later = {slot: None for line in user.turns for slot in line.now or {}}
        names = {**later, **user.knows}.keys()
        book = SlotBook.of({**later, **user.knows}, user.answers)
        lines = tuple(
            ScriptLine(
                number,
                tuple(Template.of(text, names) for text in line.say),
                Fit.of(line, schema),
                line.now,
                line,
                _place(line),
            )
            for number, line in enumerate(user.turns)
        )
        interrupts = any(line.now is not None for line in lines)
        return cls(scenario, schema, acts, lines, names, Approvals.of(user), book, _place(user), interrupts)

    @cached_property
    def answers(self) -> Answers:
        """How the user answers: compiled when first asked, and there are agents that never ask."""
        user = self.scenario.user
        sayings = sayings_in(user.language or self.scenario.slices.get("language", "en"))
        otherwise = Template.of(user.otherwise if user.otherwise is not None else sayings.otherwise, self.names)
        mind = Mind.of(self.scenario, self.schema, self.acts)
        return Answers(Facts.of(user, self.names, self.book, sayings), mind, otherwise)


class ScriptedUser:
    """One episode's user. Ask it for the next message after every reply of the agent, and once before the first."""

    def __init__(self, script: Script) -> None:
        self.knows: dict[str, str | None] = dict(script.scenario.user.knows)
        self._script = script
        self._book = script.book
        self._said = [0] * len(script.lines)
        self._waiting = list(script.lines)
        """The lines that are not said, or not whole."""

    def recognise(self, text: str) -> Recognition:
        """What a message of the agent asks this user, as of what it knows now."""
        return recognise(text, self._book)

    def approve(self, payload: Json) -> tuple[bool, Json]:
        """Whether an approval of the scenario fits the payload of an agent's pause, and its answer."""
        return self._script.approvals.answer(payload)

    def next(self, view: View) -> Say | Done:
        """The next message.

        A `now` line whose time has come goes first, with the answers that it leaves standing; then all that the reply
        asks, in one message; then the first line that fits. Done when nothing was asked and no line may be said.
        """
        done = {call.tool for call in view.calls if call.error is None}
        asks = [ask for message in view.replies for ask in message.asks]
        if line := next(self._interrupting(view, done), None):
            return self._line(line, view.replies, asks, view)
        if asks:
            return self._answer(view)
        if line := self._fitting(view, done):
            return self._line(line, (), (), view)
        return Done(self.unsaid())

    def unsaid(self) -> tuple[Unsaid, ...]:
        """The lines that were not said, or not whole, and what they waited for."""
        return tuple(
            Unsaid(line.number, line.source.say[self._said[line.number]], line.where, str(line.fit))
            for line in self._waiting
        )

    def _interrupting(self, view: View, done: Set[str]) -> Iterator[ScriptLine]:
        """The `now` lines whose time has come: one that waits for nothing keeps its place in the script."""
        if not self._script.interrupts or not any(self._said):
            return
        in_place = True
        for line in self._waiting:
            if line.now is not None and (in_place or not line.fit.free) and self._fits(line, view, done):
                yield line
            in_place = in_place and line.fit.missed(done)

    def _fitting(self, view: View, done: Set[str]) -> ScriptLine | None:
        """The line that is said now: one that was begun, else the first that fits."""
        for line in self._waiting:
            if self._said[line.number]:
                return line
        for line in self._waiting:
            if line.fit.holds(view, done):
                return line
        return None

    def _fits(self, line: ScriptLine, view: View, done: Set[str]) -> bool:
        return self._said[line.number] > 0 or line.fit.holds(view, done)

    def _line(self, line: ScriptLine, replies: Sequence[Message], asks: Sequence[Ask], view: View) -> Say:
        """A line's next message, with answers to what it leaves standing of the asks that it interrupts. One that says
        yes goes for those acts among them that the user wants.
        """
        if line.now is not None and not self._said[line.number]:
            self._learn(line.now)
        text = line.messages[self._said[line.number]].filled(self.knows)
        self._said[line.number] += 1
        if self._said[line.number] == len(line.messages):
            self._waiting.remove(line)
        if not asks:
            return Say(text, Because("line", line.number, line.where))
        moot = [ask for ask in asks if ask.slot in (line.now or {}) or ask.kind in _ACTS]
        answered = self._script.answers.to(replies, self.knows, view.calls, moot)
        answers = answered.text(otherwise=False)
        between = self._script.answers.facts.sayings.between_sentences
        because = self._because(answered)
        if says_yes(text):
            others = [ask for ask in asks if ask.kind not in _ACTS]
            agreed = self._script.answers.to(replies, self.knows, view.calls, others)
            because = replace(because, consent=tuple(dict.fromkeys((*because.consent, *agreed.consent))))
        because = replace(
            because,
            reason="line",
            line=line.number,
            where=line.where,
            unscripted=(),
            misfit=_misfit(answered),
        )
        return Say(f"{text}{between}{answers}" if answers else text, because)

    def _learn(self, facts: Mapping[str, Fact]) -> None:
        self.knows.update(facts)
        self._book = replace(self._book, values={slot: value for slot, value in self.knows.items() if value})

    def _answer(self, view: View) -> Say:
        answered = self._script.answers.to(view.replies, self.knows, view.calls)
        return Say(answered.text(), self._because(answered))

    def _because(self, answered: Answered) -> Because:
        return Because(
            "asks" if answered.said else "otherwise",
            where=self._script.where,
            answered=tuple(answered.said),
            consent=tuple(dict.fromkeys(answered.consent)),
            unscripted=tuple(dict.fromkeys(answered.unscripted)),
        )


def _misfit(answered: Answered) -> str | None:
    """A line that had to go out at once leaves open what no fact answers."""
    return f"it leaves open what was asked: “{answered.unscripted[0]}”" if answered.unscripted else None


def _place(item: Item) -> str | None:
    return str(item.at) if item.at else None
