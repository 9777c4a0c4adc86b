"""How two traces differ, in the terminal: the calls of both in one column, and what differs under each."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from harness.model.replay import Side
from harness.replay.divergence.comparison import compare
from harness.reports.changes.trajectories import trajectories_page
from harness.reports.printable import one_line
from harness.reports.traces.trace import Trace
from harness.reports.traces.words import error_text, moment
from tools_sandbox.call import Call, CallError
from tools_sandbox.schema import SandboxSchema, ToolSpec
from traces.conversation import Conversation, ToolCall
from traces.span import Span


def diff_page(first: Trace, second: Trace) -> Group:
    """The whole comparison. Which tools read and which write is known of played traces; the others may write."""
    kinds = {**(first.kinds or {}), **(second.kinds or {})}
    schema = SandboxSchema(tools={tool: ToolSpec(tool, "", kind, {}) for tool, kind in kinds.items()})
    one, other = _side(first.load()), _side(second.load())
    return Group(
        Text.assemble(("- ", "red"), _named(first)),
        Text.assemble(("+ ", "green"), _named(second)),
        *trajectories_page(one, other, compare(one, other, schema), schema),
    )


def _named(trace: Trace) -> str:
    status = (trace.verdict or trace.status).replace("_", " ")
    return one_line(f"{trace.id} · {', '.join(trace.agents)} · {status} · {moment(trace.started)} UTC", 400)


def _side(conversation: Conversation) -> Side:
    replies = ((number, turn.assistant) for number, turn in enumerate(conversation.turns, 1))
    return Side(tuple(_calls(conversation)), tuple((number, text) for number, text in replies if text is not None))


def _calls(conversation: Conversation) -> Iterator[Call]:
    """The calls as they are traced: whether one was executed, and whether its tool writes, is not asked."""
    for number, turn in enumerate(conversation.turns, 1):
        for made in turn.tool_calls:
            yield Call(
                id=made.id or "",
                turn=number,
                tool=made.name,
                raw=made.raw,
                arguments=_arguments(made),
                kind=None,
                origin="span",
                result=made.told if made.result is None else made.result,
                error=None if made.error is None else CallError("passthrough", error_text(made.error, full=True)),
                span_id=next((one.span_id for one in made.origin if isinstance(one, Span)), None),
            )


def _arguments(made: ToolCall) -> dict[str, object] | None:
    """By name; some instrumentations write a tool's only argument without one."""
    if made.arguments is None or isinstance(made.arguments, dict):
        return made.arguments
    return {"": made.arguments}
