"""What the user says to proposals and choices: a mind made of what the scenario expects, wants and declines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.model.episode import Ask
from harness.model.scenario import Scenario, Stance
from harness.users.acts import Acts, best, named
from harness.users.facts import same_fact
from harness.users.objects import others
from harness.users.wanted import Wanted
from harness.users.words import ACT_KEYS, PROCEED_KEYS, THING_KEYS, content, keys, name_keys
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

# What stands in these is only spoken of: "how to cancel", "whether I can refund you", "a reminder to renew".
_SPOKEN_OF = re.compile(
    r"\b(?:how|about(?! to)|whether|what|why|when|remind\w*|(?:information|details?) (?:on|of)"
    r"|(?:link|form|page|instructions?|steps?|way|option) (?:to|for)"
    r"|if (?:\w+ ){1,3}(?:can|may|could|qualif\w+|eligible|possible|allowed))\b[^,.;?]*"
    r"|\b(?:c[óo]mo|cu[áa]ndo|acerca de|sobre|si (?:se )?(?:puede|es posible)|recuerd\w*|recordar\w*)\b[^,.;?]*"
    r"|(?:如何|怎么|怎样|关于|是否(?:可以|能)|能不能|提醒)[^，。；？]*",
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


# After one of these "Shall I go ahead?" is about what is offered, even if that is nothing that a tool does.
_OFFERS = re.compile(
    r"\b(?:i|we)(?:['’]ll| will| can| could|['’]m going to| am going to)\b|\blet me\b"
    r"|\b(?:puedo|podemos|voy a|vamos a)\b|我(?:将|会|来|可以|现在|帮)",
    re.IGNORECASE,
)

_SENTENCE = re.compile(r"[^.!?;\n。！？；]+")
_NOT = re.compile(r"\b(?:not|no|never|without|\w+n['’]t|dont|nunca|sin|tampoco)\b|不|别|没", re.IGNORECASE)


def proposed(text: str) -> str:
    """A proposal without what would not be done, and what is only spoken of."""
    return _without(_SPOKEN_OF, _without(_INSTEAD, text))


def _without(what: re.Pattern[str], text: str) -> str:
    return what.sub(" ", text).strip()


@dataclass(frozen=True, slots=True)
class Verdict:
    """A yes or no to an act. `about`: what was proposed, by name. `consent`: the tools that a yes is given for. `mild`:
    nothing speaks for that yes, only nothing against it: no more than a read is proposed.
    """

    yes: bool
    about: str
    consent: tuple[str, ...] = ()
    mild: bool = False


@dataclass(frozen=True, slots=True)
class Attitude:
    """A `wants`, `agrees_to` or `declines` of the scenario: its name (a tool's, or words) and phrases. `words`: those
    of the name; None for a yes to a tool, which takes more than words.
    """

    name: str
    words: frozenset[str] | None
    phrases: tuple[str, ...]
    yes: bool

    @classmethod
    def of(cls, stance: Stance, acts: Acts, *, yes: bool) -> Attitude:
        """Compiled from the scenario."""
        words = None if yes and stance.name in acts.by_tool else name_keys(named(stance.name))
        return cls(stance.name, words, tuple(stance.phrases), yes)

    def concerns(self, text: str, said: frozenset[str], tools: Sequence[str]) -> bool:
        """Whether a proposal with these words, that names these tools most clearly, is about it."""
        by_words = self.words is not None and self.words <= said
        return self.name in tools or by_words or any(mentions(phrase, text) for phrase in self.phrases)

    def consent(self, tools: tuple[str, ...]) -> tuple[str, ...]:
        """The tools that it consents to in a proposal of these: its own too, which a phrase of it may stand for."""
        own = (self.name,) if self.words is None else ()
        return tuple(dict.fromkeys((*tools, *own))) if self.yes else ()


@dataclass(frozen=True, slots=True)
class Mind:
    """All that decides about proposals, compiled once a scenario. `attitudes`: declined ones first. `undecided`: the
    tools that the user's lines ask for, though nothing in the scenario tells whether it is to come about.
    """

    acts: Acts
    wanted: Wanted
    attitudes: tuple[Attitude, ...]
    undecided: frozenset[str] = frozenset()

    @classmethod
    def of(cls, scenario: Scenario, schema: SandboxSchema, acts: Acts | None = None) -> Mind:
        """The mind of a scenario's user. `acts`: those of the schema's tools, if they are at hand."""
        user, acts = scenario.user, acts or Acts.of(schema)
        attitudes = [Attitude.of(stance, acts, yes=False) for stance in user.declines]
        attitudes += [Attitude.of(stance, acts, yes=True) for stance in (*user.wants, *user.agrees_to)]
        wanted = Wanted.of(scenario, schema, acts)
        told = {wish.tool for branch in wanted.branches for wish in branch.wishes} | {one.name for one in attitudes}
        return cls(acts, wanted, tuple(attitudes), frozenset(_asked_for(scenario, acts)) - told)

    def to_agree(self, proposal: str) -> str | None:
        """The tool that a proposal names and the user's lines ask for, if nothing tells whether it is to come about."""
        return next((tool for tool in best(self.acts.spoken_of(proposed(proposal))) if tool in self.undecided), None)

    def verdict(
        self, proposal: str, before: Sequence[str], after: Sequence[str], facts: Sequence[str], calls: Sequence[Call]
    ) -> Verdict | None:
        """Yes or no to a proposal; None if nothing tells what it is about.

        `before` and `after` are the other sentences of the reply, `facts` what the user knows. A question that says no
        more than "Do you want to proceed?" is about what the nearest sentence before it names, or what follows it, else
        about the one expected write that is still to be made.
        """
        text = proposed(proposal)
        named_here = best(self.acts.spoken_of(text))
        if not named_here and self.acts.spoken_of(_without(_INSTEAD, proposal)):
            return None
        rest = content(text) - (_all_keys(facts) - ACT_KEYS)
        # Only words of any such question, or a "proceed" that may point at what the reply said before.
        points = bool(keys(text) & PROCEED_KEYS) and not rest & ACT_KEYS
        if rest and (not points or len(named_here) == 1):
            return self._decided(text, calls)
        leads = proposal.rstrip().endswith((":", "："))
        around = [*after, *reversed(before)] if leads else [*reversed(before), *after]
        known = self.wanted.known(calls)
        verdict = self._by_context(text, [one for one in around if _may_mean(text, rest, keys(one) | known)], calls)
        if verdict or any(map(_OFFERS.search, around)) or not rest <= known.union(*map(keys, around)):
            return verdict
        return self._by_what_is_left(calls)

    def announced(self, readback: str, calls: Sequence[Call]) -> Verdict | None:
        """Yes or no to a write that the agent says it will make in the question that reads a fact back."""
        verdict = self._decided(proposed(readback), calls) if _ANNOUNCES.search(readback) else None
        if verdict and verdict.yes and not any(map(self._writes, verdict.consent)):
            return None
        return verdict

    def choice(self, ask: Ask, facts: Sequence[str], calls: Sequence[Call]) -> tuple[str | None, Verdict] | None:
        """The option that is picked, and the verdict on it; no option if all are declined; None if nothing tells.

        That is one that the user wants, of several the first that stands for a known fact; else one that stands for a
        known fact; else one that is no more than a read. An option that says nothing by itself ("to your card") is read
        in its question without the other options.
        """
        verdicts: list[Verdict | None] = []
        for option in ask.options:
            verdict = self._decided(option, calls)
            if verdict is None and option in ask.quote:
                verdict = self._decided(_without_others(ask, option), calls)
            verdicts.append(verdict)
        agreed = [(option, one) for option, one in zip(ask.options, verdicts, strict=True) if one and one.yes]
        wanted = [(option, one) for option, one in agreed if not one.mild]
        known = [option for option in ask.options if any(same_fact(option, fact) for fact in facts)]
        picked = [(option, one) for option, one in wanted if option in known] or wanted
        picked += [(option, Verdict(True, option)) for option in known]
        if picked or agreed:
            return (picked or agreed)[0]
        return (None, Verdict(False, "choice")) if all(verdicts) else None

    def _by_context(self, question: str, around: Sequence[str], calls: Sequence[Call]) -> Verdict | None:
        """By the first sentence that names a write, else by the first that names a read. A yes goes for all the writes
        that sentences name and the user wants.
        """
        texts = [proposed(sentence) for sentence in around if not _DENIES.search(sentence)]
        verdicts = (self._decided(text, calls, question) for text in texts)
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
        fitting = tuple(tool for tool in tools if not self.acts.by_tool[tool].others(text))
        for one in self.attitudes:
            if one.concerns(text, said, fitting if one.yes else tools):
                return Verdict(one.yes, one.name, one.consent(fitting))
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
        if not self.undecided.isdisjoint(tools) or self._unsure(text, tools, calls):
            return None
        refused = [tool for tool in tools if self._writes(tool) and not self.acts.by_tool[tool].tool.proves]
        return Verdict(False, refused[0]) if refused else Verdict(True, tools[0], tools, mild=True)

    def _unsure(self, text: str, tools: Sequence[str], calls: Sequence[Call]) -> bool:
        """Whether a text names a wanted write with a thing that may be its own by another name: it is nothing else that
        the sandbox has.
        """
        wishes = [wish for branch in self.wanted.reachable(calls) for wish in branch.wishes if wish.tool in tools]
        things = [wish.others(text) for wish in wishes if wish.told(text) is not None]
        things += [self.acts.by_tool[one.name].others(text) for one in self.attitudes if one.yes and one.name in tools]
        return any(found and not any(map(self.acts.has, found)) for found in things)

    def _writes(self, tool: str) -> bool:
        return self.acts.by_tool[tool].tool.kind == "writes"

    def _wishes(self, text: str, calls: Sequence[Call]) -> dict[str, float]:
        """The expected writes that a text does not contradict: by tool, how many of their values it tells."""
        found: dict[str, float] = {}
        for branch in self.wanted.reachable(calls):
            for wish in branch.wishes:
                told = wish.told(text)
                if told is not None and not wish.others(text):
                    found[wish.tool] = max(told, found.get(wish.tool, 0))
        return found


def _asked_for(scenario: Scenario, acts: Acts) -> Iterator[str]:
    """The writes that sentences of the user's lines name most clearly, but for what they do not want."""
    for line in scenario.user.turns:
        for sentence in (one for text in line.say for one in _SENTENCE.findall(text) if not _NOT.search(one)):
            for tool in best(acts.spoken_of(proposed(sentence))):
                spec = acts.by_tool[tool].tool
                if spec.kind == "writes" and not spec.proves:
                    yield tool


def _may_mean(question: str, rest: frozenset[str], told: frozenset[str]) -> bool:
    """Whether a "proceed" may point at a sentence that tells this: it names no other thing, and confirms none."""
    return rest & THING_KEYS <= told and not others(question, PROCEED_KEYS, told)


def _all_keys(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(keys, texts))


def _without_others(ask: Ask, option: str) -> str:
    text = ask.quote
    for other in ask.options:
        if other != option:
            text = text.replace(other, " ")
    return text
