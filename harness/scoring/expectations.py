"""Holding a conversation, or one scripted line's part of it, against what is expected of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from harness.model.episode import AskKind
from harness.model.expect import Budget, Expect, Words
from harness.scoring.call_checks import call_checks, outside_writes
from harness.scoring.checks import Check, Miss, place
from harness.scoring.efficiency import cost, usages
from harness.scoring.memory import Memory
from harness.scoring.registry import NotJudged
from harness.scoring.retention import unused
from harness.scoring.state_checks import state_checks
from harness.scoring.timeline import Step
from harness.scoring.window import Window
from harness.scoring.wording import found, quoted
from tools_sandbox.matching import describe
from tools_sandbox.patterns import Listed, Pattern
from tools_sandbox.values import show

Way = tuple[Expect, ...]
"""An expectation and the branches taken of its `any_of`s, outermost first. They are held as one."""


def hold(expect: Expect, window: Window) -> list[Check]:
    """Every requirement of an expectation, held against a part of a conversation. With `any_of`, those of the branch
    that misses least, the earlier one if two miss as much.
    """
    held = [list(_checks(way, window)) for way in _ways(expect)]
    if len(held) == 1:
        return held[0]
    return min(held, key=lambda checks: (sum(len(check.misses) for check in checks), sum(not c.met for c in checks)))


def _ways(expect: Expect) -> Iterator[Way]:
    if not expect.any_of:
        yield (expect,)
    for branch in expect.any_of:
        for rest in _ways(branch):
            yield (expect, *rest)


def _checks(way: Way, window: Window) -> Iterator[Check]:
    # Of omissions at one step the first is told first: a missing call says more than the state that it left as it was.
    yield from call_checks([part.calls for part in way if part.calls is not None], window)
    if (outcome := _outcome(way, window)) is not None:
        yield outcome
    yield from state_checks(_state(way), window, place(*reversed(way)))
    if window.final:
        yield from outside_writes(way, window)
    for part in way:
        if part.by_turn is not None:
            yield _by_turn(part.by_turn, window, part)
        for words in part.says:
            yield _says(words, window)
        for words in part.never_says:
            yield never_says(words, window)
        for tool, slots in part.asks_before.items():
            yield from _asks_before(tool, slots, window, part)
        if part.retained:
            yield from _retained(part, window)
        if part.budget is not None:
            yield from _budget(part.budget, window)


def _state(way: Way) -> list[tuple[str, Pattern]]:
    """What is expected of the state. Lists for one place are one list, so that each row answers to one item."""
    merged: list[tuple[str, Pattern]] = []
    for part in way:
        for path, pattern in (part.state or {}).items():
            same = next((index for index, (other, _) in enumerate(merged) if other == path), None)
            outer = merged[same][1] if same is not None else None
            if same is not None and isinstance(outer, Listed) and isinstance(pattern, Listed):
                merged[same] = path, Listed(outer.items + pattern.items, outer.contains or pattern.contains)
            else:
                merged.append((path, pattern))
    return merged


def _outcome(way: Way, window: Window) -> Check | None:
    """An inner branch's outcome stands in for an outer one."""
    part = next((part for part in reversed(way) if part.outcome is not None), None)
    if part is None:
        return None
    if part.outcome == window.outcome:
        return Check("outcome")
    ended = window.ended_by()
    miss = Miss(
        "outcome",
        f"outcome: expected {part.outcome}, is {window.outcome}",
        ended[0] if ended else window.missed,
        made=ended,
        expected=part.outcome,
        actual=window.outcome,
        where=place(part),
    )
    return Check("outcome", (miss,))


def _by_turn(limit: int, window: Window, part: Expect) -> Check:
    ended = window.ended_by()
    turn = ended[0][0] if ended else window.last
    if turn <= limit:
        return Check("by_turn")
    text = f"the outcome came in turn {turn}, not by turn {limit}"
    miss = Miss("by_turn", text, (turn, 0), expected=str(limit), actual=str(turn), where=place(part))
    return Check("by_turn", (miss,))


def _says(words: Words, window: Window) -> Check:
    for _, reply in reversed(window.replies):  # most are said at the end
        if found(words.match, reply.text):
            return Check("says")
    wanted = describe(words.match)
    miss = Miss(
        "says",
        f"no reply {wanted}",
        window.missed,
        words.code,
        words=words.match,
        expected=wanted,
        actual=show(window.replies[-1][1].text) if window.replies else "no reply at all",
        where=place(words),
    )
    return Check("says", (miss,))


def never_says(words: Words, window: Window) -> Check:
    """That no reply says it. One miss a reply that does."""
    misses = []
    for step, reply in window.replies:
        if span := found(words.match, reply.text):
            wanted = describe(words.match)
            misses.append(
                Miss(
                    "never_says",
                    f"a reply {wanted}",
                    step,
                    words.code,
                    quote=quoted(reply.text, span),
                    expected=f"never {wanted}",
                    actual=show(reply.text[span[0] : span[1]]),
                    where=place(words),
                )
            )
    return Check("never_says", tuple(misses))


def _asks_before(tool: str, slots: Sequence[str], window: Window, part: Expect) -> Iterator[Check]:
    """Only a call that was made can have come too early."""
    made = next((made for made in window.calls if made[1].tool == tool), None)
    if made is None:
        return
    asked = {
        ask.slot
        for step, reply in window.timeline.agent
        if step < made[0]
        for ask in reply.asks
        if ask.kind in (AskKind.SLOT, AskKind.READBACK)
    }
    for slot in slots:
        miss = Miss(
            "asks_before",
            f"{tool} was called before the user was asked for {slot}",
            made[0],
            made=made,
            tool=tool,
            expected=f"ask for {slot}",
            actual="not asked",
            where=place(part),
        )
        yield Check("asks_before", () if slot in asked else (miss,))


def _retained(part: Expect, window: Window) -> Iterator[Check]:
    """Only a fact that the user gave can be kept."""
    memory = Memory.of(window.episode, window.material, window.timeline)
    for slot in part.retained:
        if memory.last(slot, window.missed) is not None:
            lost = unused(slot, memory, window.timeline)
            miss = Miss("retained", lost or "", window.missed, expected=f"use of {slot}", where=place(part))
            yield Check("retained", (miss,) if lost is not None else ())


def _budget(budget: Budget, window: Window) -> Iterator[Check]:
    turns = [turn for turn in window.episode.turns if window.first <= turn.number <= window.last]
    models = [call for call in window.episode.model_calls if window.first <= call.turn <= window.last]
    if (most := budget.turns) is not None:
        yield _within("turns", most, len(turns), (window.first + most, 0), budget)
    if (most := budget.tool_calls) is not None:
        over = window.calls[most][0] if len(window.calls) > most else window.missed
        yield _within("tool calls", most, len(window.calls), over, budget)
    if budget.seconds is not None:
        waits = zip(window.episode.turns, window.episode.turn_seconds, strict=True)
        waited = [seconds for turn, seconds in waits if window.first <= turn.number <= window.last]
        limit, spent = Decimal(str(budget.seconds)), sum(seconds for seconds in waited if seconds is not None)
        if None in waited and spent <= limit:
            yield Check("budget", unjudged=f"budget: {window.episode.times_missing}")
        else:
            yield _within("seconds", limit, spent, window.missed, budget)
    try:
        if budget.tokens is not None:
            used = sum(usage.input + usage.output for usage in usages(window.episode, models))
            yield _within("tokens", budget.tokens, used, window.missed, budget)
        if budget.cost is not None:
            paid = cost(window.episode, models, window.material.prices)
            yield _within("USD", budget.cost, paid, window.missed, budget)
    except NotJudged as lack:
        yield Check("budget", unjudged=f"budget: {lack}")


def _within(unit: str, limit: Decimal | int, spent: Decimal | float, step: Step, budget: Budget) -> Check:
    if spent <= limit:
        return Check("budget")
    text = f"budget: {spent} {unit}, at most {limit} allowed"
    miss = Miss("budget", text, step, expected=f"at most {limit}", actual=str(spent), where=place(budget))
    return Check("budget", (miss,))
