"""What the user has told the agent of the facts that the scenario knows, when, and what was corrected since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from harness.model.episode import Episode, Message
from harness.model.material import Material
from harness.scoring.claims.facts import key_of
from harness.scoring.claims.known import decimal
from harness.scoring.timeline import Step, Timeline
from harness.scoring.values import leaves
from harness.scoring.writes import says
from tools_sandbox.call import Call, Json


@dataclass(frozen=True, slots=True)
class Given:
    """A fact that the user gave: its slot, its value (None: "I don't have that") and when."""

    slot: str
    value: str | None
    step: Step


@dataclass(frozen=True, slots=True)
class Corrected:
    """A fact that the user took back, for a new one (None: for none)."""

    slot: str
    old: str
    new: str | None
    step: Step


@dataclass(slots=True)
class Memory:
    """Everything given and corrected, in order."""

    given: list[Given] = field(default_factory=list)
    corrected: list[Corrected] = field(default_factory=list)

    @classmethod
    def of(cls, episode: Episode, material: Material, timeline: Timeline) -> Memory:
        """A fact is given by an answer to an ask for its slot, or by a line that says its value."""
        memory = cls()
        turns = {turn.number: turn for turn in episode.turns}
        for step, message in timeline.user:
            before = turns[message.turn].knows if message.turn in turns else {}
            changed = _changes(message, material)
            if not before and not changed:
                continue
            for slot, new in changed.items():
                old = memory.last(slot, step)
                if old is not None and old.value is not None and not same(old.value, new):
                    memory.corrected.append(Corrected(slot, old.value, new, step))
            memory.given += _told(message, {**before, **changed}, step)
        return memory

    def last(self, slot: str, before: Step) -> Given | None:
        """What was last given for a slot before a step, unless it was taken back since."""
        given = next((one for one in reversed(self.given) if one.slot == slot and one.step < before), None)
        taken = next((one for one in reversed(self.corrected) if one.slot == slot and one.step < before), None)
        return None if given is None or (taken is not None and taken.step > given.step) else given


def _changes(message: Message, material: Material) -> Mapping[str, str | None]:
    """What a `now` line changes."""
    number = message.because.line if message.because is not None else None
    lines = material.scenario.user.turns
    return (lines[number].now or {}) if number is not None and number < len(lines) else {}


def _told(message: Message, knows: Mapping[str, str | None], step: Step) -> Iterator[Given]:
    answered = {slot for slot, _ in message.because.answered} if message.because is not None else set()
    run = key_of(message.text)
    for slot, value in knows.items():
        if slot in answered or (value and key_of(value) in run and says(value, message.text)):
            yield Given(slot, value, step)


def same(one: str | None, other: Json) -> bool:
    """Whether two values are the same, as numbers, or as text whatever its casing, spacing and punctuation."""
    if one is None or other is None:
        return False
    if key_of(one) == key_of(str(other)) != "":
        return True
    return (number := decimal(one)) is not None and number == decimal(str(other))


def uses(call: Call, value: str) -> bool:
    """Whether a call was given a value."""
    return any(same(value, argument) for _, argument in leaves(call.arguments))
