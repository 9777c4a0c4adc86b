"""The options that filter traces, declared once for every command that takes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer


@dataclass(frozen=True, slots=True)
class Asked:
    """The filters as they are typed; None is any."""

    workflow: Annotated[str | None, typer.Option("--workflow", help="Only played ones of this workflow.")] = None
    scenario: Annotated[str | None, typer.Option("--scenario", help="Only played ones of this scenario.")] = None
    run: Annotated[
        str | None,
        typer.Option("--run", help="Only episodes of this run, be it one of `score`: its beginning, or latest."),
    ] = None
    status: Annotated[
        str | None, typer.Option("--status", help="ok, error, incomplete; of played ones passed, failed, not_judged.")
    ] = None
    tool: Annotated[str | None, typer.Option("--tool", help="With a call of this tool, or of a pattern: get_*.")] = None
    text: Annotated[str | None, typer.Option("--text", help="With this text in messages, arguments or results.")] = None
    since: Annotated[
        str | None, typer.Option("--since", help="Begun since then: 2026-11-20T10:00, or 30m, 24h, 7d ago.")
    ] = None
    until: Annotated[str | None, typer.Option("--until", help="Begun before then.")] = None


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for every filter, in the place of its parameter `filters`."""
    options = signature(Asked, eval_str=True).parameters
    own = signature(command, eval_str=True)
    parameters: list[Parameter] = []
    for name, parameter in own.parameters.items():
        parameters += options.values() if name == "filters" else [parameter]

    @wraps(command)
    def with_options(**given: Any) -> None:
        asked = Asked(**{name: given.pop(name) for name in options})
        command(filters=asked, **given)

    by_name = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    with_options.__signature__ = own.replace(parameters=by_name)  # type: ignore[attr-defined]
    return with_options
