"""Instrumentations for agents in this process: OpenInference's, by the name of the library that they are for."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable
from typing import Any

from harness.agents.problem import AgentProblem

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def instrument(names: Iterable[str]) -> None:
    """Instrument these libraries, `langchain` or `openai` say, in all of this process, before an agent is imported.

    Raises AgentProblem for one that can't be: its package is not installed, or not for the version that is.
    """
    for name in names:
        if not _NAME.fullmatch(name):
            raise AgentProblem(f"--instrument {name}: name libraries, with commas between them: langchain,openai")
        package = f"openinference-instrumentation-{name}"
        try:
            instrumentor = _instrumentor(f"openinference.instrumentation.{name.replace('-', '_')}")
            instrumentor.instrument(raise_exception_on_conflict=True)
        except ModuleNotFoundError as error:
            install = f"{sys.executable} -m pip install {_missing(error, name, package)}"
            raise AgentProblem(f"--instrument {name}: `{error.name}` is not installed: {install}") from error
        except Exception as error:  # of an instrumentor, whatever it is; one for other versions says so
            raise AgentProblem(f"--instrument {name}: {package} does not work here: {error}") from error


def _instrumentor(module: str) -> Any:
    held = vars(importlib.import_module(module))
    base = importlib.import_module("opentelemetry.instrumentation.instrumentor").BaseInstrumentor
    kinds = (each for each in held.values() if isinstance(each, type) and issubclass(each, base))
    return next(kind for kind in kinds if kind is not base)()


def _missing(error: ModuleNotFoundError, name: str, package: str) -> str:
    """The package to install: the instrumentation, or the library that it is for."""
    return package if (error.name or "").startswith("openinference") else name
