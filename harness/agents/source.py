"""An agent that has been found: which one it is, and a new one of it for every episode."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from harness.agents.callables import CallableAgent, called, object_agent, parameters
from harness.agents.guard import GuardedAgent, guarded
from harness.agents.problem import AgentProblem
from harness.agents.threads import Worker
from harness.model.agent import Agent, Session
from harness.model.episode import AgentVersion
from tools_sandbox.call import Json
from tools_sandbox.values import show

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from harness.agents.held import Held

ACCEPTED = """accepted are
  def agent(message) or agent(message, session)   an agent: sync, async or streaming
  def build() or build(session)                   a factory: gives a new agent for each episode (recommended)
  an object with reply(message[, session])        as it is
  a compiled LangGraph graph                      as it is"""

_ONE_OBJECT = "the agent is one object for all episodes: what it keeps, it keeps between them (a factory avoids that)"
_NO_SESSION = (
    "the agent takes no `session`: only LangChain tools lead it to the sandbox, and what else it calls is real"
)

_AGENT = (["message"], ["message", "session"])
_FACTORY: tuple[list[str], ...] = ([], ["session"])


@runtime_checkable
class Remote(Protocol):
    """A kind whose agents are processes of their own. `sends_spans`: whether they send spans to the endpoint that they
    are told; None if nobody said.
    """

    sends_spans: bool | None


class Kind(Protocol):
    """One way to get an agent. `notes`: what is to be said about it; `model`: the name of the model that it holds, and
    `parameters` what that is set to; `tools`: the LangChain tools that are found in it, by name.
    """

    notes: list[str]
    model: str | None
    parameters: Mapping[str, Json]
    tools: Mapping[str, BaseTool]

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """Raise AgentProblem if the agent has a tool that is neither."""
        ...

    async def open(self, session: Session) -> Agent:
        """The agent of one episode."""
        ...


@dataclass(frozen=True, slots=True)
class AgentSource:
    """Gives agents of one version. `printed`: what was written while it was imported."""

    version: AgentVersion
    kind: Kind
    printed: str = ""

    @property
    def notes(self) -> list[str]:
        """What is to be said at the start, such as code that can't be redirected; of what a factory makes it is known
        once it has made one.
        """
        printed = [f"printed on import: {show(self.printed, 500)}"] if self.printed else []
        return [*printed, *self.kind.notes]

    def check(self, tools: Collection[str], passthrough: Collection[str] = ()) -> None:
        """Refuse an agent that would call a real tool: one the sandbox (`tools`) lacks and `passthrough` doesn't name.

        Raises AgentProblem. What a factory makes is checked when it is made, in `open`.
        """
        self.kind.check(tools, passthrough)

    async def open(self, session: Session) -> GuardedAgent:
        """The agent for one episode; it can't cancel or end what runs around it, and it can `resume` where it pauses.

        Raises AgentProblem for what a factory makes that is no agent, or has a tool it must not call; AgentError, and
        whatever a factory raises.
        """
        worker, kind = Worker(), self.kind
        # One that is there already is opened without any code of its own, which would have to be guarded.
        opened = kind.open(session) if isinstance(kind, Fixed) else guarded(lambda: kind.open(session), session, worker)
        return GuardedAgent(await opened, worker)


class Fixed:
    """A function or an object that is an agent as it is: the same for every episode."""

    def __init__(self, agent: Agent, target: Any, *, takes_session: bool) -> None:
        self._agent = agent
        self._held = _held(target)
        self.notes = [] if inspect.isroutine(target) else [_ONE_OBJECT]
        self.model: str | None = None
        self.parameters: Mapping[str, Json] = {}
        self.tools: Mapping[str, BaseTool] = {}
        if self._held is not None:
            self.notes += self._held.notes
            self.model = self._held.model
            self.parameters = self._held.parameters
            self.tools = self._held.tools
        if not takes_session and not self.tools:
            self.notes.append(_NO_SESSION)

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """Hold the LangChain tools that are found in its code against the sandbox."""
        if self._held is not None:
            self._held.check(tools, passthrough)

    async def open(self, session: Session) -> Agent:
        """The agent."""
        self.check([tool.name for tool in session.tools], session.passthrough)
        return self._agent


class Factory:
    """A function that makes an agent of any other kind."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function = function
        self._name = name
        self.notes: list[str] = []
        self.model: str | None = None
        self.parameters: Mapping[str, Json] = {}
        self.tools: Mapping[str, BaseTool] = {}

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """What it makes is checked when it is made."""

    async def open(self, session: Session) -> Agent:
        """Make one, and check its tools."""
        kind = await self.made(session)
        # What it makes is new for each episode, and may hold the session that the factory was given.
        known = (*self.notes, _ONE_OBJECT, _NO_SESSION)
        self.notes += [note for note in kind.notes if note not in known]
        return await kind.open(session)

    async def made(self, session: Session) -> Kind:
        """What it makes. Raises AgentProblem if that is no agent, and whatever the function raises."""
        made = await called(self._function, session)
        kind = kind_of(made, f"what {self._name} returned")
        if isinstance(kind, Factory):
            raise AgentProblem(f"{self._name} returned another factory ({_shown(made)}), not an agent; {ACCEPTED}")
        return kind


def kind_of(target: Any, name: str) -> Kind:
    """How to get an agent from `target`, told by what it is and by the names of its parameters.

    Raises AgentProblem, with what is accepted, if it is nothing that is known; `name` says where it was found.
    """
    if (graph := _graph_kind(target, name)) is not None:
        return graph
    if not inspect.isclass(target) and callable(getattr(target, "reply", None)):
        names = parameters(target.reply)
        if names not in _AGENT:
            raise AgentProblem(f"{name} has reply{_signature(target.reply)}, not reply(message[, session]); {ACCEPTED}")
        return Fixed(object_agent(target), target, takes_session="session" in names)
    if callable(target):
        names = parameters(target)
        if names in _AGENT and not inspect.isclass(target):
            return Fixed(CallableAgent(target), target, takes_session="session" in names)
        if names in _FACTORY:
            return Factory(target, name)
        raise AgentProblem(f"{name} has the signature {_signature(target)}; {ACCEPTED}")
    raise AgentProblem(f"{name} is {_shown(target)}; {ACCEPTED}")


def may_be_agent(target: Any, *, own: bool) -> bool:
    """Whether it looks like an agent: a graph, an object with `reply`, or a function of the module's `own`."""
    if inspect.isclass(target):
        return False
    if _uses_langchain():
        from langgraph.pregel import Pregel

        if isinstance(target, Pregel):
            return True
    return callable(getattr(target, "reply", None)) or (own and parameters(target) in (*_AGENT, *_FACTORY))


def _graph_kind(target: Any, name: str) -> Kind | None:
    if not _uses_langchain():
        return None
    from harness.agents.langgraph import graph_kind

    return graph_kind(target, name)


def _held(target: Any) -> Held | None:
    if not _uses_langchain():
        return None
    from harness.agents.held import Held

    return Held(target)


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
