"""An episode in the terminal: the conversation with its tool calls between, why each line was said, what came of it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.model.episode import Because, Episode, Message, Observed, Pause
from harness.model.failure import CODES, Finding
from harness.model.late import Late
from harness.model.score import Score, Scored
from harness.model.status import Judgement, Status
from harness.reports.printable import one_line, printable
from harness.reports.spoken import Spoken
from harness.reports.traces.played import late_line
from harness.reports.whole import Whole, command
from harness.reports.wording import PASTE, error_type, sides
from harness.scoring.timeline import Timeline
from tools_sandbox.call import Call, Change, Json

STATUS_STYLES = {
    Status.PASSED: "green",
    Status.FAILED: "red",
    Status.NOT_JUDGED: "yellow",
    Status.NOT_APPLICABLE: "bright_black",
}
_FOLDED = 160


def episode_page(episode: Episode, scored: Scored, turn: int | None = None, late: Sequence[Late] = ()) -> Group:
    """The whole episode, or one turn of it with nothing folded. `late`: what came of it when it was over.

    Raises ValueError if there is no such turn.
    """
    numbers = [known.number for known in episode.turns]
    if turn is not None and turn not in numbers:
        raise ValueError(
            f"turn {turn}: the episode has turns 1 to {numbers[-1]}" if numbers else "the episode has no turn"
        )
    shown = numbers if turn is None else [turn]
    parts: list[RenderableType] = [*_heading(episode, scored)]
    for number in shown:
        parts += _turn(episode, scored, number, fold=turn is None)
    if turn is None:
        parts += [*_end(episode, late), *_feedback(episode), *_state(episode), *_scores(scored), *_paste(scored)]
    return Group(*parts)


def _heading(episode: Episode, scored: Scored) -> Iterator[RenderableType]:
    key, verdict = episode.key, scored.verdict
    condition = "" if key.condition == "clean" else f" · {key.condition}"
    yield Text.assemble(
        (key.item, "bold"), f" · trial {key.trial}{condition} · {printable(key.agent)} · ",
        (verdict.status.value.replace("_", " "), STATUS_STYLES[verdict.status]),
    )  # fmt: skip
    if episode.observed is not None:
        yield Text(_observed(episode, episode.observed), style="bright_black")
    speaker = f"speaker {printable(episode.speaker)} · clock {episode.clock}"
    speaker += f"{'' if episode.observed is not None else f' · seed {episode.seed}'} · run {key.run}"
    yield Text(speaker, style="bright_black")
    if scored.primary is not None:
        yield _finding(scored.primary, "✖")
    elif verdict.reason:
        yield Text(one_line(verdict.reason, 200), style=STATUS_STYLES[verdict.status])


def _observed(episode: Episode, observed: Observed) -> str:
    """Where it is from. Its item is the name that `turngate traces` knows it by."""
    named = f"conversation {one_line(observed.conversation, 80)}" if observed.conversation else "without an id"
    dialects = f" · {', '.join(map(printable, observed.dialects))}" if observed.dialects else ""
    return f"observed, not played · {named} · joined by {printable(observed.joined)}{dialects}"


def _turn(episode: Episode, scored: Scored, number: int, *, fold: bool) -> Iterator[RenderableType]:
    seconds = episode.turn_seconds[[turn.number for turn in episode.turns].index(number)]
    took = "?" if seconds is None else f"{seconds * 1000:.0f} ms"
    yield Rule(
        Text(f"turn {number} · {took}", style="bright_black"),
        align="left",
        style="bright_black",
    )
    for event in _events(episode, number):
        if isinstance(event, Call):
            yield from _call(event, fold=fold)
        elif isinstance(event, Pause):
            yield from _pause(event, fold=fold)
        else:
            yield from _user(event) if event.role == "user" else _agent(event)
    for finding in _findings(scored):
        if (finding.evidence.turn or finding.step[0]) == number:
            yield _finding(finding, "~" if finding.recovered else "✖")
    if not fold and number == episode.turns[-1].number and episode.end.trace:
        yield Text(printable(episode.end.trace.rstrip()), style="bright_black")


def _events(episode: Episode, number: int) -> Iterator[Message | Call | Pause]:
    """What happened in a turn, in the order of the record. Of pauses only the time was recorded."""
    pauses = deque(pause for pause in episode.pauses if pause.turn == number)
    for (turn, _), event in Timeline.of(episode).events:
        if turn == number:
            at = event.started if isinstance(event, Call) else event.at
            while pauses and pauses[0].at <= at:
                yield pauses.popleft()
            yield event
    yield from pauses


def _agent(message: Message) -> Iterator[RenderableType]:
    yield Spoken("agent", printable(message.text), "bold blue")
    for ask in message.asks:
        what = " ".join(part for part in (ask.kind.value, ask.slot, ask.value) if part)
        yield Padding(Text(f"asks: {printable(what)}", style="bright_black"), (0, 0, 0, 7))


def _user(message: Message) -> Iterator[RenderableType]:
    yield Spoken("user", printable(message.text), "bold green")
    because = message.because
    if because is not None and (because.reason != "observed" or because.consent or because.line is not None):
        yield Padding(Text(_why(because), style="bright_black"), (0, 0, 0, 7))


def _why(because: Because) -> str:
    parts = []
    if because.line is not None:
        parts.append(f"line {because.line + 1}")
    parts += [f"{asked}: {said}" for asked, said in because.answered]
    if because.consent:
        parts.append(f"yes to {', '.join(because.consent)}")
    parts += [f"unscripted: “{quote}”" for quote in because.unscripted]
    if because.misfit:
        parts.append(because.misfit)
    where = f" ({because.where})" if because.where else ""
    return printable(f"because {because.reason}" + (f" · {' · '.join(parts)}" if parts else "") + where)


def _call(call: Call, *, fold: bool) -> Iterator[RenderableType]:
    arguments = _json(call.arguments, fold=fold) if call.arguments is not None else printable(call.raw or "", _FOLDED)
    origin = "" if call.origin == "sandbox" else f" [{call.origin}]"
    head = Text.assemble(("→ ", "cyan"), (printable(call.tool, 80), "cyan"), f" {arguments}{origin}")
    if call.error is not None:
        said = ": ".join(filter(None, (error_type(call.error), printable(call.error.text)))).replace("\n", "\n    ")
        head.append(f"\n  ✖ {said}", style="red")
    else:
        head.append(f"\n  = {_json(call.result, fold=fold)}", style="bright_black")
    for change in call.changes:
        head.append(f"\n  {_change(change)}", style="magenta")
    for name in call.broken:
        head.append(f"\n  broken: {printable(name)}", style="red")
    yield Padding(head, (0, 0, 0, 2))


def _pause(pause: Pause, *, fold: bool) -> Iterator[RenderableType]:
    answer = _json(pause.answer, fold=fold) if pause.answered else "no approval fits"
    yield Padding(Text(f"⏸ {_json(pause.payload, fold=fold)} → {answer}", style="magenta"), (0, 0, 0, 2))


def _change(change: Change) -> str:
    place = printable(f"{change.table}.{change.key}")
    if change.before is None:
        return f"+ {place} {_json(change.after, fold=True)}"
    if change.after is None:
        return f"- {place}"
    fields = (
        f"{name}: {_json(change.before.get(name), fold=True)} → {_json(change.after.get(name), fold=True)}"
        for name in change.fields
    )
    return f"~ {place} {', '.join(fields)}"


def _end(episode: Episode, late: Sequence[Late]) -> Iterator[RenderableType]:
    end = episode.end
    yield Rule(style="bright_black")
    code = f" ({end.code} {CODES[end.code].title})" if end.code else ""
    text = f": {one_line(end.text, 300)}" if end.text else ""
    place = f" · {printable(end.place)}" if end.place else ""
    yield Text(f"ended: {end.kind.replace('_', ' ')}{code}{text}{place} · outcome {episode.outcome}")
    if end.trace and episode.turns:
        yield Text(f"the whole traceback: --turn {episode.turns[-1].number}", style="bright_black")
    for line in episode.unsaid:
        yield Text(
            f"not said: “{one_line(line.text)}”, waited for {printable(line.waited_for)} ({line.where})", style="yellow"
        )
    if episode.spans_missing:
        yield Text(f"the trace is not complete: {printable(episode.spans_missing)}", style="yellow")
    if late:
        yield Text(f"note: {one_line(late_line(late), 300)}", style="yellow")
    for note in episode.notes:
        yield Text(f"note: {one_line(note, 300)}", style="yellow")
    for name, output in (("stdout", episode.stdout), ("stderr", episode.stderr)):
        if output.strip():
            yield Text(f"{name} of the agent: {one_line(output, 200)}", style="bright_black")


def _feedback(episode: Episode) -> Iterator[RenderableType]:
    for one in episode.observed.feedback if episode.observed is not None else ():
        where = "" if one.turn is None else f"turn {one.turn}: "
        parts = (one.name, "" if one.value is None else f"{one.value:g}", one.label or "", one.explanation or "")
        told = " · ".join(one_line(part, 200) for part in parts if part)
        yield Text.assemble(("feedback  ", "bold"), f"{where}{told}")


def _state(episode: Episode) -> Iterator[RenderableType]:
    if episode.observed is not None:
        yield Text("State: a trace has none", style="bold")
        yield from (
            Text(f"  lacks {lack}: {one_line(why, 300)}", style="yellow")
            for lack, why in episode.observed.lacks.items()
        )
    elif episode.state_changes:
        yield Text("State, from start to end", style="bold")
        yield from (Text(f"  {_change(change)}", style="magenta") for change in episode.state_changes)
    else:
        yield Text("State: nothing changed", style="bold")


def _scores(scored: Scored) -> Iterator[RenderableType]:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    said: dict[str, list[str]] = {}
    for name, score in scored.scores.items():
        said.setdefault(score.value.reason, []).append(name)
    for name, score in scored.scores.items():
        reason = score.value.reason
        table.add_row(printable(name), _value(score), "" if len(said[reason]) > 1 else one_line(reason, 200))
    yield Text("Scores", style="bold")
    yield Whole(table)
    for reason, names in said.items():
        if reason and len(names) > 1:
            yield Text(f"{one_line(', '.join(names), 400)}: {one_line(reason, 200)}", style="bright_black")
    for finding in scored.slips:
        yield _finding(finding, "~")


def _paste(scored: Scored) -> Iterator[RenderableType]:
    if scored.paste:
        yield Text(PASTE)
        yield from (command(f"  {printable(line)}", "cyan") for line in scored.paste.splitlines())


def _value(score: Score) -> Text:
    value = score.value
    if isinstance(value, Judgement):
        return Text(value.status.value.replace("_", " "), style=STATUS_STYLES[value.status])
    if value.missing is not None:
        return Text(value.missing.value.replace("_", " "), style=STATUS_STYLES[value.missing])
    number = f"{value.value:.4g}" if isinstance(value.value, float) else str(value.value)
    return Text(f"{number} {value.unit}")


def _findings(scored: Scored) -> list[Finding]:
    return [*([scored.primary] if scored.primary else []), *scored.secondary, *scored.slips]


def _finding(finding: Finding, mark: str) -> Text:
    quote = f"“{one_line(finding.evidence.quote, 120)}”" if finding.evidence.quote else ""
    where = printable(finding.evidence.where) if finding.evidence.where else ""
    parts = (f"{mark} {finding.code} {one_line(finding.text, 300)}", sides(finding), quote, where)
    return Text(" · ".join(part for part in parts if part), style="yellow" if finding.recovered else "red")


def _json(value: Json, *, fold: bool) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return one_line(text, _FOLDED) if fold else printable(text)
