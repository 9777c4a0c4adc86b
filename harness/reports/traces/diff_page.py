"""How two traces differ, in the terminal: the calls of both in one column, and what differs under each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from harness.reports.printable import one_line, printable
from harness.reports.traces.differences import Difference
from harness.reports.traces.trace import Trace
from harness.reports.traces.trajectories import Step, first_divergence
from harness.reports.traces.words import many, moment, value_text
from tools_sandbox.values import ABSENT

_MARKS = {
    "same": ("=", ""),
    "arguments": ("~", "yellow"),
    "result": ("≈", "magenta"),
    "first_only": ("-", "red"),
    "second_only": ("+", "green"),
}
_QUIET = "bright_black"


def diff_page(first: Trace, second: Trace, steps: Sequence[Step]) -> Group:
    """The whole comparison."""
    kinds = {**(first.kinds or {}), **(second.kinds or {})}
    parts: list[RenderableType] = [
        Text.assemble(("- ", "red"), _named(first)),
        Text.assemble(("+ ", "green"), _named(second)),
        Text(_counts(steps, kinds)),
    ]
    diverges = first_divergence(steps)
    for place, step in enumerate(steps):
        if place == diverges:
            parts.append(Text(f"▶ first divergence: {_divergence(step)}", style="bold yellow"))
        parts += _step(step, kinds)
    return Group(*parts)


def _named(trace: Trace) -> str:
    status = (trace.verdict or trace.status).replace("_", " ")
    return printable(f"{trace.id} · {', '.join(trace.agents)} · {status} · {moment(trace.started)} UTC")


def _counts(steps: Sequence[Step], kinds: Mapping[str, str]) -> str:
    if not steps:
        return "no tool calls in either"
    words = {
        "same": "the same",
        "arguments": "with other arguments",
        "result": "with another result",
        "first_only": "only in the first",
        "second_only": "only in the second",
    }
    counts = {kind: sum(step.kind == kind for step in steps) for kind in words}
    told = ", ".join(f"{count} {words[kind]}" for kind, count in counts.items() if count)
    writes = [step for step in steps if kinds.get(step.move.call.name) == "writes"]
    apart = sum(step.kind not in ("same", "result") for step in writes)
    return f"{many(len(steps), 'step')}: {told}" + (
        f"; of {many(len(writes), 'write')} {apart} differ" if writes else ""
    )


def _divergence(step: Step) -> str:
    name = one_line(step.move.call.name, 60)
    return {
        "same": "",
        "arguments": f"`{name}` is given something else",
        "result": f"only what tools answer: `{name}` gives something else",
        "first_only": f"only the first calls `{name}`",
        "second_only": f"only the second calls `{name}`",
    }[step.kind]


def _step(step: Step, kinds: Mapping[str, str]) -> Iterator[Text]:
    mark, style = _MARKS[step.kind]
    call = step.move.call
    kind = kinds.get(call.name)
    turns = dict.fromkeys(move.turn for move in (step.first, step.second) if move is not None)
    given = call.raw if call.arguments is None and call.raw is not None else call.arguments
    failed = "  ✖" if call.error is not None else ""
    yield Text.assemble(
        (f"{mark} ", style or _QUIET),
        (f"turn {'/'.join(map(str, turns))}  ", _QUIET),
        (printable(call.name, 80), style),
        (f" ({kind})" if kind else "", _QUIET),
        f" {value_text(given)}",
        (failed, "red"),
    )
    yield from _differing("", step.arguments)
    yield from _differing("result", step.result)


def _differing(what: str, found: Sequence[Difference]) -> Iterator[Text]:
    for each in found:
        path = f"{what}{'' if not what or not each.path or each.path[0] == '[' else '.'}{each.path}" or "arguments"
        yield Text(f"    {one_line(path, 80)}: {_side(each.first)} → {_side(each.second)}", style="yellow")


def _side(value: object) -> str:
    return "nothing" if value is ABSENT else value_text(value)
