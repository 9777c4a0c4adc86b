"""How an exception ends a conversation."""

from __future__ import annotations

import traceback

from harness.agents.outage import is_outage
from harness.agents.problem import EndlessError, text_of
from harness.agents.usercode import place_of
from harness.model.episode import End, EndKind
from tools_sandbox.like import SlowPattern


class EndedError(Exception):
    """The conversation is over, before the script is."""

    def __init__(self, end: End) -> None:
        super().__init__(end.text)
        self.end = end


def end_by(kind: EndKind, code: str, error: Exception) -> End:
    """The end that an exception made, with where in the user's own code it came from."""
    text = text_of(error)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return End(kind, code, said, "".join(traceback.format_exception(error)), place_of(error))


def end_by_agent(error: Exception) -> End:
    """The end that an exception out of the agent made: a failure of its own, or an outage of its model's provider."""
    if isinstance(error, EndlessError):
        return End("limit", "FL1", str(error))
    return end_by("fault", "X2", error) if is_outage(error) else end_by("agent_error", "FL4", error)


def end_by_user(error: Exception) -> End:
    """The end that an exception out of the user's side made: a pattern of the scenario's, or a fault of ours."""
    return end_by("fault", "X3" if isinstance(error, SlowPattern) else "X5", error)
