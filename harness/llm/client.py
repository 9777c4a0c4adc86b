"""The model client: requests are repeated, turns never; pauses, money and recorded answers are shared by a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.llm.access import Endpoint, ModelAccess
from harness.llm.attempt import attempted, message_of
from harness.llm.budget import Budget, Price, unpriced
from harness.llm.cassette import Player, Recorder, Scrub
from harness.llm.dialect import Dialect, Request, posted, well_formed
from harness.llm.ledger import Ledger
from harness.llm.messages import Answer, Message
from harness.llm.persist import persist
from harness.llm.problem import ModelProblem, ProviderError
from harness.llm.retry import PATIENCE, Patience
from harness.llm.spans import chat_span, tell_answer
from harness.loops import PerLoop
from tools_sandbox.schema import ToolSpec

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_PROBE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Asking:
    """Which model is asked, and how. `seconds`: that one attempt may take. `stream`: get the answer in pieces. `agent`:
    for whom, where several ask the same.
    """

    model: str
    dialect: Dialect
    instructions: str
    tools: Sequence[ToolSpec] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 60.0
    stream: bool = False
    agent: str = ""


class ModelClient:
    """Asks models, for all episodes of this process. `scrub`: masks secrets in what is recorded; `price`: needed where
    there is a limit on money.

    Raises ModelProblem for an access that can't be had: no key, no cassette.
    """

    def __init__(
        self, access: ModelAccess, scrub: Scrub, price: Price = unpriced, patience: Patience | None = None
    ) -> None:
        self._patience = patience or PATIENCE
        self._ledger = Ledger(Path(access.ledger) if access.ledger else None)
        self._player = Player(Path(access.replay), scrub, self._ledger) if access.replay else None
        self._recorder = Recorder(Path(access.record), scrub) if access.record else None
        self._endpoint = None if access.replay else Endpoint.of_environment()
        limit = None if access.replay else access.limit
        self._budget = Budget(limit, price, self._ledger) if limit is not None else None
        self._clients = PerLoop(self._opened)

    @property
    def notes(self) -> list[str]:
        """What is to be said about where the answers come from."""
        return [self._player.note] if self._player is not None else []

    @property
    def address(self) -> str | None:
        """Where models are asked, as it may be told; None where recorded answers are given."""
        return self._endpoint.shown if self._endpoint is not None else None

    def check(self, model: str) -> None:
        """Find out before the first request what can be found out without one.

        Raises ModelProblem if the provider says that it knows no such key or model, or no price is known of one that
        has a limit. What the provider says in other words is found out by the first request.
        """
        if self._budget is not None:
            self._budget.check(model)
        if self._endpoint is None:
            return
        from openai import APIStatusError, OpenAI, OpenAIError

        endpoint = self._endpoint
        client = OpenAI(api_key=endpoint.key, base_url=endpoint.url, max_retries=0, timeout=_PROBE_SECONDS)
        with client:
            try:
                client.models.retrieve(model)
            except APIStatusError as error:
                # A key may be good for a model and not for asking about it, and many servers have no such page.
                if error.code in ("invalid_api_key", "model_not_found"):
                    said = endpoint.without_key(message_of(error))
                    raise ModelProblem(f"{endpoint.shown} refuses (status {error.status_code}): {said}") from None
            except OpenAIError:
                return

    async def ask(self, asking: Asking, messages: Sequence[Message], seed: int) -> Answer:
        """The model's answer to the last of these messages. `seed`: the episode's, for the waits between attempts;
        where recorded answers are given, an episode that asks the same again gets the same.

        Raises ProviderError if none can be had, RequestRefusedError if the provider refuses this request, and
        ModelProblem if it refuses the key or the model from the beginning, or a limit on money can't be kept.
        """
        dialect = asking.dialect
        request = well_formed(
            dialect.request(asking.model, asking.instructions, messages, asking.tools, asking.parameters)
        )
        with chat_span(asking.model, self.address, asking.instructions, messages, asking.parameters) as span:
            if self._player is not None:
                span.set_attribute("turngate.replayed", True)
                answer = self._player.next(dialect, request, f"{seed} {asking.agent}")
            else:
                answer = await self._asked(asking, request, seed)
            tell_answer(span, answer)
        return answer

    async def _asked(self, asking: Asking, request: Request, seed: int) -> Answer:
        endpoint, dialect = self._provider, asking.dialect
        client = await self._clients.get()
        if self._budget is not None:
            self._budget.hold()

        async def ask() -> tuple[Any, Answer]:
            body = await (dialect.streamed(client, request) if asking.stream else posted(client, dialect.path, request))
            return body, dialect.read(body)

        async def attempt() -> tuple[Any, Answer]:
            return await attempted(ask, endpoint, asking.model, asking.seconds)

        try:
            body, answer = await persist(attempt, self._patience, self._ledger, seed)
        except ModelProblem as problem:
            if self._ledger.marked(f"answered {asking.model}"):
                raise ProviderError(str(problem)) from None
            raise
        self._ledger.mark(f"answered {asking.model}")
        if self._recorder is not None:
            self._recorder.add(dialect.path, request, body)
        if self._budget is not None:
            self._budget.pay(asking.model, answer)
        return answer

    @property
    def _provider(self) -> Endpoint:
        return self._endpoint or Endpoint.of_environment()

    def _opened(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        return AsyncOpenAI(
            api_key=self._provider.key,
            base_url=self._provider.url,
            max_retries=0,
            timeout=None,
            http_client=DefaultAsyncHttpxClient(timeout=None),  # not the one that closes itself on any loop
        )
