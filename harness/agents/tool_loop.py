"""The plainest agent: a model, what it is told first, and the tools it asks for, until it asks for none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from harness.agents.forms import json_arguments, result_text
from harness.agents.past import past
from harness.agents.problem import AgentError, AgentProblem, EndlessError, OutageError
from harness.agents.replies import reply_from
from harness.agents.text_calls import calls_in_text
from harness.agents.threads import in_thread
from harness.llm.client import Asking, ModelClient
from harness.llm.messages import Answer, Message, assistant, call_parts, text_part, tool_result, user
from harness.llm.problem import ModelProblem, ProviderError
from harness.model.agent import Reply, Session
from harness.model.episode import Message as Said
from tools_sandbox.values import show

TEXT_CALLS = "the model writes tool calls as text, which nobody carries out: does its server know how it calls tools?"


class ToolLoop:
    """One conversation with a model. `rounds`: requests that one turn may take; `noticed` hears what is to be said of
    the model itself.
    """

    def __init__(self, client: ModelClient, asking: Asking, rounds: int, noticed: Callable[[str], None]) -> None:
        self._client = client
        self._asking = asking
        self._rounds = rounds
        self._noticed = noticed
        self._messages: list[Message] = []

    async def reply(self, message: str, session: Session) -> Reply:
        """Answer one user message; text beside tool calls is said too.

        Raises AgentProblem, OutageError, and AgentError for a model that says nothing or does not come to an end.
        """
        if not self._messages:
            self._messages = list(_primed(session))
        self._messages.append(user(message))
        said: list[str] = []
        for _ in range(self._rounds):
            answer = await self._answer(session)
            said += [text for text in answer.said if text.strip()]
            if not answer.calls:
                break
            for call in answer.calls:
                made = await in_thread(session.call_tool, call["name"], call["arguments"], call["id"])
                self._messages.append(tool_result(call["id"], result_text(made)))
        else:
            raise EndlessError(f"the model still called tools in request {self._rounds} of one turn")
        if not said:
            raise AgentError(f"the model said nothing and called no tool (finish reason: {answer.finish})")
        return reply_from(said)

    async def _answer(self, session: Session) -> Answer:
        with told_apart():
            answer = await self._client.ask(self._asking, self._messages, session.seed)
        self._messages.append(answer.message)
        self._notice(answer, session)
        return answer

    def _notice(self, answer: Answer, session: Session) -> None:
        turn = sum(each.role == "user" for each in session.history) + 1
        if answer.finish in ("length", "content_filter"):
            cut = "by the limit on its length" if answer.finish == "length" else "by the provider's content filter"
            session.notes.append(f"turn {turn}: the model's answer was cut off {cut} ({answer.finish})")
        if answer.calls:
            return
        for text in answer.said:
            if called := calls_in_text(text, [tool.name for tool in session.tools]):
                names = ", ".join(show(name) for name in called)
                session.notes.append(f"turn {turn}: the model wrote a tool call as text, which nobody made: {names}")
                self._noticed(TEXT_CALLS)


def _primed(session: Session) -> Iterator[Message]:
    """The messages of a conversation that others had before."""
    for step in past(session):
        if isinstance(step, Said):
            yield user(step.text) if step.role == "user" else assistant([text_part(step.text)])
            continue
        yield assistant(call_parts([(call.id, call.tool, json_arguments(call)) for call in step]))
        yield from (tool_result(call.id, result_text(call)) for call in step)


@contextmanager
def told_apart() -> Iterator[None]:
    """What goes wrong with a model, as what goes wrong with an agent. A refused request stays its own failure."""
    try:
        yield
    except ModelProblem as problem:
        raise AgentProblem(str(problem)) from None
    except ProviderError as error:
        raise OutageError(str(error)) from error
