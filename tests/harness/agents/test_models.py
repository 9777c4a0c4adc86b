"""What is kept of the model that an agent holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from harness.agents.models import parameters_of
from harness.agents.resolve import resolve
from tests.harness.agents.graphs import ScriptedModel


class Provided(ScriptedModel):
    model_name: str = "m-1"
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    openai_api_key: str = "sk-secret"
    default_headers: dict[str, str] = {"x-team": "a"}
    model_kwargs: dict[str, Any] = {}


def model(**settings: Any) -> Provided:
    return Provided(script=lambda messages: AIMessage("Hello."), **settings)


def test_settings_are_kept_and_no_key_or_header():
    settings = {
        "api_key": "sk-1",
        "extra_headers": {"Authorization": "x"},
        "access_token": "t",
        "logit_bias": {"5": -1},
    }
    set_to = parameters_of([model(temperature=0.0, max_tokens=200, seed=7, model_kwargs=settings)])
    assert set_to == {"temperature": 0.0, "max_tokens": 200, "seed": 7, "model_kwargs": {"logit_bias": {"5": -1}}}


def test_what_is_left_to_the_provider_is_not_told():
    assert parameters_of([model()]) == {}
    assert parameters_of([]) == {}


def test_several_models_are_told_apart_by_their_names():
    both = parameters_of([model(seed=1), model(model_name="m-2", seed=2)])
    assert both == {"m-1": {"seed": 1}, "m-2": {"seed": 2}}


def test_the_version_of_an_agent_tells_what_its_model_is_set_to():
    chat = model(temperature=0.5)

    def agent(message: str) -> str:
        return str(chat.invoke(message).content)

    version = resolve(agent, Path()).version
    assert (version.model, version.parameters) == ("m-1", {"temperature": 0.5})
