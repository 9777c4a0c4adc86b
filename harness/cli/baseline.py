"""`turngate baseline`: naming the runs that gates compare with; what the commands do is imported when one is called."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.options import StorePath

baseline = typer.Typer(
    help="Name the runs that a workflow's gate compares with.", rich_markup_mode=None, no_args_is_help=True
)

_WORKFLOW = "Its workflow, where several have a baseline of that name."
WorkflowName = Annotated[str | None, typer.Option("--workflow", metavar="NAME", help=_WORKFLOW)]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the baseline.")]


@baseline.command("set")
def set_(
    run: Annotated[
        str, typer.Argument(metavar="RUN|FILE", help="A run or its beginning, latest, or a file of `turngate export`.")
    ],
    name: Annotated[str, typer.Option("--name", help="As gate rules name it: against: NAME.")],
    store: StorePath = None,
) -> None:
    """Make a run the baseline of that name of its workflow."""
    from harness.cli.baselines import set_baseline as command

    raise SystemExit(command(run, name, store))


@baseline.command("list")
def list_(store: StorePath = None) -> None:
    """List the baselines there are."""
    from harness.cli.baselines import list_baselines as command

    raise SystemExit(command(store))


@baseline.command()
def show(name: Name, workflow: WorkflowName = None, store: StorePath = None) -> None:
    """Show a baseline, and what the latest run of its workflow has that can't be compared with it."""
    from harness.cli.baselines import show_baseline as command

    raise SystemExit(command(name, workflow, store))


@baseline.command()
def remove(name: Name, workflow: WorkflowName = None, store: StorePath = None) -> None:
    """Take the name away; the run stays."""
    from harness.cli.baselines import remove_baseline as command

    raise SystemExit(command(name, workflow, store))
