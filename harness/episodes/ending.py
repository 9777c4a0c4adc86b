"""How an exception ends a conversation."""

from __future__ import annotations

import traceback

from harness.agents.outage import is_outage
from harness.agents.usercode import place_of
from harness.model.episode import End, EndKind


class EndedError(Exception):
    """The conversation is over, before the script is."""

    def __init__(self, end: End) -> None:
        super().__init__(end.text)
        self.end = end


def end_by(kind: EndKind, code: str, error: Exception) -> End:
    """The end that an exception made, with where in the user's own code it came from."""
    text = _text(error)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return End(kind, code, said, "".join(traceback.format_exception(error)), place_of(error))


def end_by_agent(error: Exception) -> End:
    """The end that an exception out of the agent made: a failure of its own, or an outage of its model's provider."""
    return end_by("fault", "X2", error) if is_outage(error) else end_by("agent_error", "FL4", error)


def _text(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  an agent's exception may be broken too
        return "(its text can't be told)"
