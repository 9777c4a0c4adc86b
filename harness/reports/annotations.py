"""What went wrong as annotations of GitHub, which show beside the lines of a pull request. Documented in docs/ci.md.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions, "Setting an error message".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from harness.model.result import Decision
from harness.model.status import Status
from harness.reports.printable import one_line, short
from harness.reports.run_view import Failure, RunView
from harness.reports.wording import sides, verdict_words

_MOST = 10
"""Errors, and warnings, of one step that GitHub shows."""


def annotation_lines(views: Sequence[RunView], placed: Callable[[str], str]) -> Iterator[str]:
    """One line each: the gate of a version that did not pass, then its scenarios, at the line that each is written on.
    `placed`: from a file as a scenario knows it to its path in the repository.
    """
    errors: list[str] = []
    warnings: list[str] = []
    for view in views:
        said = verdict_words(view.verdict)
        if view.verdict.decision is not Decision.PASSED and not said.words.startswith("partial"):
            failed = view.verdict.decision is Decision.FAILED
            text = f"{view.agent}: {said.words}{said.why}{said.uncounted} · turngate gate {view.run}"
            (errors if failed else warnings).append(_line(failed, {"title": view.workflow}, text))
        for failure in view.failures:
            failed = failure.status is Status.FAILED
            (errors if failed else warnings).append(_failure(view, failure, placed))
    yield from (*errors[:_MOST], *warnings[:_MOST])


def _failure(view: RunView, failure: Failure, placed: Callable[[str], str]) -> str:
    failed = failure.status is Status.FAILED
    where = view.places.get(failure.item)
    place = {} if where is None else {"file": placed(where.file), "line": str(where.line), "col": str(where.column)}
    found = failure.finding
    parts = (
        found.text if found else failure.reason,
        sides(found) if found else "",
        f"turngate show {short(failure.episodes[0])}" + (f" --turn {failure.turn}" if failure.turn else ""),
    )
    title = f"{failure.item}: {failure.code} {failure.title}" + ("" if failed else " · not judged")
    return _line(failed, {**place, "title": title}, " · ".join(one_line(part, 500) for part in parts if part))


def _line(failed: bool, properties: dict[str, str], text: str) -> str:
    kind = "error" if failed else "warning"
    told = ",".join(f"{name}={_property(one_line(value, 300))}" for name, value in properties.items())
    return f"::{kind} {told}::{_data(one_line(text, 1500))}"


def _data(text: str) -> str:
    """Escaped as the runner unescapes it (actions/toolkit, packages/core/src/command.ts)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
