"""`openai:MODEL`: a model of any server with OpenAI's API, which plays as the agent without any code."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from harness.agents.problem import AgentProblem
from harness.agents.tool_loop import ToolLoop, told_apart
from harness.llm.access import ModelAccess
from harness.llm.chat import Chat
from harness.llm.client import Asking, ModelClient
from harness.llm.dialect import Dialect
from harness.llm.responses import Responses
from harness.model.agent import Agent, Session
from harness.model.episode import AgentVersion
from harness.model.material import Document
from tools_sandbox.call import Json

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

PREFIX = "openai:"
_SECRET = re.compile(r"(?<!cache_)key|secret|auth|passw|credential|token(?!s)", re.IGNORECASE)
_APIS: dict[str, type[Chat] | type[Responses]] = {"chat": Chat, "responses": Responses}
_OURS = "api, instructions, rounds, stream, timeout"
_RULES = """You talk with a customer of the service described here. Look things up and act with the tools you have; \
never say that something was done unless a tool did it. Keep to the documents below. Answer in the customer's language.\
"""


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a model gets in place of an agent's code. `client`: makes the client that asks it; `instructions`: what it
    is told first, unless a file says so.
    """

    client: Callable[[], ModelClient]
    instructions: str

    @classmethod
    def plain(cls) -> Briefing:
        """Outside any workflow: nothing is recorded, and nothing is known."""
        return cls(lambda: ModelClient(ModelAccess(), lambda value: value), instructions("", ()))


def instructions(about: str, documents: Sequence[Document]) -> str:
    """What a model is told first: what is expected of it, what the workflow is about, and its knowledge, whole."""
    parts = [_RULES, about and f"The service: {about}", *(document.text.strip() for document in documents)]
    return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """What is written after `openai:`, read. `parameters` go into each request as they are; `seconds`: that an attempt
    to get an answer may take; `rounds`: requests that a turn may take; `file`: of the instructions.
    """

    model: str
    api: str = "chat"
    file: str | None = None
    rounds: int = 30
    stream: bool = False
    seconds: float = 60.0
    parameters: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def read(cls, spec: str) -> ModelSpec:
        """From `openai:MODEL?name=value&…`. Raises AgentProblem for what can't be meant."""
        model, _, query = spec.removeprefix(PREFIX).partition("?")
        if not model.strip():
            raise AgentProblem(f"agent `{spec}`: write openai:MODEL, or openai:MODEL?temperature=0&api=responses")
        given: dict[str, Json] = {}
        for name, text in parse_qsl(query, keep_blank_values=True):
            if _SECRET.search(name):
                raise AgentProblem(f"agent openai:{model}: `{name}` looks like a secret: keys come from OPENAI_API_KEY")
            if not text:
                raise AgentProblem(f"agent `{spec}`: `{name}` has no value; write {name}=…")
            given[name] = text if name in ("api", "instructions") else _typed(text)
        api = given.pop("api", "chat")
        if api not in _APIS:
            raise AgentProblem(f"agent `{spec}`: api is chat or responses, not `{api}`")
        read = cls(
            model,
            api,
            given.pop("instructions", None),
            _positive(spec, "rounds", given.pop("rounds", 30), int),
            _flag(spec, "stream", given.pop("stream", False)),
            _positive(spec, "timeout", given.pop("timeout", 60.0), int | float),
            given,
        )
        if taken := sorted(given.keys() & read.dialect.own):
            raise AgentProblem(f"agent `{spec}`: `{taken[0]}` is not yours to set; turngate's own are {_OURS}")
        return read

    @property
    def dialect(self) -> Dialect:
        """The API that it is asked through."""
        return _APIS[self.api]()


class ModelKind:
    """A model, with which every episode has a conversation of its own.

    Raises AgentProblem where it can't be asked: no key, no file of instructions, no cassette.
    """

    def __init__(self, spec: str, base: Path, briefing: Briefing) -> None:
        self._spec = ModelSpec.read(spec)
        told = briefing.instructions
        if self._spec.file is not None:
            try:
                told = (base / self._spec.file).read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or "it is not UTF-8"
                raise AgentProblem(f"agent `{spec}`: instructions {base / self._spec.file}: {why}") from None
        with told_apart():
            self._client = briefing.client()
        self._instructions = told
        self.notes = list(self._client.notes)
        self.model: str | None = self._spec.model
        self.parameters: Mapping[str, Json] = self._parameters()
        self.tools: Mapping[str, BaseTool] = {}

    @property
    def version(self) -> AgentVersion:
        """The version follows from all that is written of the model and from its instructions."""
        prompt = hashlib.sha256(self._instructions.encode()).hexdigest()
        spec = self._spec
        written = [spec.model, spec.api, spec.rounds, dict(spec.parameters), prompt]
        digest = hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()
        name = f"{PREFIX}{spec.model}"
        return AgentVersion(name, digest[:8], digest, prompt, self.model, dict(self.parameters))

    def check(self, tools: Collection[str], passthrough: Collection[str]) -> None:
        """It has no tools but the sandbox's. Raises AgentProblem if its provider knows no such key or model."""
        with told_apart():
            self._client.check(self._spec.model)

    async def open(self, session: Session) -> Agent:
        """A new conversation."""
        spec = self._spec
        asking = Asking(
            spec.model,
            spec.dialect,
            f"{self._instructions}\n\nToday is {session.clock:%A, %Y-%m-%d}.",
            session.tools,
            spec.parameters,
            spec.seconds,
            spec.stream,
            self.version.label,
        )
        return ToolLoop(self._client, asking, spec.rounds, self._notice)

    def _notice(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _parameters(self) -> dict[str, Json]:
        where = {"base_url": self._client.address} if self._client.address else {}
        return {"api": self._spec.api, **self._spec.parameters, **where}


def _typed(text: str) -> Json:
    """A value as JSON, where it is some; else it is text."""
    try:
        return json.loads(text, parse_constant=lambda _: text)  # NaN is no JSON
    except ValueError:
        return text


def _positive(spec: str, name: str, value: Json, kind: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, kind) or not value > 0:
        raise AgentProblem(f"agent `{spec}`: {name} is a number above 0, not `{value}`")
    return value


def _flag(spec: str, name: str, value: Json) -> bool:
    if not isinstance(value, bool):
        raise AgentProblem(f"agent `{spec}`: {name} is true or false, not `{value}`")
    return value
