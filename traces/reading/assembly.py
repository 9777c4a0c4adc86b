"""One conversation out of the spans and records that belong to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from traces.conversation import Conversation, ModelCall, Retrieval, ToolCall, TraceWarning, Turn
from traces.log_record import LogRecord
from traces.reading.calls.model_calls import Call, model_call
from traces.reading.drafts import Asked, Draft, Item
from traces.reading.feedback import judgements
from traces.reading.tools.executions import executions
from traces.reading.tools.matching import attach
from traces.reading.tools.tool_calls import tool_call
from traces.reading.tree.forest import Node
from traces.reading.turns.from_histories import system_prompt, talk
from traces.reading.turns.placing import finish, place
from traces.reading.turns.transcripts import transcribe
from traces.reading.warnings import unconnected, warnings


def assemble(
    nodes: Sequence[Node],
    calls: Sequence[Call],
    loose: Sequence[LogRecord] = (),
    conversation_id: str | None = None,
    joined: str = "trace",
    notes: Iterable[TraceWarning] = (),
) -> Conversation:
    """The conversation that these spans tell of. `calls`: the model calls in them; `loose`: records without a span."""
    told = talk(calls)
    if not calls:
        transcribe(told, nodes)
    asked = [item for draft in told.drafts for item in draft.asked]
    unasked = attach(asked, executions(nodes))
    place(told, nodes, unasked)
    if told.anew and conversation_id is None:
        notes = [*notes, unconnected(told.anew + 1)]
    shared = _shared(told.drafts) if len(told.drafts) > 1 else set()
    turns = tuple([_turn(draft, shared) for draft in told.drafts])
    agents = dict.fromkeys(agent for turn in turns for agent in turn.agents)
    agents.update(dict.fromkeys([node.agent for node in nodes if node.agent]))
    return Conversation(
        id=conversation_id,
        joined=joined,
        turns=turns,
        trace_ids=tuple(dict.fromkeys([node.span.trace_id for node in nodes])),
        agents=tuple(agents),
        user_id=next((node.facts.user_id for node in nodes if node.facts.user_id), None),
        system_prompt=told.system or system_prompt(nodes),
        feedback=judgements(told.drafts, nodes, loose),
        dialects=tuple(sorted({node.facts.dialect for node in nodes if node.facts.dialect})),
        warnings=warnings(nodes, calls, told, turns, notes),
        spans=tuple([node.span for node in nodes if not node.lost]),
        logs=(*[record for node in nodes for record in node.facts.logs], *loose),
    )


def _shared(drafts: Iterable[Draft]) -> set[Node]:
    """The runs that have more than one turn."""
    runs = Counter([run for draft in drafts for run in draft.runs])
    return {run for run, count in runs.items() if count > 1}


def _turn(draft: Draft, shared: AbstractSet[Node]) -> Turn:
    said, reply = finish(draft, shared)
    steps = tuple([_step(item) for item in draft.items])
    runs = [run.span for run in draft.runs]
    ends = [run.end for run in runs] + [step.ended for step in steps if step.ended]
    agents = dict.fromkeys([run.agent for run in draft.runs if run.agent])
    agents.update(dict.fromkeys([step.agent for step in steps if not isinstance(step, Retrieval) and step.agent]))
    return Turn(said, reply, steps, tuple(agents), draft.start or 0, max(ends, default=0))


def _step(item: Item) -> ModelCall | ToolCall | Retrieval:
    if isinstance(item, Call):
        return model_call(item)
    if isinstance(item, Asked):
        return tool_call(item)
    facts = item.facts
    return Retrieval(facts.query, facts.documents, facts.span.start, facts.span.end, (facts.span,))
