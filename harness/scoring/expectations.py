"""Holding a conversation, or one scripted line's part of it, against what is expected of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from harness.model.episode import AskKind
from harness.model.expect import Expect, Words
from harness.scoring.call_checks import call_checks
from harness.scoring.checks import Check, Miss, place
from harness.scoring.efficiency import cost, usages
from harness.scoring.registry import NotJudged
from harness.scoring.state_checks import state_checks
from harness.scoring.window import Window
from harness.scoring.wording import found, quoted
from tools_sandbox.matching import describe
from tools_sandbox.values import show

Way = tuple[Expect, ...]
"""An expectation and the branches taken of its `any_of`s, outermost first. They are held as one."""


def hold(expect: Expect, window: Window) -> list[Check]:
    """Every requirement of an expectation, held against a part of a conversation. With `any_of`, those of the branch
    that misses least, the earlier one if two miss as much.
    """
    held = [list(_checks(way, window)) for way in _ways(expect)]
    return min(held, key=lambda checks: (sum(len(check.misses) for check in checks), sum(not c.met for c in checks)))


def _ways(expect: Expect) -> Iterator[Way]:
    if not expect.any_of:
        yield (expect,)
    for branch in expect.any_of:
        for rest in _ways(branch):
            yield (expect, *rest)


def _checks(way: Way, window: Window) -> Iterator[Check]:
    state = {path: pattern for part in way for path, pattern in (part.state or {}).items()}
    yield from state_checks(state, window, place(*reversed(way)))
    yield from call_checks([part.calls for part in way if part.calls is not None], window)
    yield from _outcome(way, window)
    for part in way:
        for words in part.says:
            yield _says(words, window)
        for words in part.never_says:
            yield never_says(words, window)
        for tool, slots in part.asks_before.items():
            yield from _asks_before(tool, slots, window, part)
        if part.budget is not None:
            yield from _budget(part, window)


def _outcome(way: Way, window: Window) -> Iterator[Check]:
    """An inner branch's outcome stands in for an outer one."""
    wanted = next((part for part in reversed(way) if part.outcome is not None), None)
    ended = window.ended_by()
    if wanted is not None:
        misses = []
        if wanted.outcome != window.outcome:
            misses = [
                Miss(
                    "outcome",
                    f"outcome: expected {wanted.outcome}, is {window.outcome}",
                    ended[0] if ended else window.missed,
                    made=ended,
                    expected=wanted.outcome,
                    actual=window.outcome,
                    where=place(wanted),
                )
            ]
        yield Check("outcome", tuple(misses))
    limits = [part for part in way if part.by_turn is not None]
    if limits:
        limit = min(limits, key=lambda part: part.by_turn or 0)
        turn = ended[0][0] if ended else window.last
        misses = []
        if limit.by_turn is not None and turn > limit.by_turn:
            text = f"the outcome came in turn {turn}, not by turn {limit.by_turn}"
            misses = [
                Miss("by_turn", text, (turn, 0), expected=str(limit.by_turn), actual=str(turn), where=place(limit))
            ]
        yield Check("by_turn", tuple(misses))


def _says(words: Words, window: Window) -> Check:
    if any(found(words.match, reply.text) for _, reply in window.replies):
        return Check("says")
    wanted = describe(words.match)
    text = f"no reply {wanted}" if window.replies else f"no reply at all, so none that {wanted}"
    last = window.replies[-1][1].text if window.replies else None
    return Check(
        "says",
        (
            Miss(
                "says",
                text,
                window.missed,
                words.code,
                words=words.match,
                expected=wanted,
                actual=show(last),
                where=place(words),
            ),
        ),
    )


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
    first = next((made for made in window.calls if made[1].tool == tool), None)
    for slot in slots if first else ():
        asked = any(
            ask.slot == slot and ask.kind in (AskKind.SLOT, AskKind.READBACK)
            for step, reply in window.timeline.agent
            if first and step < first[0]
            for ask in reply.asks
        )
        text = f"{tool} was called before the user was asked for {slot}"
        miss = Miss(
            "asks_before",
            text,
            first[0] if first else window.missed,
            made=first,
            tool=tool,
            expected=f"ask for {slot}",
            actual="not asked",
            where=place(part),
        )
        yield Check("asks_before", () if asked else (miss,))


def _budget(part: Expect, window: Window) -> Iterator[Check]:
    budget = part.budget
    assert budget is not None
    turns = [turn for turn in window.episode.turns if window.first <= turn.number <= window.last]
    models = [call for call in window.episode.model_calls if window.first <= call.turn <= window.last]

    def check(
        name: str, limit: Decimal | int | float | None, spent: Decimal | int | float, step: tuple[int, int]
    ) -> Check:
        if limit is None or spent <= limit:
            return Check("budget")
        text = f"budget: {spent} {name}, {limit} allowed"
        return Check(
            "budget",
            (
                Miss(
                    "budget",
                    text,
                    step,
                    "FL3",
                    expected=f"at most {limit}",
                    actual=str(spent),
                    where=place(budget, part),
                ),
            ),
        )

    if (most := budget.turns) is not None:
        yield check("turns", most, len(turns), (window.first + most, 0))
    if (most := budget.tool_calls) is not None:
        over = window.calls[most][0] if len(window.calls) > most else window.missed
        yield check("tool calls", most, len(window.calls), over)
    if budget.seconds is not None:
        yield check("seconds", Decimal(str(budget.seconds)), sum(t.ended - t.started for t in turns), window.missed)
    try:
        if budget.tokens is not None:
            spent = sum(usage.input + usage.output for usage in usages(window.episode, models))
            yield check("tokens", budget.tokens, spent, window.missed)
        if budget.cost is not None:
            yield check("USD", budget.cost, cost(window.episode, models, window.material.prices), window.missed)
    except NotJudged as lack:
        yield Check("budget", unjudged=f"budget: {lack}")
