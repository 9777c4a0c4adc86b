"""What an episode cost: turns, calls, tokens, money and time. What was not reported is not judged, never zero."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal

from harness.model.episode import Episode, ModelCall
from harness.model.material import Material, Price
from harness.model.score import Score
from harness.model.status import Measure
from harness.scoring.registry import NotJudged, scorer
from tools_sandbox.call import Call
from traces.genai import Usage

VERSION = "1"
_DATE = re.compile(r"-(?:\d{4}-\d\d-\d\d|\d{8})$")
_CANONICAL = json.JSONEncoder(sort_keys=True, default=str).encode


@scorer("turns", dimension="efficiency", unit="turns")
def turns(episode: Episode, material: Material) -> int:
    """User messages that the agent answered, each with all that it did until it waited again."""
    return len(episode.turns)


@scorer("user_turns", dimension="efficiency", unit="messages")
def user_turns(episode: Episode, material: Material) -> int:
    """How often a person had to say something, answers to the agent's pauses included."""
    said = [message for message in episode.messages if message.role == "user"]
    return len(said) + sum([pause.answered for pause in episode.pauses])


@scorer("tool_calls", dimension="efficiency", unit="calls")
def tool_calls(episode: Episode, material: Material) -> int:
    """Tool calls, failed ones included. That none was seen shows nothing where the trace is not complete."""
    if not episode.calls and episode.spans_missing is not None:
        raise NotJudged(f"no tool call was seen, but the trace is not complete: {episode.spans_missing}")
    return len(episode.calls)


@scorer("failed_calls", dimension="efficiency", unit="calls")
def failed_calls(episode: Episode, material: Material) -> int:
    """Tool calls that ended in an error."""
    return sum([not call.ok for call in episode.calls])


@scorer("redundant_calls", dimension="efficiency", unit="calls")
def redundant_calls(episode: Episode, material: Material) -> int:
    """Calls that equal an earlier one with no differing write between them."""
    return sum(repeated(episode.calls))


@scorer("model_calls", dimension="efficiency", unit="calls")
def model_calls(episode: Episode, material: Material) -> int:
    """Requests to a model, as traced."""
    return sum([not call.whole_turn for call in _traced(episode, episode.model_calls)])


_TOKENS = ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning")


@scorer("tokens", dimension="efficiency", version=VERSION, unit="tokens", metrics=lambda _: _TOKENS)
def tokens(episode: Episode, material: Material) -> list[Score]:
    """Input tokens as the provider counts them, cached ones included; output tokens, reasoning included; the input
    tokens that it had cached; the output tokens spent on reasoning.
    """
    used = usages(episode, episode.model_calls)
    counted = (
        sum([usage.input for usage in used]),
        sum([usage.output for usage in used]),
        sum([usage.cached for usage in used]),
        sum([usage.reasoning for usage in used]),
    )
    return [Score(name, VERSION, Measure("tokens", count)) for name, count in zip(_TOKENS, counted, strict=True)]


@scorer("cost_usd", dimension="efficiency", unit="USD")
def cost_usd(episode: Episode, material: Material) -> Decimal:
    """Money spent on models, at the prices of the day the episode was played."""
    return cost(episode, episode.model_calls, material.prices)


@scorer("latency_seconds", dimension="efficiency", version=VERSION, unit="seconds")
def latency_seconds(episode: Episode, material: Material) -> Score:
    """Time that the agent took, all turns together: each turn's time less what the event loop stood still in it by
    others' doing. Details: each turn, those stalls, and the time spent in models and in tools.
    """
    if not episode.turns:
        raise NotJudged("no turn was played")
    if episode.times_missing:
        raise NotJudged(episode.times_missing)
    waits = [turn.seconds for turn in episode.turns]
    details: dict[str, object] = {
        "turns": waits,
        "stalled": sum([turn.stalled for turn in episode.turns]),
        "model": sum([call.ended - call.started for call in episode.model_calls]),
        "tool": sum([call.ended - call.started for call in episode.calls]),
    }
    return Score("latency_seconds", VERSION, Measure("seconds", sum(waits)), details=details)


EFFICIENCY = (
    turns,
    user_turns,
    tool_calls,
    failed_calls,
    redundant_calls,
    model_calls,
    tokens,
    cost_usd,
    latency_seconds,
)


def repeated(calls: Sequence[Call]) -> list[bool]:
    """For each call whether it equals an earlier one with no differing write between them."""
    made: dict[str, int] = {}
    for call in calls:
        made[call.tool] = made.get(call.tool, 0) + 1
    seen: set[str] = set()
    flags = []
    for call in calls:
        same = call_text(call) if made[call.tool] > 1 else call.tool  # its tool's only call equals no other
        flags.append(same in seen)
        if call.kind == "writes" and call.ok and same not in seen:
            seen.clear()
        seen.add(same)
    return flags


def call_text(call: Call) -> str:
    """A call's tool and arguments, alike for equal calls."""
    return _CANONICAL([call.tool, call.raw if call.arguments is None else call.arguments])


def usages(episode: Episode, calls: Sequence[ModelCall]) -> list[Usage]:
    """All that model calls used, nothing twice. Raises NotJudged where some of it is not known."""
    return [usage for _, usage in _used(episode, calls)]


def cost(episode: Episode, calls: Sequence[ModelCall], prices: Sequence[Price]) -> Decimal:
    """US dollars that model calls of an episode cost. Raises NotJudged where usage or a price is not known."""
    day = datetime.fromtimestamp(episode.started, UTC).date()
    total = Decimal(0)
    for model, usage in _used(episode, calls):
        total += price_of(model, day, prices).of(usage)
    return total


def price_of(model: str | None, day: date, prices: Sequence[Price]) -> Price:
    """The latest price of a model that held on a day; of a dated name (`gpt-4o-2024-11-20`) that is in no row, the one
    of the name without its date. Raises NotJudged where there is none.
    """
    since = [price for price in prices if price.since <= day]
    held = [price for price in since if price.model == model]
    if not held and model is not None:
        bare = _DATE.sub("", model)
        held = [price for price in since if price.model == bare]
    if not held:
        raise NotJudged(f"the price table has no price of {model or 'a model without a name'} on {day}")
    return max(held, key=lambda price: price.since)


def _used(episode: Episode, calls: Sequence[ModelCall]) -> Iterator[tuple[str | None, Usage]]:
    """Usage by model. What a reply stated for a whole turn stands for all requests of the turn."""
    summed = {call.turn for call in calls if call.whole_turn}
    for call in _traced(episode, calls):
        if call.turn in summed and not call.whole_turn:
            continue
        if call.usage is None:
            raise NotJudged(f"turn {call.turn}: no token usage of {call.model or 'a model call'}: {call.missing}")
        yield call.model, call.usage


def _traced(episode: Episode, calls: Sequence[ModelCall]) -> Sequence[ModelCall]:
    if episode.spans_missing is not None:
        raise NotJudged(f"the trace is not complete: {episode.spans_missing}")
    if not calls:
        raise NotJudged("the trace shows no model call, so that nothing is known of what was used")
    return calls
