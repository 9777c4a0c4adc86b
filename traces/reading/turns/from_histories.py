"""Turns out of the histories of the model calls: a new message of the user behind what was said before opens one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from traces.dialects.facts import AskedCall
from traces.genai import TURN
from traces.reading.calls.atoms import Atom, beginnings
from traces.reading.calls.model_calls import Call
from traces.reading.drafts import Asked, Draft
from traces.reading.tree.forest import Node
from traces.reading.turns.histories import Step, ordered
from traces.reading.turns.pieces import Pieces
from traces.reading.turns.retold import Retold
from traces.reading.turns.talk import Talk
from traces.reading.turns.threads import Thread, owners, threads

SHORTENED = (
    "a model call's history does not go on from the one before it: it was shortened, summarised or kept elsewhere"
)
UNASKED = "a tool's answer is told to the model though no message asks for that call"


def talk(calls: Sequence[Call]) -> Talk:
    """The turns that the messages of these model calls hold, with the model calls and the tool calls of each."""
    steps = ordered(calls)
    found = threads(steps)
    owner = owners(dict.fromkeys(found.values()))
    reader = _Reader()
    followed = {step.after for step in steps}
    prompt: str | None = None
    for step in steps:
        node = step.call.node
        thread = found.get(step)
        if thread is None:
            reader.unplaced(step.call)
        elif node.tool is None and owner[node.run] is thread:
            reader.main(step, thread)
            if prompt is None and step.after is None and step in followed:
                prompt = system_prompt(step.call.nodes)
        else:
            reader.aside(step, thread)
    reader.talk.system = prompt or reader.talk.system
    return reader.talk


class _Reader:
    def __init__(self) -> None:
        self.talk = Talk()
        self._groups = count()
        self._retold = Retold()
        self._known: set[int] = set()
        self._told: list[Call] = []
        self._last: list[Atom] = []

    def main(self, step: Step, thread: Thread) -> None:
        """A call of the conversation itself: its news may open turns."""
        call, atoms = step.call, step.call.atoms or []
        first = self._first(step, thread)
        marks, pieces = call.marks, Pieces(atoms)
        turn = thread.turns.get(marks[first])
        for at in range(first, len(atoms)):
            atom, mark = atoms[at], marks[at + 1]
            if mark in thread.turns:
                turn = thread.turns[mark]
                continue
            if atom.kind == "user" and not (turn is not None and at > first and atoms[at - 1].kind == "user"):
                again = thread.heard(step, at) if step.replaced else None
                if again is not None:
                    thread.turns[mark] = turn = again
                    continue
                turn = self._open(call.node.run)
            if turn is not None and atom.kind != "user" and atoms[at - 1].kind != "user":
                turn = self._unasked(atoms, at, turn) or turn
            turn = turn or self._open(call.node.run)
            if atom.kind == "user":
                turn.said.append(atom.text)
            thread.turns[mark] = turn
            if not (step.replaced and _is_known(atom, thread)):
                self._take(atoms, at, None, turn, thread, at > first)
            if atom.kind == "assistant" and not atom.calling and not pieces.make_up(turn.reply, at):
                turn.reply = atom.text
        turn = turn or self._home(call)
        self.talk.take_part(call.node.run, turn)
        turn.items.append(call)
        self._output(call, turn, thread)
        if call.given and call.given[-1].kind == "assistant":
            turn.reply = "\n".join([atom.text for atom in call.given if atom.kind == "assistant"])
        self._told.append(call)
        if step.after is None:
            self._system(call)

    def aside(self, step: Step, thread: Thread) -> None:
        """A call of a router, a guard or a sub-agent: a step of the turn in which it is made."""
        call, atoms = step.call, step.call.atoms or []
        _carry(step)
        turn = self._home(call)
        for at in range(step.known, len(atoms)):
            if call.marks[at + 1] not in thread.turns:
                thread.turns[call.marks[at + 1]] = turn
                self._take(atoms, at, None, turn, thread, at > step.known)
        turn.items.append(call)
        turn.asides += call.node.tool is None
        self._output(call, turn, thread)

    def unplaced(self, call: Call) -> None:
        """A call whose history was not captured, or only the beginning of it: it belongs to the turn of its run."""
        turn = self.talk.of_run(call.node.run, call.start)
        if turn is None:
            said = [atom.text for atom in call.atoms or () if atom.kind == "user"]
            new = said[len(self.talk.drafts) :]
            turn = self._open(call.node.run)
            turn.said.extend(new[:1])
        turn.items.append(call)
        for at, atom in enumerate(call.given):
            if atom.call is not None:
                self._ask(atom.call, call, turn, at > 0 and call.given[at - 1].kind == "call")
        if call.given and call.given[-1].kind == "assistant":
            turn.reply = call.given[-1].text
        self._system(call)

    def _unasked(self, atoms: Sequence[Atom], at: int, turn: Draft) -> Draft | None:
        """The turn behind this one whose reply or call a history tells next, without what the user had said: that is
        missing, or a session keeps no message twice. A reply is this turn's own if it has none yet.
        """
        if not (later := self.talk.behind(turn)):
            return None
        if atoms[at].kind == "assistant":
            same = (draft for draft in later if draft.reply == atoms[at].text)
            return None if turn.reply is None else next(same, None)
        known = self._retold.find(atoms, at)
        return None if known is None else next((draft for draft in later if known in draft.items), None)

    def _first(self, step: Step, thread: Thread) -> int:
        """Where the news in a call's history begins."""
        call = step.call
        _carry(step)
        if step.after is not None:
            return step.known
        if step is thread.first and call.atoms and call.node.tool is None and not self._is_new(call):
            thread.news = self._news(call.atoms)
            self.talk.anew += not thread.news and TURN not in call.node.run.span.attributes
            thread.turns[call.marks[thread.news]] = self.talk.drafts[-1]
        return thread.news

    def _is_new(self, call: Call) -> bool:
        """Whether nothing is told of before a call's history but calls of its own run without any words."""
        run = call.node.run
        return all(draft.runs.keys() == {run} and not draft.said and draft.reply is None for draft in self.talk.drafts)

    def _news(self, atoms: Sequence[Atom]) -> int:
        """Where the news begins in a history that goes on from none: behind all that is known, or at the last words."""
        for call in self._told:
            self._last = [*(call.atoms or ()), *call.given]
            self._known.update([atom.digest for atom in self._last if atom.kind != "user"])
        self._told.clear()
        known = max((at + 1 for at, atom in enumerate(atoms) if atom.digest in self._known), default=0)
        known += _retold(atoms[known - 1 :], self._last) if known else 0
        last = len(atoms)
        while last > known and atoms[last - 1].kind == "user":
            last -= 1
        if last:
            self.talk.notes.append(SHORTENED)
        return known or last

    def _output(self, call: Call, turn: Draft, thread: Thread) -> None:
        marks = call.marks[len(call.atoms or ()) + 1 :]
        for at, mark in enumerate(marks):
            if mark not in thread.turns:
                thread.turns[mark] = turn
                self._take(call.given, at, call, turn, thread, at > 0)
        thread.turns.setdefault(call.state, turn)

    def _take(
        self, atoms: Sequence[Atom], at: int, asker: Call | None, turn: Draft, thread: Thread, behind: bool
    ) -> None:
        """Puts one of these atoms into the turn. `behind`: the one before it was put there too."""
        atom = atoms[at]
        if atom.call is not None:
            known = self._retold.find(atoms, at) if asker is None else None
            if known is None:
                thread.asked.add(self._ask(atom.call, asker, turn, behind and atoms[at - 1].kind == "call"))
            elif not thread.asked.holds(atom.call):
                thread.asked.add(known)
        elif atom.answer is not None and not thread.asked.answer(atom.answer):
            self.talk.notes.append(UNASKED)

    def _ask(self, call: AskedCall, asker: Call | None, turn: Draft, along: bool) -> Asked:
        asked = Asked(call, asker, group=self._group(turn, along))
        turn.items.append(asked)
        self._retold.add(asked)
        return asked

    def _group(self, turn: Draft, along: bool) -> int | None:
        """The number that the call shares with the one before it, if it was asked for along with that."""
        before = next((item for item in reversed(turn.items) if isinstance(item, Asked)), None) if along else None
        if before is None:
            return None
        if before.group is None:
            before.group = next(self._groups)
        return before.group

    def _open(self, run: Node) -> Draft:
        waiting = self.talk.of_run(run, run.span.start)
        if waiting is not None and not waiting.said and waiting.reply is None:
            return waiting  # it was opened by an aside
        return self.talk.open(run)

    def _home(self, call: Call) -> Draft:
        return self.talk.of_run(call.node.run, call.start) or self._open(call.node.run)

    def _system(self, call: Call) -> None:
        if self.talk.system is None:
            self.talk.system = system_prompt(call.nodes)


def system_prompt(nodes: Iterable[Node]) -> str | None:
    """The system prompt that spans tell, on its own or among their messages."""
    for node in nodes:
        if node.facts.system:
            return node.facts.system
        if node.facts.input:
            said = [message.text for message in node.facts.input if message.role == "system" and message.text]
            if said:
                return "\n".join(said)
    return None


def _carry(step: Step) -> None:
    """Puts before a call's own history the one that the server remembers for it."""
    call = step.call
    if step.after is not None and not step.known:
        call.marks = beginnings([*(call.atoms or ()), *call.given], step.after.call.state)


def _retold(atoms: Sequence[Atom], before: Sequence[Atom]) -> int:
    """How many atoms behind the first of these, which an earlier history may hold too, that history ends with."""
    behind = next((at for at in range(len(before), 0, -1) if before[at - 1].digest == atoms[0].digest), len(before))
    ends = [atom.digest for atom in before[behind:]]
    return len(ends) if [atom.digest for atom in atoms[1 : 1 + len(ends)]] == ends else 0


def _is_known(atom: Atom, thread: Thread) -> bool:
    """Whether a rewritten history repeats a call that is known from the output that it replaces."""
    return atom.call is not None and thread.asked.holds(atom.call)
