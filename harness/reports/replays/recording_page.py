"""One replayed recording in the terminal: what was done then beside what is done now, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from harness.model.replay import Finding, ReplayedTurn, ReplayResult, Side
from harness.reports.printable import one_line, printable
from harness.reports.replays.page import STYLES
from harness.reports.replays.view import divergence_text, words
from harness.reports.terminal import QUIET
from tools_sandbox.call import Call, Json

_CUT = 160
_WIDTH = 7


def recording_page(result: ReplayResult, against: str | None = None, *, full: bool = False) -> Iterator[RenderableType]:
    """The whole replay of one recording. `against`: the label of the version it was paired with. `full`: nothing is
    cut.
    """
    yield from _heading(result, against)
    for turn in result.turns:
        yield from _turn(turn, full)
    yield Rule(style=QUIET)
    for miss in result.misses:
        sent = one_line(_json(miss.arguments), _CUT)
        told = f"turn {miss.turn}: {one_line(miss.tool)} {sent} is not on record: {one_line(miss.why)}; {miss.answer}"
        yield Text(told, style="yellow")
    for left in result.unused:
        told = f"turn {left.turn}: the recorded result of {one_line(left.tool)} {one_line(_json(left.arguments), _CUT)}"
        yield Text(f"{told} was not used", style=QUIET)
    for note in result.notes:
        yield Text(f"note: {one_line(note, 400)}", style="yellow")
    yield from _finding("against the record", result.finding)
    if result.paired is not None:
        yield from _finding(f"against {printable(against or 'the other version')}", result.paired)


def _heading(result: ReplayResult, against: str | None) -> Iterator[RenderableType]:
    agent = printable(result.agent.label) + (f" against {printable(against)}" if against else "")
    yield Text.assemble((result.recording, "bold"), f" · {agent} · level {result.level.value}")
    starts = {"snapshot": "the recorded start state", "workflow": "the workflow's start state", "none": "no state"}
    compared = f"{result.compared} of {result.recorded_turns} turns compared"
    yield Text(f"{compared} · on {starts[result.start]}", style=QUIET)


def _turn(turn: ReplayedTurn, full: bool) -> Iterator[RenderableType]:
    mark = " · simulated" if turn.simulated else ""
    yield Rule(Text(f"turn {turn.turn}{mark}", style=QUIET), align="left", style=QUIET)
    yield Text.assemble(("user".ljust(_WIDTH), "bold green"), _cut(turn.user, full))
    if not turn.fit.fits:
        yield Text(f"does not fit ({turn.fit.reason}): {one_line(turn.fit.why, 300)}", style="yellow")
        yield Text(f"  “{_cut(turn.fit.quote, full)}”", style=QUIET)
    elif turn.why_not:
        yield Text(f"not compared: {one_line(turn.why_not, 400)}", style="yellow")
    for name, side in (("then", turn.recorded), ("now", turn.new)):
        if side is not None:
            yield from _side(name, side, full)
    if turn.finding is not None:
        told = words(turn.finding.verdict)
        yield Text.assemble("".ljust(_WIDTH), (told, STYLES[turn.finding.verdict]))


def _side(name: str, side: Side, full: bool) -> Iterator[RenderableType]:
    head = (name.ljust(_WIDTH), "bold" if name == "then" else "bold blue")
    lines = [*(_call(call, full) for call in side.calls), *(Text(_cut(text, full)) for _, text in side.replies)]
    for number, line in enumerate(lines or [Text("nothing", style=QUIET)]):
        yield Text.assemble(head, line) if not number else Padding(line, (0, 0, 0, _WIDTH))


def _call(call: Call, full: bool) -> Text:
    given = call.raw if call.arguments is None else _json(call.arguments)
    told = Text.assemble((f"→ {one_line(call.tool, 80)} ", "cyan"), _cut(given or "", full))
    if call.error is not None:
        return told.append(f" ✖ {_cut(call.error.text, full)}", style="red")
    return told.append(f" = {_cut(_json(call.result), full)}", style=QUIET)


def _finding(name: str, finding: Finding) -> Iterator[RenderableType]:
    yield Text.assemble(f"{name}: ", (words(finding.verdict), STYLES[finding.verdict]))
    for divergence in finding.divergences:
        yield Text(f"  {one_line(divergence_text(divergence), 400)}")
    for text in finding.evidence:
        yield Text(f"  {one_line(text, 400)}", style=QUIET)


def _json(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _cut(text: str, full: bool) -> str:
    return printable(text) if full else one_line(text, _CUT)
