"""Two trajectories side by side in the terminal, the first divergence marked; and what their differences mean."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from harness.model.replay import Divergence, DivergenceKind, Finding, Side, Verdict, first_told
from harness.replay.divergence.comparison import Comparison
from harness.replay.divergence.naming import Step
from harness.reports.printable import one_line, printable
from harness.reports.terminal import QUIET
from harness.reports.traces.words import many, value_text
from tools_sandbox.call import Call
from tools_sandbox.schema import SandboxSchema

_VERDICTS = {
    Verdict.SAME: "green",
    Verdict.BENIGN: "green",
    Verdict.BETTER: "green",
    Verdict.WORSE: "red",
    Verdict.NOT_COMPARABLE: "yellow",
}


def trajectories_page(first: Side, second: Side, found: Comparison, schema: SandboxSchema) -> Iterator[Text]:
    """Every call of both in one column, `-` only in the first, `+` only in the second, `~` in both but otherwise."""
    yield Text(_counts(found))
    told = first_told(found.divergences)
    for step in found.steps:
        if step.divergence is not None and step.divergence is told:
            yield _first(told)
        yield _step(step, first, second, schema)
        if step.divergence is not None:
            yield Text(f"    {one_line(step.divergence.why, 400)}", style="yellow")
    for divergence in found.divergences:
        if divergence.tool is None:
            if divergence is told:
                yield _first(divergence)
            yield Text(f"~ turn {divergence.turn}  {divergence.kind.value}", style="magenta")
            yield from _words(divergence, first, second)


def finding_lines(finding: Finding) -> Iterator[Text]:
    """What the differences mean, and by what evidence."""
    yield Text.assemble(
        "the second is ", (finding.verdict.value.replace("_", " "), f"bold {_VERDICTS[finding.verdict]}")
    )
    yield from (Text(f"  {one_line(line, 400)}") for line in finding.evidence)


def _counts(found: Comparison) -> str:
    kinds = [divergence.kind for divergence in found.divergences]
    told = [f"{kinds.count(kind)} {kind.value}" for kind in DivergenceKind if kind in kinds]
    same = sum(step.divergence is None for step in found.steps)
    return f"{many(len(found.steps), 'step')}: " + ", ".join([*([f"{same} the same"] if same else []), *told])


def _first(divergence: Divergence) -> Text:
    where = f" · span {divergence.span_id}" if divergence.span_id else ""
    told = f"▶ first divergence, turn {divergence.turn}{where}: {divergence.kind.value}"
    return Text(printable(told), style="bold yellow")


def _step(step: Step, first: Side, second: Side, schema: SandboxSchema) -> Text:
    calls = [side.calls[at] for side, at in ((first, step.recorded), (second, step.new)) if at is not None]
    mark, style = _mark(step)
    call = calls[-1]
    spec = schema.tools.get(call.tool)
    kind = spec.kind if spec else call.kind
    turns = dict.fromkeys(str(each.turn) for each in calls)
    return Text.assemble(
        (f"{mark} ", style),
        (f"turn {'/'.join(turns)}  ", QUIET),
        (printable(call.tool, 80), style),
        (f" ({kind})" if kind else "", QUIET),
        f" {value_text(_given(calls[0]))}",
        ("" if call.ok else "  ✖", "red"),
    )


def _mark(step: Step) -> tuple[str, str]:
    if step.divergence is None:
        return "=", QUIET
    if step.recorded is None:
        return "+", "green"
    return ("-", "red") if step.new is None else ("~", "yellow")


def _given(call: Call) -> object:
    return call.raw if call.arguments is None and call.raw is not None else call.arguments


def _words(divergence: Divergence, first: Side, second: Side) -> Iterator[Text]:
    """What each side said in a turn of which only the words differ; else why it differs."""
    if divergence.kind is not DivergenceKind.WORDING_ONLY:
        yield Text(f"    {one_line(divergence.why, 400)}", style="yellow")
        return
    for mark, style, side in (("-", "red", first), ("+", "green", second)):
        if said := " ".join(text for turn, text in side.replies if turn == divergence.turn):
            yield Text.assemble((f"  {mark} ", style), one_line(said, 300))
