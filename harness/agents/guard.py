"""Between the turn loop and any agent: one agent's turn can't cancel, end or leak into what runs around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from harness.agents.current import SESSION
from harness.agents.problem import AgentError
from harness.agents.threads import WORKER, Worker, contained
from harness.model.agent import Agent, Reply, Resumable, Session
from tools_sandbox.call import Json

T = TypeVar("T")


async def guarded(work: Callable[[], Coroutine[Any, Any, T]], session: Session, worker: Worker) -> T:
    """Run an agent's coroutine in a task of its own, with `session` and `worker` as the current ones.

    Raises what it raises, but AgentError where it cancels itself or tries to end the program. A cancellation of the
    caller reaches the agent and goes on as a cancellation.
    """

    async def run() -> T:
        SESSION.set(session)  # in this task's own copy of the context
        WORKER.set(worker)
        try:
            return await work()
        except SystemExit as error:
            # A task hands SystemExit on to the event loop, which would end the whole run.
            raise contained(error) from error

    task = asyncio.create_task(run())
    try:
        return await task
    except asyncio.CancelledError as error:
        waiting = asyncio.current_task()
        if task.cancelled() and not (waiting and waiting.cancelling()):
            raise contained(error) from error
        raise


class GuardedAgent:
    """An agent as the turn loop gets it. `resume` raises AgentError if the agent can't go on after a pause."""

    def __init__(self, agent: Agent, worker: Worker) -> None:
        self._agent = agent
        self._worker = worker

    async def reply(self, message: str, session: Session) -> Reply:
        """Answer one user message."""
        return await guarded(lambda: self._agent.reply(message, session), session, self._worker)

    async def resume(self, answers: Mapping[str, Json], session: Session) -> Reply:
        """Go on after a pause."""
        agent = self._agent
        if not isinstance(agent, Resumable):
            raise AgentError("the agent pauses for a person but has no `resume(answers, session)` to go on with")
        return await guarded(lambda: agent.resume(answers, session), session, self._worker)
