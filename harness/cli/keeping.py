"""Commands for runs that are kept, handed on and thrown away; what they do is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.exits import exits
from harness.cli.options import Annotations, ExitCodes, ExitZero, OutputPaths, StorePath

keeping = typer.Typer()
"""Commands of the root, as those in `app` are."""


@keeping.command()
def export(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A run or its beginning; by default the last.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file [default: RUN.turngate]; of evidence a new folder or a .zip [default: RUN-evidence.zip].",
        ),
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="What the gate said and on what, chained by hash, without the words.")
    ] = False,
    store: StorePath = None,
) -> None:
    """Write a run into one file that another store can import, a CI job can keep, or that can sit in git."""
    from harness.cli.export import export as command

    raise SystemExit(command(run, output, store, evidence=evidence))


@keeping.command()
def verify(
    bundle: Annotated[Path, typer.Argument(help="A folder or archive of `turngate export --evidence`.")],
) -> None:
    """Check that evidence is as it was written; names the first part that was altered, added, moved or is missing."""
    from harness.cli.evidence import verify as command

    raise SystemExit(command(bundle))


@keeping.command("import")
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE... | tau2 DIR [FOLDER]",
            help="Files of `turngate export`. Or the word tau2, the files of a τ²-bench domain, and where to write.",
        ),
    ],
    store: StorePath = None,
) -> None:
    """Put exported runs into the store, under their own ids; twice is once. Or draft a workflow from τ²-bench tasks."""
    if files[0] == Path("tau2"):
        from harness.cli.import_tau2 import import_tau2

        raise SystemExit(import_tau2(files[1:]))
    from harness.cli.import_runs import import_runs as command

    raise SystemExit(command(tuple(files), store))


@keeping.command()
def merge(
    shards: Annotated[
        list[str], typer.Argument(metavar="FILE|RUN...", help="Every shard: exported files, or runs of the store.")
    ],
    output: OutputPaths = None,
    store: StorePath = None,
    annotations: Annotations = None,
    exit_zero: ExitZero = False,
    exit_: ExitCodes = None,
) -> None:
    """Join the shards of one run into one run, and decide its whole gate."""
    from harness.cli.merge import merge as command

    codes = exits(exit_zero, exit_ or ())
    raise SystemExit(codes(command(tuple(shards), tuple(output or ()), store, annotations)))


@keeping.command()
def purge(
    older: Annotated[
        str | None, typer.Option("--older", metavar="AGE", help="Conversations begun longer ago: 48h, 30d, 8w.")
    ] = None,
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="TEXT", help="Conversations that hold this, however spelt.")
    ] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="Those of this run.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: StorePath = None,
) -> None:
    """Take conversations out of the store for good: the words go, verdicts and scores stay."""
    from harness.cli.purge import purge as command

    raise SystemExit(command(older, subject, run, dry_run=dry_run, yes=yes, place=store))
