"""Tools that no model call is told to have asked for, because none is told of: runs may tell the messages in them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from traces.reading.answering import Requests
from traces.reading.drafts import Asked
from traces.reading.forest import Node
from traces.reading.turns import Talk


def transcribe(talk: Talk, nodes: Iterable[Node]) -> None:
    """Gives each run that tells its messages a turn with the tool calls in them, and their answers."""
    groups = count()
    for node in nodes:
        told = node.facts.transcript
        if told is None or node.tool is not None or any(above.facts.transcript for above in node.above()):
            continue
        requests, asked = Requests(), []
        for message in told():
            group = next(groups) if len(message.calls) > 1 else None
            for call in message.calls:
                asked.append(Asked(call, group=group))
                requests.add(asked[-1])
            for answer in message.answers:
                requests.answer(answer)
        if asked:
            draft = talk.of_run(node.run, node.span.start) or talk.open(node.run)
            draft.items += asked
