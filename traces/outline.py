"""A conversation in figures: how long, how many of what, what failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from traces.conversation import Conversation, ModelCall, Retrieval, ToolCall

Status = Literal["ok", "error", "incomplete"]


@dataclass(frozen=True, slots=True)
class Outline:
    """What a list shows of a conversation. Times in nanoseconds since the epoch, 0 where nothing gives them.

    `status`: `error` if anything in it failed, though the agent may have recovered from it; else `incomplete` if no
    turn is told of, a span never ended, or the last message was not answered; else `ok`. `errors`: the calls that
    failed; if none did, but a span is marked as an error, 1. `tools`: the names of the tools called, each once.
    """

    status: Status
    turns: int
    model_calls: int
    tool_calls: int
    errors: int
    tools: tuple[str, ...]
    started: int
    ended: int


def outline(conversation: Conversation) -> Outline:
    """The figures of a conversation."""
    steps = [step for turn in conversation.turns for step in turn.steps]
    tools = [step for step in steps if isinstance(step, ToolCall)]
    models = [step for step in steps if isinstance(step, ModelCall)]
    errors = sum(failed(step) for step in steps) or int(any(span.status == "error" for span in conversation.spans))
    times = [(span.start, span.end) for span in conversation.spans]
    times += [(turn.started, turn.ended) for turn in conversation.turns]
    started = min((start for start, _ in times if start > 0), default=0)
    return Outline(
        status="error" if errors else "incomplete" if _breaks_off(conversation) else "ok",
        turns=len(conversation.turns),
        model_calls=len(models),
        tool_calls=len(tools),
        errors=errors,
        tools=tuple(dict.fromkeys(call.name for call in tools)),
        started=started,
        ended=max((end for _, end in times), default=started) if started else 0,
    )


def failed(step: ModelCall | ToolCall | Retrieval) -> bool:
    """Whether a step is known to have failed."""
    return not isinstance(step, Retrieval) and step.error is not None


def _breaks_off(conversation: Conversation) -> bool:
    if not conversation.turns or any(span.end < span.start for span in conversation.spans):
        return True
    last = conversation.turns[-1]
    return last.user is not None and last.assistant is None
