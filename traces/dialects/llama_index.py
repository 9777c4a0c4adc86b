"""LlamaIndex's agents as OpenInference shows them: the texts of their events, as Python writes them, tell the rest."""

from __future__ import annotations

import re

from traces.dialects.facts import Facts
from traces.genai import Usage

SCOPE = "openinference.instrumentation.llama_index"

_AGENT = re.compile(r"\bcurrent_agent_name='([^']+)'")
_RESPONSE = re.compile(r"\braw=\{'id': '([^'\\]+)', ")
_MODEL = re.compile(r"'model': '([^'\\]+)'")
_TAKEN = re.compile(r"'(?:prompt|input)_tokens': (\d{1,15})\b")
_GIVEN = re.compile(r"'(?:completion|output)_tokens': (\d{1,15})\b")


def take_event(found: Facts) -> None:
    """Reads the name of the agent whose turn it is, and which response it was that it got, with the token counts.

    The model call's own span tells neither the response nor the version of the model that gave it.
    """
    told = [found.span.attributes.get(name) for name in ("output.value", "input.value")]
    texts = [text for text in told if isinstance(text, str)]
    if found.agent is None:
        named = next(filter(None, map(_AGENT.search, texts)), None)
        found.agent = named and named[1]
    for text in texts:
        response = _RESPONSE.search(text)
        if response is None:
            continue
        behind = [pattern.search(text, response.end()) for pattern in (_MODEL, _TAKEN, _GIVEN)]
        model, taken, given = (match and match[1] for match in behind)
        if model and taken and given:
            found.response_id, found.response_model = response[1], model
            found.usage = Usage(int(taken), int(given))
            return
