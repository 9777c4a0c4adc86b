"""What is missing, cut, mended or contradictory in a conversation's telemetry, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from traces.conversation import ToolCall, TraceWarning, Turn
from traces.reading.calls.model_calls import Call
from traces.reading.switches import switch
from traces.reading.totals import contradictions
from traces.reading.tree.forest import Node
from traces.reading.turns.talk import Talk

_KNOWN = "names, order, errors, tokens and times are known"


def warnings(
    nodes: Sequence[Node], calls: Sequence[Call], talk: Talk, turns: Sequence[Turn], notes: Iterable[TraceWarning]
) -> tuple[TraceWarning, ...]:
    """The warnings, none of them twice."""
    found = [*notes, *_content(nodes, calls, turns), *_calls(nodes, calls), *_tools(talk, turns)]
    found += _spans(nodes)
    return tuple(dict.fromkeys(found))


def unconnected(count: int) -> TraceWarning:
    """What there is to say where so many runs of one trace share neither a history nor an id."""
    return TraceWarning(
        f"{count} runs of one trace know nothing of each other, and no id says whether they are one conversation: they"
        " are told as the turns of one; give each conversation an id (gen_ai.conversation.id)",
        "context",
    )


def _content(nodes: Sequence[Node], calls: Sequence[Call], turns: Sequence[Turn]) -> Iterator[TraceWarning]:
    """Content is off by default in all that follows the conventions: that is no empty conversation."""
    if not any(node.facts.dialect for node in nodes):
        return
    unheard = [call for call in calls if not _has_content(call)]
    bare = [node for node in nodes if node.facts.kind == "tool" and _is_bare(node)]
    silent = not calls and turns and all(turn.user is None and turn.assistant is None for turn in turns)
    if unheard and all(map(_is_told, turns)):
        return  # elsewhere than on the model calls
    if unheard or silent:
        at = [node for call in unheard for node in call.nodes] or list(nodes)
        if calls:
            yield TraceWarning(
                f"texts were not captured on {len(unheard)} of {len(calls)} model calls: only {_KNOWN}; {switch(at)}",
                "content",
            )
        else:
            yield TraceWarning(f"no model calls and no texts are in it: only {_KNOWN}; {switch(at)}", "content")
    elif not calls and any(node.facts.transcript for node in nodes):
        yield TraceWarning(
            "no model calls are in it: what was said and done is known, models and tokens are not; instrument the model"
            " client too",
            "usage",
        )
    elif bare and not any(call.arguments is not None for turn in turns for call in turn.tool_calls):
        yield TraceWarning(f"arguments and results of tools were not captured; {switch(bare)}", "content")


def _calls(nodes: Sequence[Node], calls: Sequence[Call]) -> Iterator[TraceWarning]:
    copies = uncounted = 0
    cut = compacted = False
    for call in calls:
        copies += len(call.nodes) - 1
        uncounted += call.usage is None
        cut = cut or call.cut or call.clipped
        for node in call.nodes:
            compacted = compacted or node.span.attributes.get("gen_ai.conversation.compacted") is True
    if copies:
        yield TraceWarning(
            f"{copies} model-call spans tell of calls that other spans tell of too; each call counts once", "copies"
        )
    if uncounted:
        yield TraceWarning(f"{uncounted} of {len(calls)} model calls give no token counts", "usage")
    sums = [node for node in nodes if node.facts.usage is not None and node.facts.kind == "agent"]
    if sums:
        yield TraceWarning(f"the token counts of {len(sums)} agent spans are sums and are not counted again", "usage")
        yield from (TraceWarning(text, "usage") for text in contradictions(sums, calls))
    if cut:
        yield TraceWarning(
            "messages were cut by a limit on the length of values: only their beginnings are known", "cut"
        )
    if compacted:
        yield TraceWarning(
            "the history was compacted on the way: what was summarised is known only from earlier calls", "context"
        )


def _tools(talk: Talk, turns: Sequence[Turn]) -> Iterator[TraceWarning]:
    mended = sum([asked.mended for draft in talk.drafts for asked in draft.asked])
    if mended:
        yield TraceWarning(
            f"mended: {mended} tool calls had lost their context, their spans are in traces of their own", "context"
        )
    for number, turn in enumerate(turns):
        for call in turn.steps:
            if not isinstance(call, ToolCall):
                continue
            if call.executed is None:
                yield TraceWarning(
                    f"the model asked for `{call.name}`, but nothing shows that it was executed", "calls", number
                )
            if call.raw is not None:
                yield TraceWarning(
                    f"the arguments of a call of `{call.name}` are broken or cut: only their text is known",
                    "calls",
                    number,
                )
    yield from (TraceWarning(text, "context") for text in talk.notes)


def _spans(nodes: Sequence[Node]) -> Iterator[TraceWarning]:
    orphans = []
    dropped = 0
    for node in nodes:
        dropped += node.span.dropped
        if node.span.parent_id is not None and (node.parent is None or node.parent.span.span_id != node.span.parent_id):
            orphans.append(node.span)
    if orphans:
        known = {(node.span.trace_id, node.span.span_id) for node in nodes}
        lost = sum([(span.trace_id, span.parent_id) not in known for span in orphans])
        if lost:
            yield TraceWarning(
                f"{lost} spans have a parent that is not here: of another process, not yet exported, or lost", "spans"
            )
    if dropped:
        yield TraceWarning(
            f"{dropped} attributes or events were dropped by limits of the SDK (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT)",
            "spans",
        )
    for node in nodes:
        if node.facts.notes:
            yield from map(TraceWarning, node.facts.notes)


def _has_content(call: Call) -> bool:
    for node in call.nodes:
        for messages in (node.facts.input, node.facts.output):
            for message in messages or ():
                if message.text or any(call.arguments is not None or call.raw for call in message.calls):
                    return True
                if any(answer.content is not None for answer in message.answers):
                    return True
    return False


def _is_told(turn: Turn) -> bool:
    """Whether it is known what was said in the turn, and what its tools were given."""
    spoken = turn.user is not None and turn.assistant is not None
    return spoken and all(call.arguments is not None or call.raw is not None for call in turn.tool_calls)


def _is_bare(node: Node) -> bool:
    tool = node.facts.tool
    return tool is not None and tool.arguments is None and tool.raw is None and not node.facts.has_result
