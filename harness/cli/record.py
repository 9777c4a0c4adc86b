"""`turngate record`: commands for recordings; what they do is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import StorePath

record = typer.Typer(
    help="Import, list, open, check, export and promote recordings: conversations that can be replayed.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="NAME=VALUE",
        help="Only those: feedback=down, reward>=1, tool=get_*, source=trace; also != < <= >. Repeatable.",
    ),
]
Text = Annotated[
    str | None, typer.Option("--text", help="Only those with this text in messages, arguments or results.")
]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]
Some = Annotated[
    list[str] | None, typer.Argument(metavar="[ID...]", help="Recordings, by id or its beginning; without any: all.")
]


@record.command("import")
def import_(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|RUN|EPISODE|TRACE...]",
            help="Message lists, trajectories, LangGraph's SQLite files, telemetry, recordings; or what is stored.",
        ),
    ] = None,
    workflow: Annotated[
        str | None, typer.Option("--workflow", "-w", help="The workflow that they are of: its name, file or folder.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="recording, messages, thread, tau, tau2 or trace [default: told].")
    ] = None,
    traces: Annotated[bool, typer.Option("--traces", help="Also every imported trace of the store.")] = False,
    no_scrub: Annotated[
        bool, typer.Option("--no-scrub", help="Store them as they are, with the personal data that is in them.")
    ] = False,
    scrub_ids: Annotated[
        list[str] | None,
        typer.Option(
            "--scrub-id", metavar="PATTERN", help="Also scrub what fits this pattern: 'LH-\\d{6}'. Repeatable."
        ),
    ] = None,
    store: StorePath = None,
) -> None:
    """Store conversations as recordings, each once, with stand-ins for personal data."""
    from harness.cli.record_import import Asked
    from harness.cli.record_import import import_recordings as command

    asked = Asked(tuple(names or ()), workflow, form, traces, no_scrub, tuple(scrub_ids or ()))
    raise SystemExit(command(asked, store))


@record.command("list")
def list_(
    where: Where = None,
    text: Text = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="How many, the latest; 0: all.")] = 50,
    as_json: Json = False,
    store: StorePath = None,
) -> None:
    """List recordings, the last to come first."""
    from harness.cli.record_list import list_recordings as command

    raise SystemExit(command(tuple(where or ()), text, limit, as_json, store))


@record.command()
def show(
    recording: Annotated[str, typer.Argument(metavar="ID", help="Its id or the beginning of it.")],
    full: Annotated[bool, typer.Option("--full", help="Nothing folded or cut.")] = False,
    as_json: Json = False,
    store: StorePath = None,
) -> None:
    """Open a recording: what was said, called and answered, and what is broken in it."""
    from harness.cli.record_show import show_recording as command

    raise SystemExit(command(recording, full, as_json, store))


@record.command()
def lint(
    recordings: Some = None,
    workflow: Annotated[
        Path | None, typer.Option("--workflow", "-w", help="Also hold them against this workflow's tools.")
    ] = None,
    where: Where = None,
    store: StorePath = None,
) -> None:
    """Say what is broken in recordings, and what will limit a replay of them."""
    from harness.cli.record_lint import lint_recordings as command

    raise SystemExit(command(tuple(recordings or ()), workflow, tuple(where or ()), store))


@record.command()
def export(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="JSON lines: .jsonl or .jsonl.gz.")],
    recordings: Some = None,
    where: Where = None,
    store: StorePath = None,
) -> None:
    """Write recordings into a file that `record import` reads."""
    from harness.cli.record_export import export_recordings as command

    raise SystemExit(command(tuple(recordings or ()), output, tuple(where or ()), store))


@record.command()
def promote(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RECORDING|EPISODE|RUN|TRACE...]", help="What to make scenarios of; without any: as --where says."
        ),
    ] = None,
    workflow: Annotated[
        Path | None, typer.Option("--workflow", "-w", help="By default workflow.yaml here or above.")
    ] = None,
    family: Annotated[
        str | None, typer.Option("--family", help="Their row of the scenario map [default: told, if it can be].")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="The scenario's id [default: the recording's].")
    ] = None,
    where: Where = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="All into this new file [default: scenarios/NAME.yaml]."),
    ] = None,
    store: StorePath = None,
) -> None:
    """Write scenarios from recordings: what was said, and what came of it, tried in the sandbox."""
    from harness.cli.record_promote import Asked
    from harness.cli.record_promote import promote_recordings as command

    asked = Asked(tuple(names or ()), tuple(where or ()), workflow, family, name, output)
    raise SystemExit(command(asked, store))
