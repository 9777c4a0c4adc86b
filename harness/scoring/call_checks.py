"""Expectations of tool calls: which must be made, in which order, and which must not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.model.expect import CallItem, Calls, Expect, Limit
from harness.scoring.calls import Made, Match, broken_off, fits, match, worded
from harness.scoring.checks import Check, Miss, place
from harness.scoring.timeline import Step
from harness.scoring.window import Window
from harness.scoring.wishes import asked_calls, of_lines
from harness.scoring.writes import counted_writes, kind_of, proofs
from tools_sandbox.values import show


def call_checks(expected: Sequence[Calls], window: Window) -> Iterator[Check]:
    """Every requirement of these, held as one: items that are required here and there need a call each.

    `required`, `in_order` and the first of `before` are met by successful calls only; `never`, `at_most` and the second
    of `before` count attempts.
    """
    succeeded = [made for made in window.calls if made[1].ok]
    yield from _required([item for calls in expected for item in calls.required], succeeded, window)
    for calls in expected:
        if calls.in_order:
            yield _in_order(calls.in_order, succeeded, window)
        for first, second in calls.before:
            yield from _before(first, second, window)
        for item in calls.never:
            yield _never(item, window)
        for limit in calls.at_most:
            yield _at_most(limit, window)


def outside_writes(way: Sequence[Expect], window: Window) -> Iterator[Check]:
    """If real tools were called: that none changed anything which neither this way nor a line asks for. The state shows
    nothing of what was done outside the sandbox, so every call there that may write must answer to an item of its own.
    """
    outside = [made for made in window.calls if made[1].may_be_done and made[1].origin != "sandbox"]
    if not outside:
        return
    asked = asked_calls((*way, *of_lines(window.material.scenario)))
    wanted = {id(one.made[1]) for one in match(asked, outside, window.material.schema) if one.made and one.met}
    unasked = [made for made in outside if id(made[1]) not in wanted]
    writes = {id(call) for _, call in counted_writes(window.timeline, window.material)}
    misses = tuple(
        Miss(
            "unasked",
            f"{call.tool} was called outside the sandbox, and nothing asks for it",
            step,
            made=(step, call),
            tool=call.tool,
            expected="no call of a tool that writes",
            actual="called",
        )
        for step, call in unasked
        if id(call) in writes
    )
    if misses and window.episode.stateless and any(part.state for part in way):
        tools = ", ".join(sorted({miss.tool or "" for miss in misses}))
        yield Check("unasked", unjudged=f"{tools} was called, and a trace has no state that shows what came of it")
        return
    unknown = sorted({call.tool for _, call in unasked if kind_of(call, window.material) is None})
    unjudged = f"{', '.join(unknown)} was called outside the sandbox, and no `kind` says whether it writes"
    yield Check("unasked", misses, unjudged if unknown else None)


def _required(items: Sequence[CallItem], succeeded: Sequence[Made], window: Window) -> Iterator[Check]:
    """What no success is left for is held against the failed attempts, to say how far the agent got."""
    if not items:
        return
    schema = window.material.schema
    found = match(items, succeeded, schema)
    open_items = [one.item for one in found if one.made is None]
    attempts = iter(match(open_items, [made for made in window.calls if not made[1].ok], schema))
    for one in found:
        yield Check("required", () if one.met else tuple(_unmet(one if one.made else next(attempts), window)))


def _unmet(one: Match, window: Window) -> Iterator[Miss]:
    """The misses of a required call, whether there was no call of it, a failed one, or one with other arguments."""
    item = one.item
    step, call = one.made or (window.missed, None)
    for wrong in one.mismatches:
        yield _required_miss(item, f"{item.tool}: {wrong}", step, one.made, wrong.path, wrong.expected, wrong.actual)
    if call is None:
        yield _required_miss(item, f"no call of {worded(item)}", step, None, None, worded(item), "no call")
    elif call.error is not None and not one.mismatches:
        text = f"{worded(item)} never succeeded: {show(call.error.text)}"
        yield _required_miss(item, text, step, one.made, None, worded(item), call.error.kind)


def _required_miss(
    item: CallItem, text: str, step: Step, made: Made | None, path: str | None, expected: str, actual: str
) -> Miss:
    return Miss(
        "required",
        text,
        step,
        item.code,
        made=made,
        tool=item.tool,
        path=path,
        expected=expected,
        actual=actual,
        where=place(item),
    )


def _in_order(items: Sequence[CallItem], succeeded: Sequence[Made], window: Window) -> Check:
    at = broken_off(items, succeeded, window.material.schema)
    if at is None:
        return Check("in_order")
    order = " → ".join(item.tool for item in items)
    text = f"calls in order {order}: no {worded(items[at])}" + (f" after {worded(items[at - 1])}" if at else "")
    actual = " → ".join(call.tool for _, call in succeeded) or "no successful call"
    miss = Miss(
        "in_order",
        text,
        window.missed,
        items[at].code,
        tool=items[at].tool,
        expected=order,
        actual=actual,
        where=place(items[at]),
    )
    return Check("in_order", (miss,))


def _before(first: CallItem, second: CallItem, window: Window) -> Iterator[Check]:
    """Only calls that were made can have come too early."""
    later = [made for made in window.calls if fits(second, made[1], window.material.schema)]
    if later:
        schema = window.material.schema
        since = next((step for step, call in successes(first.tool, window) if fits(first, call, schema)), None)
        early = [made for made in later if since is None or made[0] < since]
        text = f"{worded(second)} was called before {worded(first)} had succeeded"
        yield Check(
            "before",
            tuple(
                Miss(
                    "before",
                    text,
                    made[0],
                    second.code or first.code,
                    made=made,
                    tool=second.tool,
                    need=first.tool,
                    expected=f"{first.tool} first",
                    actual="not yet",
                    where=place(second, first),
                )
                for made in early
            ),
        )


def successes(tool: str, window: Window) -> list[Made]:
    """The successful calls of a tool in the whole conversation; of one that proves identity, those given values that
    the user had said.
    """
    spec = window.material.schema.tools.get(tool)
    if spec is not None and spec.proves:
        return [(step, call) for step, call, _ in proofs(window.timeline) if call.tool == tool]
    return [made for made in window.timeline.calls if made[1].tool == tool and made[1].ok]


def _never(item: CallItem, window: Window) -> Check:
    return Check(
        "never",
        tuple(
            Miss(
                "never",
                f"{worded(item)} must never be called",
                made[0],
                item.code,
                made=made,
                tool=item.tool,
                expected="no call",
                actual="called" if made[1].ok else "tried",
                where=place(item),
            )
            for made in window.calls
            if fits(item, made[1], window.material.schema)
        ),
    )


def _at_most(limit: Limit, window: Window) -> Check:
    item = limit.call
    made = [made for made in window.calls if fits(item, made[1], window.material.schema)]
    text = f"{worded(item)} was called {len(made)} times, at most {limit.times} allowed"
    return Check(
        "at_most",
        tuple(
            Miss(
                "at_most",
                text,
                over[0],
                item.code,
                made=over,
                tool=item.tool,
                expected=f"at most {limit.times}",
                actual=str(len(made)),
                where=place(limit, item),
            )
            for over in made[limit.times : limit.times + 1]
        ),
    )
