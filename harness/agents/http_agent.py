"""An agent that is a service over HTTP."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind

from harness.agents.http_answer import Answer, ToolCall
from harness.agents.http_request import BODY, Entry, names_endpoint, request_body, takes_results, tool_entry
from harness.agents.http_service import Service
from harness.agents.outside import call_outside
from harness.agents.past import past
from harness.agents.problem import AgentProblem
from harness.agents.replies import reply_from
from harness.agents.threads import in_thread
from harness.model.agent import Agent, Reply, Session
from harness.model.episode import AgentVersion, Message
from harness.model.remote import OTLP_ENDPOINT, REQUESTS, HttpAgent, mistakes
from harness.model.source import without_places
from tools_sandbox.call import Call, CallError, Json
from traces import genai
from traces.clock import now
from traces.genai import Usage

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class HttpKind:
    """A service, of which every episode gets a conversation. Raises AgentProblem if it is not written right."""

    def __init__(self, spec: HttpAgent) -> None:
        if wrong := [text for _, text in mistakes(spec)]:
            raise AgentProblem("; ".join(wrong))
        self._service = Service(spec)
        self._template = BODY if spec.body is None else spec.body
        self.sends_spans = True if spec.spans is None and names_endpoint(self._template) else spec.spans
        self.version = _version(spec, self._service.place)
        place = self._service.place
        self.notes = [f"{place} runs elsewhere: tools that it does not hand over in `tool_calls` are real"]
        if spec.version is None:
            self.notes.append(f"which version runs at {place} can't be told from outside: name it under `version:`")
        self.model: str | None = None
        self.parameters: Mapping[str, Json] = {}
        self.tools: Mapping[str, BaseTool] = {}

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """Its tools can't be told from outside."""

    async def open(self, session: Session) -> Agent:
        """A new conversation."""
        await self._service.connections()  # now, since what it takes is no time of the agent's
        return HttpConversation(self._service, self._template)


class HttpConversation:
    """One conversation with a service."""

    def __init__(self, service: Service, template: Json) -> None:
        self._service = service
        self._template = template
        self._history: list[Entry] = []
        self._tracer = trace.get_tracer(REQUESTS)

    async def reply(self, message: str, session: Session) -> Reply:
        """Answer one user message: ask, carry out the tool calls that come back, ask with their results, until none do.

        Raises AgentProblem, AgentError and OutageError, as `Service` tells them apart.
        """
        if not self._history:
            self._history = list(_primed(session))
        new: list[Entry] = [{"role": "user", "text": message}]
        said: list[str] = []
        used: list[Usage] = []
        while True:
            answer = await self._ask(new, session)
            said += answer.messages
            used += [answer.usage] if answer.usage else []
            for made in answer.called:
                session.record(_made(made, session))
            self._history += new
            if not answer.tool_calls:
                break
            new = await self._results(answer, session)
        self._history += [{"role": "agent", "text": text} for text in answer.messages]
        return reply_from(Reply(tuple(said), answer.outcome, answer.confidence, _summed(used)))

    async def _ask(self, new: list[Entry], session: Session) -> Answer:
        """One request, with a span of its own above those that the service makes of it."""
        body = request_body(self._template, session, self._history, new)
        attributes = {
            genai.OPERATION: "invoke_agent",
            genai.AGENT_NAME: self._service.place,
            genai.CONVERSATION_ID: session.conversation_id,
        }
        with self._tracer.start_as_current_span(
            f"invoke_agent {self._service.place}", kind=SpanKind.CLIENT, attributes=attributes
        ) as span:
            headers = {
                "traceparent": _traceparent(span, session),
                "x-conversation-id": session.conversation_id,
                "content-type": "application/json",
            }
            if session.otlp_endpoint is not None:
                headers[OTLP_ENDPOINT] = session.otlp_endpoint
            answer = await self._service.ask(body, headers)
            span.set_attributes(_told(answer))
        return answer

    async def _results(self, answer: Answer, session: Session) -> list[Entry]:
        """Carry out the tool calls of an answer, all of them, in their order."""
        if not takes_results(self._template):
            raise AgentProblem(
                f"agent {self._service.place} hands over tool calls, but its `body` has neither `{{tool_results}}` "
                "nor `{openai_messages}` to bring the results"
            )
        calls = [
            await in_thread(session.call_tool, asked.name, asked.arguments, asked.id) for asked in answer.tool_calls
        ]
        handed = [
            {"id": call.id, "name": asked.name, "arguments": asked.arguments}
            for call, asked in zip(calls, answer.tool_calls, strict=True)
        ]
        *before, last = answer.messages or (None,)
        self._history += [{"role": "agent", "text": text} for text in before]
        self._history.append({"role": "agent", "text": last, "tool_calls": handed})
        return [tool_entry(call) for call in calls]


def _primed(session: Session) -> Iterator[Entry]:
    """The entries of a conversation that others had before."""
    for step in past(session):
        if isinstance(step, Message):
            yield {"role": step.role, "text": step.text}
            continue
        asked = [{"id": call.id, "name": call.tool, "arguments": call.raw or call.arguments or {}} for call in step]
        yield {"role": "agent", "text": None, "tool_calls": asked}
        yield from map(tool_entry, step)


def _told(answer: Answer) -> dict[str, Any]:
    """What an answer says of models. Usage that can't be right makes it a model call of which nothing is known, for
    else those of the other answers would seem to be all.
    """
    told: dict[str, Any] = {} if answer.model is None else {genai.RESPONSE_MODEL: answer.model}
    if (usage := answer.usage) is None:
        return told
    if usage.flaw is not None:
        return told | {genai.OPERATION: genai.CHAT}
    counts = (usage.input, usage.output, usage.cached, usage.reasoning)
    names = (genai.INPUT_TOKENS, genai.OUTPUT_TOKENS, genai.CACHED_TOKENS, genai.REASONING_TOKENS)
    return told | dict(zip(names, counts, strict=True))


def _summed(used: Sequence[Usage]) -> Usage | None:
    """The usage of a turn; the flawed one, where one is."""
    if (flawed := next((each for each in used if each.flaw is not None), None)) is not None:
        return flawed
    total = [sum(counts) for counts in zip(*map(astuple, used), strict=True)]
    return Usage(*total) if total else None


def _traceparent(span: Span, session: Session) -> str:
    """The header that puts a service's spans below the request's; below the turn's where that one is not captured."""
    ids = span.get_span_context()
    trace_id = f"{ids.trace_id:032x}"
    if not span.is_recording() or trace_id not in session.traceparent:
        return session.traceparent
    return f"00-{trace_id}-{ids.span_id:016x}-01"


def _made(made: ToolCall, session: Session) -> Call:
    """A call that the service says it has made, for the record."""
    raw = made.arguments if isinstance(made.arguments, str) else None
    call = call_outside(session, made.name, made.id, "span", raw=raw)
    call.arguments, wrong = _object(made.arguments)
    call.result = made.result
    told = made.error if made.error is not None else wrong
    call.error = None if told is None else CallError("bad_arguments" if made.error is None else "passthrough", told)
    call.ended = now()
    return call


def _object(arguments: Json) -> tuple[dict[str, Json] | None, str | None]:
    """The arguments object, or why there is none."""
    try:
        value = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError) as error:
        return None, f"the arguments are no JSON: {error}"
    return (value, None) if isinstance(value, dict) else (None, "the arguments are no JSON object")


def _version(spec: HttpAgent, place: str) -> AgentVersion:
    """The digest is of all that is written of the service; a header's secret is not in it, only its variable."""
    written = json.dumps(without_places(spec.dump()), sort_keys=True)
    digest = hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
    return AgentVersion(place, spec.version or digest[:8], digest)
