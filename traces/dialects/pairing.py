"""Calls that a history names by other ids than their answers."""

from __future__ import annotations

from dataclasses import replace

from traces.dialects.facts import Message

_ITEM = "fc_"
"""How the Responses API begins the id of the item that holds a call, which is not the id of the call."""


def paired(told: tuple[Message, ...]) -> tuple[Message, ...]:
    """The history with its calls under the ids that their answers use, where a library wrote those of their items.

    Only if there are as many such calls as answers to no call at all: then they belong together in their order.
    """
    items = [call.id for message in told for call in message.calls if call.id is not None and call.id.startswith(_ITEM)]
    if not items:
        return told
    asked = {call.id for message in told for call in message.calls}
    lost = [answer.id for message in told for answer in message.answers if answer.id not in asked]
    if len(items) != len(lost):
        return told
    names: dict[str | None, str | None] = dict(zip(items, lost, strict=True))
    return tuple(
        replace(message, calls=tuple(replace(call, id=names.get(call.id, call.id)) for call in message.calls))
        if message.calls
        else message
        for message in told
    )
