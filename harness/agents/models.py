"""What a LangChain model tells of itself: its name, and what its answers depend on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.language_models import BaseLanguageModel

from tools_sandbox.call import Json

_PARAMETERS = (
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "seed",
    "stop",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
    "model_kwargs",
)
_SECRET = re.compile(r"key|header|secret|auth|passw|credential|cookie|bearer|token(?!s)", re.IGNORECASE)

Model = BaseLanguageModel[Any]


def model_name(model: Model) -> str | None:
    """The name that the provider knows it by; None if it has none."""
    name = getattr(model, "model_name", None) or getattr(model, "model", None)
    return name if isinstance(name, str) else None


def parameters_of(models: Iterable[Model]) -> dict[str, Json]:
    """What the models are set to, as far as it is not left to the provider: never a key or a header. Of several models
    that differ, by their names.
    """
    found: dict[str, dict[str, Json]] = {}
    for model in models:
        if told := _told({name: getattr(model, name, None) for name in _PARAMETERS}):
            found.setdefault(model_name(model) or type(model).__name__, told)
    return next(iter(found.values())) if len(found) == 1 else dict(found)


def _told(given: Mapping[Any, Any]) -> dict[str, Json]:
    """What is plain data and no secret by its name."""
    told: dict[str, Json] = {}
    for name, value in given.items():
        if not isinstance(name, str) or _SECRET.search(name):
            continue
        if isinstance(value, Mapping):
            value = _told(value)
        if isinstance(value, str | int | float | bool) or (value and isinstance(value, list | dict)):
            told[name] = value
    return told
