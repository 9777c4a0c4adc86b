"""`turngate traces`: commands for traces, played and imported ones; what they do is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import StorePath
from harness.cli.traces_filters import Asked, filtered

traces = typer.Typer(
    help="Import, list, open, compare and export traces: played episodes and conversations from anywhere.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


_NAMES = "latest, an id or its beginning, the application's conversation id, a trace id, RUN/SCENARIO/TRIAL."
TraceName = Annotated[str, typer.Argument(metavar="TRACE", help=_NAMES)]
FirstName = Annotated[str, typer.Argument(metavar="FIRST", help=_NAMES)]
SecondName = Annotated[str, typer.Argument(metavar="SECOND", help="Likewise.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


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


@traces.command("list")
@filtered
def list_(
    filters: Asked,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="How many, the latest; 0: all.")] = 50,
    as_json: Json = False,
    store: StorePath = None,
) -> None:
    """List traces, played and imported, the latest first."""
    from harness.cli.traces_list import list_traces as command
    from harness.cli.traces_names import filters_of

    raise SystemExit(command(filters_of(filters), limit, as_json, store))


@traces.command()
def show(
    trace: TraceName = "latest",
    tree: Annotated[bool, typer.Option("--tree", help="The spans as a tree, with their kinds.")] = False,
    waterfall: Annotated[bool, typer.Option("--waterfall", help="The spans over time, to scale.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Nothing folded or cut.")] = False,
    as_json: Json = False,
    raw: Annotated[bool, typer.Option("--raw", help="Its spans and log records as OTLP JSON lines.")] = False,
    store: StorePath = None,
) -> None:
    """Open a trace: the conversation, and under each turn what the agent did."""
    from harness.cli.traces_show import form_of
    from harness.cli.traces_show import show_trace as command

    form = form_of(tree=tree, waterfall=waterfall, json=as_json, raw=raw)
    raise SystemExit(command(trace, form, full, store))


@traces.command()
def diff(
    first: FirstName,
    second: SecondName,
    store: StorePath = None,
) -> None:
    """Compare what two agents did: their tool calls side by side, and where they part."""
    from harness.cli.traces_diff import diff_traces as command

    raise SystemExit(command(first, second, store))


@traces.command()
@filtered
def stats(
    filters: Asked,
    as_json: Json = False,
    store: StorePath = None,
) -> None:
    """Count calls, errors, durations and redundant calls by tool; calls, tokens and errors by model."""
    from harness.cli.traces_names import filters_of
    from harness.cli.traces_stats import trace_stats as command

    raise SystemExit(command(filters_of(filters), as_json, store))


@traces.command()
@filtered
def export(
    filters: Asked,
    trace: Annotated[
        str | None, typer.Argument(metavar="[TRACE]", help="One trace; without it, all that the filters let through.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="OTLP JSON lines: .jsonl or .jsonl.gz.")
    ] = None,
    endpoint: Annotated[
        str | None,
        typer.Option("--endpoint", metavar="URL", help="OTLP over HTTP [default: OTEL_EXPORTER_OTLP_ENDPOINT]."),
    ] = None,
    store: StorePath = None,
) -> None:
    """Hand traces on as OTLP, with the scores of played ones, into a file or to any endpoint."""
    from harness.cli.traces_export import export_traces as command
    from harness.cli.traces_names import filters_of

    raise SystemExit(command(trace, filters_of(filters), output, endpoint, store))


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
