"""What the user says to proposals and choices: a mind made of what the scenario expects, wants and declines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from harness.model.episode import Ask
from harness.model.scenario import Scenario, Stance
from harness.users.acts import POINTED_AT, Acts, best, named
from harness.users.facts import same_fact
from harness.users.wanted import Wanted
from harness.users.words import ACT_KEYS, PROCEED_KEYS, content, keys, name_keys
from tools_sandbox.call import Call
from tools_sandbox.schema import SandboxSchema
from tools_sandbox.text import mentions

# What stands behind these is what would not be done: "instead of store credit", "or no to cancel".
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|and not|en (?:lugar|vez) de|y no)\b[^,.;?]*|而不是[^，。；？]*"
    r"|\b(?:or|and|o)(?: \w+){0,2} [\"“'‘«*]*no[\"”'’»*]* (?:to|if|para|si)\b[^.;?]*"
    r"|[\"“]?(?:否|不)[\"”]?(?:则|以|来)?取消",
    re.IGNORECASE,
)

_ANNOUNCES = re.compile(
    r"\b(?:i|we)(?:['’]ll| will|['’]m going to| am going to)\b|\b(?:like|want) (?:me|us) to\b|\bgo ahead\b"
    r"|\bvoy a\b|\bvamos a\b|\bproced\w+|我(?:将|会|来|现在|帮)|[为给]您",
    re.IGNORECASE,
)

_DENIES = re.compile(
    r"\b(?:can(?:no|['’])t|can not|unable|not able|won['’]t|not (?:possible|eligible|allowed))\b"
    r"|\bno (?:puedo|podemos|es posible)\b|无法|不能|不可以",
    re.IGNORECASE,
)


def proposed(text: str) -> str:
    """A proposal without what would not be done."""
    return _INSTEAD.sub(" ", text).strip()


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
        self, proposal: str, before: Sequence[str], after: Sequence[str], facts: Sequence[str], calls: Sequence[Call]
    ) -> Verdict | None:
        """Yes or no to a proposal; None if nothing tells what it is about.

        `before` and `after` are the other sentences of the reply, `facts` what the user knows. A question that says no
        more than "Do you want to proceed?" is about what the nearest sentence before it names, or what follows it, else
        about the one expected write that is still to be made.
        """
        text = proposed(proposal)
        said = keys(text)
        rest = content(text) - (_all_keys(facts) - ACT_KEYS)
        elsewhere = _all_keys(before) | _all_keys(after) if rest else frozenset()
        # Only words of any such question, or a "proceed" with words that the reply used before.
        bare = not rest or (bool(said & PROCEED_KEYS) and not rest & ACT_KEYS and rest <= elsewhere)
        if not bare:
            verdict = self._decided(text, calls) or self._by_values(text, calls)
            if verdict or "keep" in rest or not rest <= elsewhere:
                return verdict
        leads = proposal.rstrip().endswith((":", "："))
        around = [*after, *reversed(before)] if leads else [*reversed(before), *after]
        return self._by_context(text, around, calls) or (self._by_what_is_left(calls) if bare else None)

    def announced(self, readback: str, calls: Sequence[Call]) -> Verdict | None:
        """Yes or no to a write that the agent says it will make in the question that reads a fact back."""
        verdict = self._decided(proposed(readback), calls) if _ANNOUNCES.search(readback) else None
        if verdict and verdict.yes and not any(map(self._writes, verdict.consent)):
            return None
        return verdict

    def choice(self, ask: Ask, facts: Sequence[str], calls: Sequence[Call]) -> tuple[str | None, Verdict] | None:
        """The first option with a yes, else the first that stands for a known fact, and the verdict on it; no option if
        all are declined; None if nothing tells.

        An option that says nothing by itself ("to your card") is read in its question without the other options.
        """
        verdicts = []
        for option in ask.options:
            verdict = self._decided(option, calls) or self._by_values(option, calls)
            if verdict is None and option in ask.quote:
                verdict = self._decided(_without_others(ask, option), calls)
            if verdict is not None and verdict.yes:
                return option, verdict
            verdicts.append(verdict)
        for option in ask.options:
            if any(same_fact(option, fact) for fact in facts):
                return option, Verdict(True, option)
        if all(verdicts):
            return None, Verdict(False, "choice")
        return None

    def _by_context(self, question: str, around: Sequence[str], calls: Sequence[Call]) -> Verdict | None:
        """By the first sentence that names a write, else by the first that names a read. A yes goes for all the writes
        that sentences name and the user wants.
        """
        texts = [proposed(sentence) for sentence in around if not _DENIES.search(sentence)]
        verdicts = (self._decided(text, calls, question) or self._by_values(text, calls) for text in texts)
        found = [verdict for verdict in verdicts if verdict]
        verdict = next((one for one in found if not one.yes or any(map(self._writes, one.consent))), None)
        if verdict is None or not verdict.yes:
            return verdict or (found[0] if found else None)
        others = (tool for one in found if one.yes for tool in one.consent if self._writes(tool))
        return replace(verdict, consent=tuple(dict.fromkeys([*verdict.consent, *others])))

    def _by_what_is_left(self, calls: Sequence[Call]) -> Verdict | None:
        """The one expected write that is still to be made, if there is exactly one."""
        left = {wish.tool for wish in self.wanted.outstanding(calls)}
        return Verdict(True, min(left), (min(left),)) if len(left) == 1 else None

    def _decided(self, text: str, calls: Sequence[Call], question: str | None = None) -> Verdict | None:
        """By the tools and attitudes that a sentence names. With a `question` the sentence is only what that is about:
        it may name a wanted write along with others, and the question may tell its values.
        """
        strengths = self.acts.spoken_of(text)
        tools = best(strengths)
        said = keys(text)
        for one in self.attitudes:
            if one.concerns(text, said, tools):
                return Verdict(one.yes, one.name, tools if one.yes else ())
        if not tools:
            return None
        wishes = self._wishes(f"{text}\n{question or ''}", calls)
        top = strengths[tools[0]] if question is None else 0.0
        clear = [tool for tool, strength in strengths.items() if strength + wishes.get(tool, 0) >= top]
        agreed = best({tool: wishes[tool] for tool in clear if tool in wishes})
        if agreed:
            # What else the sentence names and the user wants is agreed to along with it.
            also = [tool for tool in strengths if tool in wishes and tool not in agreed]
            return Verdict(True, agreed[0], (*agreed, *also))
        if strengths[tools[0]] <= POINTED_AT:
            return None
        refused = [tool for tool in tools if self._writes(tool) and not self.acts.by_tool[tool].tool.proves]
        return Verdict(False, refused[0]) if refused else Verdict(True, tools[0], tools)

    def _writes(self, tool: str) -> bool:
        return self.acts.by_tool[tool].tool.kind == "writes"

    def _wishes(self, text: str, calls: Sequence[Call]) -> dict[str, float]:
        """The expected writes that a text does not contradict: by tool, how many of their values it tells."""
        found: dict[str, float] = {}
        for branch in self.wanted.reachable(calls):
            for wish in branch.wishes:
                told = wish.told(text)
                if told is not None:
                    found[wish.tool] = max(told, found.get(wish.tool, 0))
        return found

    def _by_values(self, text: str, calls: Sequence[Call]) -> Verdict | None:
        """By argument values alone, where a sentence names no tool: one of them, or two where it speaks of some act."""
        acts = keys(text) & ACT_KEYS
        if "keep" in acts:
            return None
        tools = best({tool: values for tool, values in self._wishes(text, calls).items() if values > bool(acts)})
        return Verdict(True, tools[0], tools) if tools else None


def _all_keys(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(keys, texts))


def _without_others(ask: Ask, option: str) -> str:
    text = ask.quote
    for other in ask.options:
        if other != option:
            text = text.replace(other, " ")
    return text
