"""A scenario from a recording, tried before it is written: what happened has to come about again by its gold path."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from harness.drafts.promotion.ending import ended_badly
from harness.drafts.promotion.happened import Happened, happened
from harness.drafts.promotion.layout import laid_out
from harness.drafts.promotion.stance import stance
from harness.drafts.scenario import draft
from harness.drafts.talk import user_side, word_for_word
from harness.model.recording import Recording
from harness.replay.setting import Setting
from harness.users.recognise.language import folded
from harness.users.recognise.languages import language_of

Trial = Callable[[str], str]
"""Plays the gold path of a scenario in YAML; gives why it does not pass, nothing if it does."""

_ENDINGS = {"en": "All right.", "es": "De acuerdo.", "zh": "好的。"}
"""What an agent says that has nothing more to say."""
_LATER = "core, once what is expected is right"
_ADDED = "The last reply is not on record: it only ends the talk."


@dataclass(frozen=True, slots=True)
class Promoted:
    """A scenario as it is written. `remarks`: what in the recording could not be taken over; `badly`: what says that it
    ended badly; `fails`: why its gold path does not pass, empty if there is nothing; `missing`: what was done there and
    is left out here.
    """

    name: str
    text: str
    remarks: tuple[str, ...]
    badly: str
    fails: str
    missing: tuple[str, ...]


def promote(recording: Recording, name: str, family: str, setting: Setting, clock: datetime, trial: Trial) -> Promoted:
    """Draft the scenario, with the user who answers most by themselves of those with whom the gold path passes. Raises
    CannotPromote.
    """
    found = happened(recording, setting, clock)
    badly = ended_badly(recording) or ""
    head = [_origin(recording, badly), *found.remarks]
    fails = ""
    for scenario, above in _drafts(name, family, setting, found):
        fails = trial(laid_out(scenario, head, above))
        if not fails:
            break
    if badly or fails:
        scenario, above = _without_gold(scenario, badly, fails)
    elif found.missing:
        scenario, above = _incomplete(scenario, above, found.missing)
    text = laid_out(scenario, head, above)
    return Promoted(name, text, tuple(found.remarks), badly, fails, tuple(found.missing))


def _drafts(
    name: str, family: str, setting: Setting, found: Happened
) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """The ways to write it, the best to keep first, each with its comments: with facts and stance or word for word, and
    with one more reply where the agent's last one leaves something open.
    """
    episode = found.episode
    said = [message.text for message in episode.messages if message.role == "user"]
    language = language_of(folded(" ".join(message.text for message in episode.messages))).code
    written = draft(name, family, episode.speaker, found.given, found.repeated, setting.free)
    base = {
        **written,
        "title": textwrap.shorten(said[0], 80, placeholder=" …"),
        "source": "production",
        "clauses": [],
        **({"slices": {"language": language}} if language != "en" else {}),
    }
    attitude = stance(episode, setting.acts)
    last = {"reply": _ENDINGS[language]}
    for user in (user_side(episode), word_for_word(episode)):
        scenario = _in_order({**base, "user": {**user, **attitude}})
        gold = scenario["gold"]
        if gold and "reply" in gold[-1]:
            yield scenario, {}
        yield {**scenario, "gold": [*gold, last]}, {"gold": _ADDED}


_ORDER = ("id", "family", "title", "source", "tier", "clauses", "slices", "given", "speaker", "user", "expect", "gold")


def _in_order(scenario: Mapping[str, Any]) -> dict[str, Any]:
    return {key: scenario[key] for key in _ORDER if key in scenario}


def _without_gold(scenario: Mapping[str, Any], badly: str, fails: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The scenario for a person to mend. Until then it is shown, and counts in no rate."""
    why = f"it ended badly: {badly}" if badly else f"as a gold path it does not pass: {fails}"
    above = {
        "tier": _LATER,
        "expect": f"This is what happened, and no example, since {why}. Mend it, and write the gold path.",
    }
    return {**{key: value for key, value in scenario.items() if key != "gold"}, "tier": "explore"}, above


def _incomplete(
    scenario: Mapping[str, Any], above: Mapping[str, str], missing: list[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The scenario for a person to complete. Until then it is shown, and counts in no rate."""
    lacks = f"Not all that was done is here: without {', '.join(missing)}. Complete it, and the gold path."
    return {**scenario, "tier": "explore"}, {**above, "tier": _LATER, "expect": lacks}


def _origin(recording: Recording, badly: str) -> str:
    source = recording.source
    where = "" if source.where in source.id else f" in {source.where}"
    agent = f", with {recording.agent.label}" if recording.agent is not None else ""
    return f"From recording {recording.id} ({source.kind} {source.id}{where}{agent}){badly and f': {badly}'}"
