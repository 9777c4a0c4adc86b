"""A trace in the terminal, conversation first: turns as chat, and under each what the agent did, in order."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from harness.reports.printable import one_line, printable, short
from harness.reports.spoken import Spoken
from harness.reports.traces.trace import Trace
from harness.reports.traces.words import FOLDED, duration, error_text, lasted, many, moment, value_text
from harness.reports.whole import command
from traces.conversation import Conversation, Feedback, ModelCall, Retrieval, ToolCall, Turn

STATUS_STYLES = {
    "ok": "green",
    "passed": "green",
    "error": "red",
    "failed": "red",
    "incomplete": "yellow",
    "not_judged": "yellow",
}
_JOINED = {"history": " (put together by what was said before)", "trace": ""}
_QUIET = "bright_black"


def trace_page(trace: Trace, conversation: Conversation, *, full: bool = False) -> Group:
    """The whole trace; `full`: with nothing folded or cut."""
    parts: list[RenderableType] = [*heading(trace, conversation)]
    if conversation.system_prompt:
        parts.append(_said("system", conversation.system_prompt, "bold", full=full, cut=True))
    for number, turn in enumerate(conversation.turns, 1):
        parts += _turn(number, turn, full=full)
        parts += [_judgement(each) for each in conversation.feedback if each.turn == number - 1]
    if not conversation.turns:
        parts.append(Text("no turns: the telemetry tells of none", style="yellow"))
    parts += [_judgement(each) for each in conversation.feedback if each.turn is None]
    parts += [Text(f"warning: {one_line(text, 400)}", style="yellow") for text in conversation.warnings]
    if trace.episode is not None:
        parts.append(command(f"scores, state, and why each line was said: turngate show {short(trace.id)}", _QUIET))
    return Group(*parts)


def heading(trace: Trace, conversation: Conversation) -> Iterator[Text]:
    """What it is, when it was, how much of what is in it, and what failed."""
    status = trace.verdict or trace.status
    took = duration(lasted(round(trace.started * 1e9), round(trace.ended * 1e9)))
    line = Text.assemble(
        (printable(trace.id), "bold"), " · ", (status.replace("_", " "), STATUS_STYLES.get(status, ""))
    )
    if trace.verdict and trace.status != "ok":
        line.append_text(Text.assemble(" · ", (trace.status, STATUS_STYLES[trace.status])))
    yield line.append(f" · {moment(trace.started)} UTC · {took}")
    about = [f"{trace.origin}{'' if trace.workflow is None else f' in {trace.workflow}'}"]
    if trace.origin != "played":
        named = "no conversation id" if conversation.id is None else f"conversation {conversation.id}"
        about.append(named + _JOINED.get(conversation.joined, f" ({conversation.joined})"))
    about += [f"agent {', '.join(conversation.agents)}"] if conversation.agents else []
    about += [f"user {conversation.user_id}"] if conversation.user_id else []
    about += [f"dialects {', '.join(conversation.dialects)}"] if conversation.dialects else []
    about += [f"from {', '.join(trace.files)}"] if trace.files else []
    yield Text(one_line(" · ".join(about), 400), style=_QUIET)
    yield _counts(trace, conversation)


def _counts(trace: Trace, conversation: Conversation) -> Text:
    calls = [call for turn in conversation.turns for call in turn.tool_calls]
    usages = [call.usage for turn in conversation.turns for call in turn.model_calls if call.usage is not None]
    line = Text(f"{many(len(conversation.turns), 'turn')} · {many(len(calls), 'tool call')}")
    if failed := sum(call.error is not None for call in calls):
        line.append(f", {failed} failed", style="red")
    line.append(f" · {many(trace.model_calls, 'model call')}")
    if usages:
        taken, given = sum(usage.input for usage in usages), sum(usage.output for usage in usages)
        line.append(f" · {taken:,} tokens in, {given:,} out")
    return line.append(f" · {many(len(conversation.spans), 'span')}")


def _turn(number: int, turn: Turn, *, full: bool) -> Iterator[RenderableType]:
    took = f" · {duration(lasted(turn.started, turn.ended))}"
    yield Rule(Text(f"turn {number}{took}", style=_QUIET), align="left", style=_QUIET)
    if turn.user is not None:
        yield _said("user", turn.user, "bold green", full=full)
    for step in turn.steps:
        if isinstance(step, ToolCall):
            yield from _tool_call(step, full=full)
        elif isinstance(step, ModelCall):
            yield from _model_call(step)
        else:
            yield from _retrieval(step, full=full)
    if turn.assistant is not None:
        yield _said("agent", turn.assistant, "bold blue", full=full)
    elif turn.user is not None:
        yield Text("agent  no answer was captured", style="yellow")


def _said(who: str, text: str, style: str, *, full: bool, cut: bool = False) -> Spoken:
    return Spoken(who, one_line(text, FOLDED) if cut and not full else printable(text), style)


def _model_call(call: ModelCall) -> Iterator[Text]:
    model = call.response_model or call.model or "a model"
    parts = [printable(model, 80)]
    if call.usage is not None:
        cached = f" ({call.usage.cached} cached)" if call.usage.cached else ""
        parts.append(f"{call.usage.input}{cached} → {call.usage.output} tokens")
    parts.append(duration(lasted(call.started, call.ended)))
    parts += [printable(call.finish, 40)] if call.finish not in (None, "stop", "tool_calls", "tool_call") else []
    yield Text(f"  ◇ {' · '.join(parts)}", style=_QUIET)
    if call.error is not None:
        yield Text(f"    ✖ {one_line(call.error, FOLDED)}", style="red")


def _tool_call(call: ToolCall, *, full: bool) -> Iterator[Text]:
    given = value_text(call.raw if call.arguments is None and call.raw is not None else call.arguments, full=full)
    if call.arguments is None and call.raw is None:
        given = "(arguments not captured)" if "arguments" in call.missing else ""
    mark = "⇉" if call.group is not None else "→"
    style = "cyan" if call.error is None else "red"
    took = "" if call.started is None else f"  {duration(lasted(call.started, call.ended))}"
    yield Text.assemble((f"  {mark} {printable(call.name, 80)} ", style), _indented(given), (took, _QUIET))
    if call.error is not None:
        told = f"; the model was told: {one_line(call.told, 80)}" if call.told and not call.error.message else ""
        yield Text(f"    ✖ {_indented(error_text(call.error, full=full))}{told}", style="red")
    if call.result is not None:
        yield Text(f"    = {_indented(value_text(call.result, full=full))}", style=_QUIET)
    elif call.error is None and call.told is not None:
        yield Text(f"    = {_indented(value_text(call.told, full=full))}", style=_QUIET)
    elif "result" in call.missing:
        yield Text("    = (result not captured)", style=_QUIET)
    if full and call.told is not None and (call.error is not None or call.told != call.result):
        yield Text(f"    told the model: {_indented(printable(call.told))}", style=_QUIET)


def _retrieval(step: Retrieval, *, full: bool) -> Iterator[Text]:
    query = "" if step.query is None else f" for “{printable(step.query) if full else one_line(step.query, 80)}”"
    took = duration(lasted(step.started, step.ended))
    yield Text(f"  ⌕ {many(len(step.documents), 'document')}{query}  {took}", style="magenta")
    for document in step.documents:
        score = "" if document.score is None else f" {document.score:.3g}"
        text = "" if document.text is None else printable(document.text) if full else one_line(document.text, 100)
        yield Text(f"    {printable(document.id or '?', 60)}{score}  {_indented(text)}".rstrip(), style=_QUIET)


def _judgement(given: Feedback) -> Text:
    value = "" if given.value is None else f" {given.value:g}"
    label = "" if given.label is None else f" {printable(given.label, 60)}"
    why = "" if given.explanation is None else f": {one_line(given.explanation, 200)}"
    return Text(f"  ★ {printable(given.name, 60)}{value}{label}{why}", style="magenta")


def _indented(text: str) -> str:
    return text.replace("\n", "\n      ")
