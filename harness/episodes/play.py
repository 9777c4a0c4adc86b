"""The turn loop: a scripted user and an agent talk, with the sandbox between, while every span is captured."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from harness import __version__
from harness.agents.current import EPISODES
from harness.agents.guard import GuardedAgent
from harness.agents.output import Output, captured_output
from harness.agents.problem import AgentProblem
from harness.agents.source import AgentSource
from harness.episodes.begun import Begun, ToolSide
from harness.episodes.calls import CallLimitError, Calls, copied
from harness.episodes.deadline import Deadline
from harness.episodes.ending import EndedError, end_by_agent, end_by_user
from harness.episodes.outside import with_outside_calls
from harness.episodes.stalls import LoopStalls, Share
from harness.episodes.talk import Talk
from harness.episodes.task import Task
from harness.episodes.usage import model_calls
from harness.model.agent import Interrupted, Reply, Session
from harness.model.episode import End, Episode, Message, Pause, Turn, Unsaid
from harness.users.scripted import ScriptedUser
from harness.users.view import Done, UserSide
from tools_sandbox.call import Json
from traces import genai
from traces.capture import EpisodeTrace, Tracing
from traces.clock import now
from traces.genai import Usage
from traces.span import Span

if TYPE_CHECKING:
    from harness.episodes.elsewhere import Elsewhere
    from harness.episodes.told import Told

Sketched = Callable[[Episode], None]
_NOBODY = nullcontext()


async def play(
    task: Task,
    source: AgentSource,
    tracing: Tracing,
    user: UserSide | None = None,
    stalls: LoopStalls | None = None,
    sketched: Sketched | None = None,
    elsewhere: Elsewhere | None = None,
    instrumented: bool = False,
    begun: Begun | None = None,
) -> Episode:
    """Play one episode from its first message to its end, whatever the agent does. `user`: who talks instead of the
    scripted user. `stalls`: measures the loop, on which others run too. `sketched`: is given the episode as it stands
    before each of the agent's turns, for whoever may lose the process. `elsewhere`: hears the agent's own processes.
    `instrumented`: its libraries are, so that one call may have several spans. `begun`: the conversation that is gone
    on with; the episode is of all of it.

    A cancellation of this coroutine gets out, and AgentProblem for an agent that must not be rehearsed; an exception of
    the agent's own ends the episode and is kept in its `end`.
    """
    conversation_id = str(uuid.uuid4())
    attributes = {
        genai.CONVERSATION_ID: conversation_id,
        genai.AGENT_NAME: source.version.name,
        genai.AGENT_VERSION: source.version.version,
        "turngate.item": task.key.item,
        "turngate.trial": task.key.trial,
    }
    with (
        captured_output() as output,
        tracing.episode("episode", attributes) as trace,
        (stalls or LoopStalls()).share() as share,
        EPISODES,
        _NOBODY if elsewhere is None else elsewhere.episode(trace, conversation_id) as heard,
    ):
        talker = user or (begun.user if begun is not None else ScriptedUser(task.stage.script))
        endpoint = None if elsewhere is None else elsewhere.url
        rehearsal = _Rehearsal(
            task, talker, source, tracing, trace, share, conversation_id, output, sketched, endpoint, begun
        )
        share.sketch = rehearsal.sketch
        end, unsaid = await rehearsal.run()
        if rehearsal.problem is not None:
            raise rehearsal.problem
        share.sketch = None
        if heard is not None:
            await heard.settle()
        spans, missing = trace.finish()
    told = None
    if instrumented or (heard is not None and heard.told):
        from harness.episodes.told import Told

        told = Told(spans, [] if heard is None else heard.logs, rehearsal.talk.turns)
    return rehearsal.episode(end, unsaid, spans, missing, told)


class _Rehearsal:
    """One conversation going on."""

    def __init__(
        self,
        task: Task,
        user: UserSide,
        source: AgentSource,
        tracing: Tracing,
        trace: EpisodeTrace,
        share: Share,
        conversation_id: str,
        output: Output,
        sketched: Sketched | None,
        otlp_endpoint: str | None,
        begun: Begun | None,
    ) -> None:
        stage = task.stage
        if begun is None:
            sandbox: ToolSide = stage.start.open(stage.scenario.given, stage.clock, tracer=tracing.tracer)
        else:
            sandbox = begun.tool_side(tracing.tracer)
        self.user = user
        self.talk = Talk(sandbox, self.user, stage.may_change, begun)
        self._calls = Calls(stage, sandbox, self.talk, task.limits.turn_calls)
        self.pauses: list[Pause] = []
        self.problem: Exception | None = None
        """What is wrong with what is rehearsed. The agent may have swallowed it."""
        self.stated_usage: dict[int, Usage] = {}
        self._notes: list[str] = []
        self._history: list[Message] = self.talk.heard()
        self._conversation_id = conversation_id
        self._task = task
        self._source = source
        self._trace = trace
        self._share = share
        self._turn_deadline = Deadline(task.limits.turn_seconds, share)
        self._output = output
        self._sketched = sketched
        self._started = now()
        self._ended: float | None = None
        self._session = Session(
            conversation_id=conversation_id,
            tools=stage.start.tools if begun is None else begun.tools,
            call_tool=self._calls.make,
            seed=task.seed,
            clock=stage.clock,
            traceparent=trace.traceparent,
            history=self._history,
            passthrough=stage.passthrough,
            record=self._calls.record,
            fail=self._fail,
            notes=self._notes,
            otlp_endpoint=otlp_endpoint,
            earlier=tuple(map(copied, self.talk.calls)),
        )

    async def run(self) -> tuple[End, tuple[Unsaid, ...]]:
        """Talk until the script is done, a limit is hit or somebody fails.

        Raises AgentProblem, before the first turn, for an agent that must not be rehearsed.
        """
        limits, scenario = self._task.limits, self._task.stage.scenario
        deadline = Deadline(limits.episode_seconds, self._share)
        try:
            with deadline:
                self._sketch_now()
                agent = await self._open()
                while not isinstance(move := self.user.next(self.talk), Done):
                    if deadline.expired:
                        raise TimeoutError
                    if self.talk.turn >= scenario.user.max_turns:
                        return End("limit", "FL1", f"{scenario.user.max_turns} turns and no end"), ()
                    await self._turn(agent, move.text, self.talk.user_says(move.text, move.because))
                return End("script_done"), move.unsaid
        except EndedError as ended:
            return ended.end, ()
        except AgentProblem:
            raise
        except Exception as error:  # noqa: BLE001  the agent's own errors are told apart below: this one is ours
            if deadline.expired:
                return self._too_long(deadline, f"the episode took longer than {limits.episode_seconds:g} s", error), ()
            return end_by_user(error), ()
        finally:
            self._ended = now()
            deadline.close()
            self._turn_deadline.close()
            self._calls.end()
            del self._session  # it holds methods of this object: in no circle, both are freed at once and uncollected

    async def _open(self) -> GuardedAgent:
        try:
            return await self._source.open(self._session)
        except AgentProblem:
            raise
        except Exception as error:
            raise EndedError(end_by_agent(error)) from error

    async def _turn(self, agent: GuardedAgent, text: str, number: int) -> None:
        """One user message and all that the agent does until it waits again. Raises EndedError if that ends it all, and
        AgentProblem where only now it shows that the agent was named wrong.
        """
        started, knows, reply = now(), dict(self.user.knows), None
        self._calls.turn_begins()
        self._sketch_now()
        limits, deadline = self._task.limits, self._turn_deadline
        try:
            with self._trace.turn(number):
                self._session.traceparent = self._trace.traceparent
                with deadline:
                    reply = await self._answer(agent, text)
                self._hold_to_limits(deadline, len(reply.messages))
        except (EndedError, AgentProblem):
            raise
        except Exception as error:
            if self._calls.fault is not None:
                end = end_by_user(self._calls.fault)
            elif self._calls.too_many:
                end = End("limit", "FL1", f"more than {limits.turn_calls} tool calls in turn {number}")
            # A TimeoutError may be the agent's own, from its HTTP client; the deadline knows whether it was ours.
            elif deadline.expired:
                end = self._too_long(deadline, f"turn {number} took longer than {limits.turn_seconds:g} s", error)
            else:
                end = end_by_agent(error)
            raise EndedError(end) from error
        finally:
            ended, stalled = now(), deadline.stalled
            if reply is not None:
                self.talk.agent_says(reply.messages[: limits.turn_messages])
            self.talk.turn_ends(Turn(number, started, ended, knows, self.talk.line, stalled), reply)
            self._history[:] = self.talk.heard()
            self._session.history = self._history  # the agent may have put something else there
        if reply.usage:
            self.stated_usage[number] = reply.usage

    def _hold_to_limits(self, deadline: Deadline, messages: int) -> None:
        """An agent may swallow what ends its turn, and reply as if nothing had been."""
        if self.problem is not None:
            raise self.problem
        if self._calls.fault is not None:
            raise self._calls.fault
        if self._calls.too_many:
            raise CallLimitError
        if deadline.expired:
            raise TimeoutError
        if messages > (most := self._task.limits.turn_messages):
            text = f"{messages:,} messages in turn {self.talk.turn}, more than the {most} that a turn may have"
            raise EndedError(End("limit", "FL1", text))

    def _too_long(self, deadline: Deadline, text: str, error: Exception) -> End:
        """The end at a deadline: the agent's, unless it was waiting for a simulated tool just then, or for a model that
        could not answer.
        """
        if (tool := self._calls.pending(deadline.moment)) is not None:
            return End("fault", "X2", f"{text}, while the simulated tool {tool} had not answered")
        for span in self._trace.so_far():
            if genai.OUTAGE in span.attributes and span.end / 1e9 >= deadline.moment:
                return End("fault", "X2", f"{text}: {span.attributes[genai.OUTAGE]}")
        left = isinstance(error.__cause__, asyncio.CancelledError) and str(error.__cause__)
        return End("limit", "FL4", f"{text}, and {left}" if left else text)

    def episode(
        self,
        end: End,
        unsaid: Iterable[Unsaid],
        spans: list[Span],
        spans_missing: str | None,
        told: Told | None = None,
    ) -> Episode:
        """The record of the conversation. `told`: its spans read in every dialect, where they may be in any."""
        task, talk = self._task, self.talk
        schema, simulated = task.stage.schema, task.stage.simulated
        if told is None:
            calls, requests = with_outside_calls(talk.calls, spans, schema, simulated), genai.model_calls(spans)
        else:
            calls, requests = told.with_calls(talk.calls, schema, simulated), told.model_calls()
        return Episode(
            key=task.key,
            attempt=task.attempt,
            seed=task.seed,
            clock=task.stage.clock.isoformat(),
            digests=task.stage.digests,
            agent=self._source.version,
            speaker=task.stage.scenario.speaker,
            conversation_id=self._conversation_id,
            messages=talk.messages,
            turns=talk.turns,
            calls=calls,
            model_calls=model_calls(requests, talk.turns, self.stated_usage),
            pauses=self.pauses,
            state_changes=self._calls.changes(),
            end=end,
            unsaid=list(unsaid),
            outcome=talk.came_out(calls, finished=end.kind == "script_done" and not unsaid),
            stated_outcome=talk.stated,
            confidence=talk.confidence,
            spans=spans,
            spans_missing=spans_missing,
            notes=[*self._source.notes, *(note for note in self._notes if isinstance(note, str))],
            stdout=self._output.stdout,
            stderr=self._output.stderr,
            started=self._started,
            ended=now() if self._ended is None else self._ended,
            harness_version=__version__,
            logs=[] if told is None else told.logs,
        )

    def sketch(self, end: End) -> Episode:
        """The record of the conversation as it stands, with an end that it has not had. May be called from any thread
        while this one stands still.
        """
        return self.episode(end, (), self._trace.so_far(), "the trace was not finished: its process had to be ended")

    def _sketch_now(self) -> None:
        if self._sketched is not None:
            self._sketched(self.sketch(End("agent_error", "FL4")))

    async def _answer(self, agent: GuardedAgent, text: str) -> Reply:
        """The agent's reply, with every pause on the way answered from the scenario's approvals."""
        try:
            return await agent.reply(text, self._session)
        except Interrupted as pause:
            waiting = pause
        while True:
            answers = {name: self._approve(payload) for name, payload in waiting.payloads.items()}
            try:
                return await agent.resume(answers, self._session)
            except Interrupted as pause:
                waiting = pause

    def _approve(self, payload: Json) -> Json:
        try:
            known, answer = self.user.approve(payload)
        except Exception as error:
            self._calls.fault = error
            raise
        self.pauses.append(Pause(self.talk.turn, payload, answer, known, now()))
        if not known:
            text = f"the agent paused for a person, and no entry of `approvals` fits: {payload!r}"
            raise EndedError(End("no_answer", "X3", text))
        return answer

    def _fail(self, problem: Exception) -> None:
        self.problem = self.problem or problem
