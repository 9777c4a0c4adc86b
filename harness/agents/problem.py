"""What goes wrong with an agent, told apart: the person who named it made a mistake, or the agent itself failed."""

from __future__ import annotations


class AgentProblem(Exception):
    """The agent can't be rehearsed as it was named or built: a mistake of its user, found before the first turn."""


class AgentError(Exception):
    """The agent failed in a way that is no exception of its own: no usable reply, or it tried to end the program."""


class EndlessError(AgentError):
    """The agent goes on and on within one turn, and was stopped."""


class OutageError(Exception):
    """What the agent runs on could not be reached, or was too busy to answer: nobody's failure but its own."""


UNTOLD = "(its text can't be told)"


def text_of(error: BaseException) -> str:
    """What an exception says; UNTOLD where an agent's is broken and raises something when it is asked."""
    try:
        return str(error)
    except BaseException:  # noqa: BLE001
        return UNTOLD
