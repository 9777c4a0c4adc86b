"""An agent that has been found: which one it is, and a new one of it for every episode."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from harness.agents.callables import CallableAgent, called, object_agent, parameters
from harness.agents.guard import GuardedAgent, guarded
from harness.agents.problem import AgentProblem
from harness.agents.threads import Worker
from harness.model.agent import Agent, Session
from harness.model.episode import AgentVersion

if TYPE_CHECKING:
    from harness.agents.redirect import Redirection

ACCEPTED = """accepted are
  def agent(message) or agent(message, session)   an agent: sync, async or streaming
  def build() or build(session)                   a factory: gives a new agent for each episode (recommended)
  an object with reply(message[, session])        as it is
  a compiled LangGraph graph                      as it is"""

_AGENT = (["message"], ["message", "session"])
_FACTORY: tuple[list[str], ...] = ([], ["session"])


class Kind(Protocol):
    """One way to get an agent."""

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """Raise AgentProblem if the agent has a tool that is neither."""
        ...

    async def open(self, session: Session, notes: list[str]) -> Agent:
        """The agent of one episode; what there is to say about it is added to `notes`."""
        ...


@dataclass
class AgentSource:
    """Gives agents of one version. `notes`: what is to be said at the start, such as code that can't be redirected; of
    a factory it is known once it has made its first agent.
    """

    version: AgentVersion
    kind: Kind
    notes: list[str] = field(default_factory=list)

    def check(self, tools: Collection[str], passthrough: Collection[str] = ()) -> None:
        """Refuse an agent that would call a real tool: one the sandbox (`tools`) lacks and `passthrough` doesn't name.

        Raises AgentProblem. What a factory makes is checked when it is made, in `open`.
        """
        self.kind.check(tools, passthrough)

    async def open(self, session: Session) -> Agent:
        """The agent for one episode; it can't cancel or end what runs around it, and it can `resume` where it pauses.

        Raises AgentProblem for what a factory makes that is no agent, or has a tool it must not call; AgentError, and
        whatever a factory raises.
        """
        notes: list[str] = []
        worker = Worker()
        agent = await guarded(lambda: self.kind.open(session, notes), session, worker)
        self.notes += [note for note in notes if note not in self.notes]
        return GuardedAgent(agent, worker)


class Fixed:
    """A function or an object that is an agent as it is: the same for every episode."""

    def __init__(self, agent: Agent, target: Any) -> None:
        self._agent = agent
        self._redirection = _redirection(target)

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """Hold the LangChain tools that are found in its code against the sandbox."""
        if self._redirection is not None:
            self._redirection.check(tools, passthrough)

    async def open(self, session: Session, notes: list[str]) -> Agent:
        """The agent."""
        if self._redirection is not None:
            notes += self._redirection.notes
            self._redirection.check([tool.name for tool in session.tools], session.passthrough)
        return self._agent


class Factory:
    """A function that makes an agent of any other kind."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function = function
        self._name = name

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """What it makes is checked when it is made."""

    async def open(self, session: Session, notes: list[str]) -> Agent:
        """Make one, and check its tools."""
        made = await called(self._function, session)
        kind = kind_of(made, f"what {self._name} returned")
        if isinstance(kind, Factory):
            raise AgentProblem(f"{self._name} returned another factory ({_shown(made)}), not an agent; {ACCEPTED}")
        return await kind.open(session, notes)


def kind_of(target: Any, name: str) -> Kind:
    """How to get an agent from `target`, told by what it is and by the names of its parameters.

    Raises AgentProblem, with what is accepted, if it is nothing that is known; `name` says where it was found.
    """
    if (graph := _graph_kind(target, name)) is not None:
        return graph
    if not inspect.isclass(target) and callable(getattr(target, "reply", None)):
        if parameters(target.reply) not in _AGENT:
            raise AgentProblem(f"{name} has reply{_signature(target.reply)}, not reply(message[, session]); {ACCEPTED}")
        return Fixed(object_agent(target), target)
    if callable(target):
        names = parameters(target)
        if names in _AGENT and not inspect.isclass(target):
            return Fixed(CallableAgent(target), target)
        if names in _FACTORY:
            return Factory(target, name)
        raise AgentProblem(f"{name} has the signature {_signature(target)}; {ACCEPTED}")
    raise AgentProblem(f"{name} is {_shown(target)}; {ACCEPTED}")


def _graph_kind(target: Any, name: str) -> Kind | None:
    if not _uses_langchain():
        return None
    from harness.agents.langgraph import graph_kind

    return graph_kind(target, name)


def _redirection(target: Any) -> Redirection | None:
    if not _uses_langchain():
        return None
    from harness.agents.redirect import Redirection

    return Redirection(target)


def _uses_langchain() -> bool:
    """Whether there can be a graph or a tool; where nobody imported the library, nobody pays for importing it."""
    return "langchain_core" in sys.modules


def _signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(unknown)"


def _shown(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
