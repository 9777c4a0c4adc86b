"""`turngate traces`: commands for traces, played and imported ones; what they do is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

traces = typer.Typer(
    help="Import, list, open, compare and export traces: played episodes and conversations from anywhere.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

StorePath = Annotated[
    str | None,
    typer.Option(
        "--store", envvar="TURNGATE_STORE", help="SQLite file or database URL [default: .turngate/turngate.db]."
    ),
]


@traces.command("import")
def import_(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="OTLP as JSON, JSON lines or protobuf, gzip or not; Jaeger's JSON; -: standard input.",
        ),
    ],
    store: StorePath = None,
) -> None:
    """Store the conversations that files of telemetry tell of."""
    from harness.cli.traces_import import import_traces as command

    raise SystemExit(command(tuple(files), store))


@traces.command()
def receive(
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; where others can reach it, a token is asked for.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 4318,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file that OTLP JSON lines are added to.")
    ] = Path("traces.jsonl"),
    token: Annotated[
        str | None,
        typer.Option(
            "--token", envvar="TURNGATE_OTLP_TOKEN", help="What senders must bring; set the variable, not the option."
        ),
    ] = None,
) -> None:
    """Take spans and log records over OTLP/HTTP into a file, until Ctrl-C."""
    from harness.cli.traces_receive import receive as command

    raise SystemExit(command(host, port, output, token))
