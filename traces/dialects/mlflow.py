"""MLflow's own spans: `mlflow.*`, every value JSON text, so that strings stand in quotation marks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from traces.dialects.common import begin, count, text_or_none
from traces.dialects.content.exchange import counts, history, response
from traces.dialects.content.pydantic_messages import pydantic_messages, pydantic_usage
from traces.dialects.content.results import arguments_of, take_result
from traces.dialects.content.values import read, record
from traces.dialects.dspy_fields import plain
from traces.dialects.facts import Facts, Kind
from traces.dialects.otel_genai import documents
from traces.dialects.spoken import replied, said, spoken
from traces.log_record import LogRecord
from traces.span import Span

_TYPE = "mlflow.spanType"
_INPUTS = "mlflow.spanInputs"
_OUTPUTS = "mlflow.spanOutputs"
_KINDS: dict[Any, Kind] = {
    "CHAT_MODEL": "model",
    "LLM": "model",
    "TOOL": "tool",
    "AGENT": "agent",
    "RETRIEVER": "retrieval",
}


class MLflow:
    """The type of a span tells what it is; inputs and outputs are those of the function or of the model's API."""

    name = "mlflow"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span that MLflow's tracing made."""
        return _TYPE in span.attributes

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts by the span's type."""
        at = span.attributes
        kind = read(at[_TYPE])
        facts = begin(_KINDS.get(kind, "other") if isinstance(kind, str) else "other", self.name, span, logs)
        if facts.conversation is not None:
            facts.conversation = (str(read(facts.conversation[0])), facts.conversation[1])
        facts.user_id = text_or_none(read(facts.user_id))
        if facts.kind == "model":
            self._model(facts)
        elif facts.kind == "tool":
            facts.tool = arguments_of(_name(span), read(at.get("tool_call_id")), at.get(_INPUTS))
            if facts.error is None:
                take_result(facts, at.get(_OUTPUTS))
        elif facts.kind == "retrieval":
            facts.query, facts.documents = spoken(at.get(_INPUTS)), documents(at.get(_OUTPUTS))
        elif facts.kind == "agent":
            named = read(at.get("name")) if _is_pydantic(span) else None
            facts.agent = facts.agent or (named if isinstance(named, str) else span.name)
            facts.said, facts.replied = partial(said, at.get(_INPUTS)), partial(replied, at.get(_OUTPUTS))
        return facts

    def _model(self, facts: Facts) -> None:
        at = facts.span.attributes
        if _is_pydantic(facts.span):
            self._pydantic(facts)
            return
        asked, given = record(at.get(_INPUTS)), response(at.get(_OUTPUTS))
        facts.input = history(at[_INPUTS]) if _INPUTS in at else None
        facts.output = given.messages if _OUTPUTS in at else None
        plain(facts)
        requested = asked.get("model") or asked.get("modelId") or read(at.get("model"))
        facts.response_model = given.model or text_or_none(read(at.get("mlflow.llm.model")))
        facts.model = text_or_none(requested) or facts.response_model
        facts.response_id, facts.finish = given.id, given.finish
        facts.previous = text_or_none(asked.get("previous_response_id"))
        facts.streamed = asked["stream"] if isinstance(asked.get("stream"), bool) else None
        count(facts, given.usage or counts(record(at.get("mlflow.chat.tokenUsage"))))

    def _pydantic(self, facts: Facts) -> None:
        at = facts.span.attributes
        given = record(at.get(_OUTPUTS))
        facts.input = pydantic_messages(record(at.get(_INPUTS)).get("messages")) if _INPUTS in at else None
        facts.output = pydantic_messages([given]) if given else None
        facts.model = text_or_none(read(at.get("model_name")))
        facts.response_model = text_or_none(given.get("model_name"))
        facts.response_id, facts.finish = (
            text_or_none(given.get(key)) for key in ("provider_response_id", "finish_reason")
        )
        count(facts, pydantic_usage(given))


MLFLOW = MLflow()


def _is_pydantic(span: Span) -> bool:
    """Whether the span is of Pydantic AI, whose messages are dumped as they are."""
    return bool(read(span.attributes.get("mlflow.message.format")) == "pydantic_ai")


def _name(span: Span) -> str:
    """The tool's name: the span's, unless that only ends with the one that an attribute gives (DSPy)."""
    own = read(span.attributes.get("name"))
    return own if isinstance(own, str) and span.name.endswith(f".{own}") else span.name
