"""What the user says to proposals and choices: a mind made of what the scenario expects, wants and declines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.model.episode import Ask
from harness.model.scenario import Scenario, Stance
from harness.users.acts import Acts, best, named
from harness.users.facts import same_fact
from harness.users.wanted import Wanted
from harness.users.words import ACT_KEYS, PROCEED_KEYS, content, keys, name_keys
from tools_sandbox.call import Call
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.text import mentions

# What stands behind these is what would not be done.
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|and not|en (?:lugar|vez) de|y no)\b[^,.;?]*|而不是[^，。；？]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A yes or no to an act. `about`: what was proposed, by name. `consent`: the tools that a yes is given for."""

    yes: bool
    about: str
    consent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attitude:
    """A `wants`, `agrees_to` or `declines` of the scenario: its name (a tool's, or words) and phrases."""

    name: str
    words: frozenset[str]
    phrases: tuple[str, ...]
    yes: bool

    @classmethod
    def of(cls, stance: Stance, *, yes: bool) -> Attitude:
        """Compiled from the scenario."""
        return cls(stance.name, name_keys(named(stance.name)), tuple(stance.phrases), yes)

    def concerns(self, text: str, said: frozenset[str], tools: Sequence[str]) -> bool:
        """Whether a proposal with these words, that names these tools most clearly, is about it."""
        return self.name in tools or self.words <= said or any(mentions(phrase, text) for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class Mind:
    """All that decides about proposals, compiled once a scenario. `attitudes`: declined ones first."""

    acts: Acts
    wanted: Wanted
    attitudes: tuple[Attitude, ...]

    @classmethod
    def of(cls, scenario: Scenario, schema: SandboxSchema) -> Mind:
        """The mind of a scenario's user."""
        user, acts = scenario.user, Acts.of(schema)
        attitudes = [Attitude.of(stance, yes=False) for stance in user.declines]
        attitudes += [Attitude.of(stance, yes=True) for stance in (*user.wants, *user.agrees_to)]
        return cls(acts, Wanted.of(scenario, schema, acts), tuple(attitudes))

    def verdict(
        self, proposal: str, before: Sequence[str], facts: Sequence[str], calls: Sequence[Call]
    ) -> Verdict | None:
        """Yes or no to a proposal; None if nothing tells what it is about.

        `before` are the sentences of the reply that precede it, `facts` what the user knows. A question that says no
        more than "Do you want to proceed?" is about what the nearest sentence before it names, else about the one
        expected write that is still to be made.
        """
        text = _INSTEAD.sub(" ", proposal)
        if not self._says_nothing(text, before, facts):
            return self._decided(text, "", calls) or self._by_values(text, calls)
        for sentence in reversed(before):
            if verdict := self._decided(_INSTEAD.sub(" ", sentence), text, calls):
                return verdict
        left = {wish.tool for wish in self.wanted.outstanding(calls)}
        return Verdict(True, min(left), (min(left),)) if len(left) == 1 else None

    def choice(self, ask: Ask, facts: Sequence[str], calls: Sequence[Call]) -> tuple[str | None, Verdict] | None:
        """The first option with a yes, else the first that stands for a known fact, and the verdict on it; no option if
        all are declined; None if nothing tells.

        An option that says nothing by itself ("to your card") is read in its question without the other options.
        """
        verdicts = []
        for option in ask.options:
            verdict = self._decided(option, "", calls) or self._by_values(option, calls)
            if verdict is None and option in ask.quote:
                verdict = self._decided(_without_others(ask, option), "", calls)
            if verdict is not None and verdict.yes:
                return option, verdict
            verdicts.append(verdict)
        for option in ask.options:
            if any(same_fact(option, fact) for fact in facts):
                return option, Verdict(True, option)
        if all(verdicts):
            return None, Verdict(False, "choice")
        return None

    def _says_nothing(self, text: str, before: Sequence[str], facts: Sequence[str]) -> bool:
        """Whether a question by itself does not say what it proposes: all its words are those of any such question, or
        stand for facts or, after "proceed", for things that were said before.
        """
        rest = content(text)
        if rest & ACT_KEYS:
            return False
        if rest:
            rest -= frozenset().union(*map(keys, facts))
        if rest and keys(text) & PROCEED_KEYS:
            rest -= frozenset().union(*map(keys, before))
        return not rest

    def _decided(self, text: str, question: str, calls: Sequence[Call]) -> Verdict | None:
        """By the tools and attitudes that a sentence names."""
        strengths = self.acts.spoken_of(text)
        tools = best(strengths)
        said = keys(text)
        wishes = self._wishes(text, question, calls)
        for one in self.attitudes:
            if one.concerns(text, said, tools):
                return Verdict(one.yes, one.name, tools if one.yes else ())
        if not tools:
            return None
        writes = [tool for tool in tools if self.acts.by_tool[tool].tool.kind == "writes"]
        agreed = self._agreed(tools, wishes)
        if agreed:
            # What else the sentence proposes and the user wants is agreed to along with it.
            also = [tool for tool in strengths if tool in wishes and tool not in agreed]
            return Verdict(True, agreed[0], (*agreed, *also))
        refused = [tool for tool in writes if not self.acts.by_tool[tool].tool.proves]
        return Verdict(False, refused[0]) if refused else Verdict(True, tools[0], tools)

    def _agreed(self, tools: Sequence[str], wishes: dict[str, int]) -> tuple[str, ...]:
        """Of tools that are named equally clearly, those that are wanted, and most of whose values are told."""
        return best({tool: float(wishes[tool]) for tool in tools if tool in wishes})

    def _wishes(self, text: str, question: str, calls: Sequence[Call]) -> dict[str, int]:
        """The expected writes that a sentence does not contradict: by tool, how many of their values it tells."""
        found: dict[str, int] = {}
        for branch in self.wanted.reachable(calls):
            for wish in branch.wishes:
                told = wish.told(f"{text}\n{question}")
                if told is not None:
                    found[wish.tool] = max(told, found.get(wish.tool, 0))
        return found

    def _by_values(self, text: str, calls: Sequence[Call]) -> Verdict | None:
        """By argument values alone, where a sentence names no tool: one of them, or two where it speaks of some act."""
        acts = keys(text) & ACT_KEYS
        if "keep" in acts:
            return None
        told = self._wishes(text, "", calls)
        tools = best({tool: float(values) for tool, values in told.items() if values > bool(acts)})
        return Verdict(True, tools[0], tools) if tools else None


def _without_others(ask: Ask, option: str) -> str:
    text = ask.quote
    for other in ask.options:
        if other != option:
            text = text.replace(other, " ")
    return text
