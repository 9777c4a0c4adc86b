"""What spans tell of the messages in a run, where no model call is told of: texts, and tools with their answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from traces.dialects.facts import Message
from traces.reading.drafts import Asked, Draft
from traces.reading.tree.forest import Node
from traces.reading.turns.answering import Requests
from traces.reading.turns.talk import Talk


def transcribe(talk: Talk, nodes: Iterable[Node]) -> None:
    """Puts into turns what such spans tell, in the order of time: a user's message opens one, and what is of no run
    goes on with the last.
    """
    groups = count()
    for node in nodes:
        read = node.facts.transcript
        if read is None or node.tool is not None or any(above.facts.transcript for above in node.above()):
            continue
        if told := read():
            _take(told, _draft(talk, node, told), groups)


def _draft(talk: Talk, node: Node, told: Sequence[Message]) -> Draft:
    if told[0].role == "user":
        return talk.open(node.run)
    if node.facts.kind != "agent" and talk.drafts:
        return talk.drafts[-1]
    return talk.of_run(node.run, node.span.start) or talk.open(node.run)


def _take(told: Iterable[Message], draft: Draft, groups: Iterable[int]) -> None:
    requests = Requests()
    numbers = iter(groups)
    for message in told:
        group = next(numbers) if len(message.calls) > 1 else None
        for call in message.calls:
            asked = Asked(call, group=group)
            draft.items.append(asked)
            requests.add(asked)
        for answer in message.answers:
            requests.answer(answer)
        if message.role == "user":
            draft.said.append(message.text)
        elif message.text and not message.calls:
            draft.reply = message.text
