"""Calls that do not go to the sandbox, for the record: real tools let through, and calls a framework turned down."""

from __future__ import annotations

import uuid
from typing import Any

from harness.model.agent import Session
from tools_sandbox.call import Call, Json, Origin
from tools_sandbox.values import to_json
from traces.clock import now


def call_outside(
    session: Session, tool: str, call_id: str | None, origin: Origin, arguments: Json = None, raw: str | None = None
) -> Call:
    """A call that begins now. Its kind is known if the sandbox has a tool of that name; whoever records it numbers its
    turn.
    """
    return Call(
        id=call_id or uuid.uuid4().hex,
        turn=0,
        tool=tool,
        raw=raw,
        arguments=arguments,
        kind=next((spec.kind for spec in session.tools if spec.name == tool), None),
        origin=origin,
        started=now(),
    )


def as_json(value: Any) -> Json:
    """Any Python object as JSON; what JSON can't hold is kept as its text."""
    try:
        return to_json(value)
    except TypeError:
        return str(value)
