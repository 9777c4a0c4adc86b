"""A recording in the terminal: what was said, with the calls and their results between, and what is broken."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from harness.model.recording import RecordedCall, RecordedMessage, Recording, StrayResult
from harness.reports.printable import one_line, printable
from harness.reports.recordings.words import feedback_text, labels_text
from tools_sandbox.call import Json

_FOLDED = 160
_STYLES = {"user": "bold green", "agent": "bold blue", "system": "bold"}
_WIDTH = 7


def recording_page(recording: Recording, *, full: bool = False) -> Group:
    """The whole recording. `full`: nothing is folded or cut."""
    parts: list[RenderableType] = list(_heading(recording))
    stray: dict[int, list[StrayResult]] = {}
    for each in recording.stray:
        stray.setdefault(each.after, []).append(each)
    turn = 0
    parts += [_stray(each, full) for each in stray.get(-1, [])]
    for number, message in enumerate(recording.messages):
        if message.turn != turn:
            turn = message.turn
            parts.append(Rule(Text(f"turn {turn}", style="bright_black"), align="left", style="bright_black"))
        parts += _message(message, full)
        parts += [_stray(each, full) for each in stray.get(number, [])]
    parts.append(Rule(style="bright_black"))
    parts += _end(recording)
    return Group(*parts)


def _heading(recording: Recording) -> Iterator[RenderableType]:
    source = recording.source
    workflow = "no workflow" if recording.workflow is None else printable(recording.workflow)
    agent = "" if recording.agent is None else f" · {printable(recording.agent.label)}"
    yield Text.assemble((recording.id, "bold"), f" · {workflow}{agent}")
    yield Text(f"from {source.kind} {one_line(source.id, 120)} · {one_line(source.where, 120)}", style="bright_black")
    known = {"speaker": recording.speaker, "clock": recording.clock, "seed": recording.seed}
    told = [f"{name} {printable(str(value))}" for name, value in known.items() if value is not None]
    told.append("start state known" if recording.snapshot is not None else "start state not known")
    yield Text(" · ".join(told), style="bright_black")
    if recording.labels:
        yield Text(labels_text(recording.labels, 400), style="bright_black")


def _message(message: RecordedMessage, full: bool) -> Iterator[RenderableType]:
    if message.text is not None or message.parts:
        mark = " (refusal)" if message.refusal else ""
        said = message.text or ""
        if message.role == "system" and not full:
            said = one_line(said, _FOLDED)
        # Indented, so that no line of a text can pass for another message.
        hanging = printable(said).replace("\n", "\n" + " " * _WIDTH)
        yield Text.assemble((message.role.ljust(_WIDTH), _STYLES[message.role]), hanging + mark)
    for part in message.parts:
        yield Padding(Text(f"[{_json(part, full)}]", style="magenta"), (0, 0, 0, _WIDTH))
    for call in message.calls:
        yield Padding(_call(call, full), (0, 0, 0, 2))


def _call(call: RecordedCall, full: bool) -> Text:
    given = _json(call.arguments, full) if call.arguments is not None else _cut(call.raw or "", full)
    by = " [the user's]" if call.by == "user" else ""
    head = Text.assemble(("→ ", "cyan"), (printable(call.tool, 80) or "(no name)", "cyan"), f" {given}{by}")
    if call.flaw is not None:
        head.append(f"\n  ~ arguments broken: {printable(call.flaw)}", style="yellow")
    if call.error is not None:
        kind = "" if call.error_type is None else f"{printable(call.error_type)}: "
        head.append(f"\n  ✖ {kind}{_cut(call.error, full)}", style="red")
    elif not call.answered:
        head.append("\n  ~ no result", style="yellow")
    else:
        head.append(f"\n  = {_json(call.result, full)}", style="bright_black")
    return head


def _stray(stray: StrayResult, full: bool) -> RenderableType:
    named = " ".join(filter(None, (stray.tool, stray.id))) or "without an id"
    text = f"~ a result that answers no call on record ({printable(named)}): {_cut(stray.told, full)}"
    return Padding(Text(text, style="yellow"), (0, 0, 0, 2))


def _end(recording: Recording) -> Iterator[RenderableType]:
    if recording.outcome is not None:
        yield Text(f"outcome {recording.outcome}")
    for one in recording.feedback:
        yield Text.assemble(("feedback  ", "bold"), feedback_text(one, 400))
    if recording.replaced is not None:
        counts = ", ".join(f"{count} {printable(kind)}" for kind, count in recording.replaced.items())
        yield Text(f"scrubbed: {counts or 'nothing was found'}", style="bright_black")
    else:
        yield Text("not scrubbed: it is as it came", style="bright_black")
    for flaw in recording.flaws:
        yield Text(f"flaw: {one_line(flaw, 400)}", style="yellow")


def _json(value: Json, full: bool) -> str:
    return _cut(json.dumps(value, ensure_ascii=False, default=str), full)


def _cut(text: str, full: bool) -> str:
    return printable(text) if full else one_line(text, _FOLDED)
