"""Between the turn loop and any agent: one agent's turn can't cancel, end or leak into what runs around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextvars import copy_context
from typing import Any, TypeVar

from harness.agents.current import SESSION
from harness.agents.forks import ForksEnd
from harness.agents.hooks import install
from harness.agents.loop import GRACE
from harness.agents.problem import UNTOLD, AgentError, text_of
from harness.agents.threads import WORKER, Worker, contained
from harness.agents.usercode import place_now
from harness.model.agent import Agent, Reply, Resumable, Session
from tools_sandbox.call import Json

T = TypeVar("T")


async def guarded(work: Callable[[], Coroutine[Any, Any, T]], session: Session, worker: Worker) -> T:
    """Run an agent's coroutine in a task of its own, with `session` and `worker` as the current ones. Runs of LangChain
    tools are redirected from here on.

    Raises what it raises, but AgentError where it cancels itself, tries to end the program or raises what can't be told
    or is no Exception. A cancellation of the caller reaches the agent and goes on as a cancellation whatever the agent
    does; one that has not ended GRACE seconds later is left behind, as the CancelledError then says.
    """
    install()

    # Waits as `asyncio.wait` does, in half the time: to cancel the wait is not to cancel the task.
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def tell(_: object = None) -> None:
        if not ended.done():
            ended.set_result(None)

    async def run() -> T:
        try:
            with ForksEnd():
                return await work()
        except (SystemExit, KeyboardInterrupt) as error:
            # A task hands these on to the event loop, which would end the whole run.
            raise contained(error) from error
        finally:
            # Told from here it is heard a round of the loop sooner; the callback is for a task that never begins.
            task.remove_done_callback(tell)
            tell()

    context = copy_context()
    context.run(SESSION.set, session)
    context.run(WORKER.set, worker)
    task = asyncio.create_task(run(), context=context)
    task.add_done_callback(tell)
    try:
        await ended
    except asyncio.CancelledError as cancelled:
        task.add_done_callback(_noticed)
        context.run(task.cancel)  # in its own name: it must not cancel what it waits for by mistake
        await asyncio.wait({task}, timeout=GRACE)
        if task.done():
            raise
        place = place_now(task.get_coro())
        where = f", at {place}" if place else ""
        raise asyncio.CancelledError(f"the agent did not end when cancelled and is left behind{where}") from cancelled
    try:
        return task.result()
    except BaseException as error:
        if isinstance(error, Exception) and text_of(error) != UNTOLD:
            raise
        raise contained(error) from error


def _noticed(task: asyncio.Task[Any]) -> None:
    """Nobody waits for the task any more: how it ends is not to be complained of."""
    if not task.cancelled():
        task.exception()


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
