"""The bundled airline, opened for one conversation."""

from __future__ import annotations

from functools import cache
from typing import Any

from harness.agents.forms import result_text
from harness.runs.prepare import load_bundle
from harness.workflow.bundle import Bundle
from harness.workflow.bundled import bundled
from tools_sandbox.call import Json
from tools_sandbox.opened import OpenSandbox


@cache
def bundle() -> Bundle:
    return load_bundle(bundled("airline"))


def opened(given: dict[str, Any] | None = None) -> OpenSandbox:
    return bundle().start.open(given or {}, bundle().clock)


def told(airline: OpenSandbox, tool: str, arguments: Json | str) -> str:
    """What an agent reads of a call, to the byte."""
    return result_text(airline.call(tool, arguments, turn=1))


def end_state(airline: OpenSandbox) -> list[tuple[str, str, Json]]:
    """What is different from the start: table, key and row, None for a row that is gone."""
    return [(change.table, change.key, change.after) for change in airline.changes()]


def says_all(texts: list[str], wanted: list[str]) -> bool:
    """Whether each string is in some text, lower-cased, and without the text's commas: the rule of both benchmarks."""
    plain = [text.lower().replace(",", "") for text in texts]
    return all(any(each.lower() in text for text in plain) for each in wanted)
