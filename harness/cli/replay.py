"""`turngate replay`: recordings against an agent; what the commands do is imported when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from harness.cli.options import StorePath

_RUN = "run"


class _RunsByDefault(TyperGroup):
    """`turngate replay RECORDING…` is short for `turngate replay run RECORDING…`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # a Context, of click or of the copy in typer
        named = bool(args) and (args[0] in self.commands or args[0] in ("--help", "-h"))
        return super().parse_args(ctx, args if named else [_RUN, *args])


replay = typer.Typer(
    cls=_RunsByDefault,
    help="Replay recordings against an agent: `turngate replay RECORDING…` is `turngate replay run RECORDING…`.",
    rich_markup_mode=None,
)

Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Also write the result to this file: .json or .md. Repeatable."
    ),
]


@replay.command(_RUN)
def run(
    recordings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RECORDING|RUN|EPISODE|TRACE|FILE...]",
            help="What to replay; without any, all recordings of the workflow that are stored.",
        ),
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", help="The new version [default: the workflow's agent].")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="The version in use: replayed in the same way, and compared.")
    ] = None,
    level: Annotated[str, typer.Option("--level", "-l", help="rescore, turns, forward or continue.")] = "turns",
    workflow: Annotated[
        Path | None, typer.Option("--workflow", "-w", help="By default workflow.yaml here or above.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option("--where", metavar="NAME=VALUE", help="Only those: feedback=down, reward>=1, … Repeatable."),
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-j", min=1, envvar="TURNGATE_CONCURRENCY", help="Conversations at a time.")
    ] = 8,
    turn_limit: Annotated[
        float | None, typer.Option("--turn-limit", min=0.001, help="Seconds that a turn may take [default: 120].")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="REPLAY", help="Go on with one that was interrupted (or: latest).")
    ] = None,
    output: Outputs = None,
    store: StorePath = None,
) -> None:
    """Replay recordings, compare what the agent does now with what was done then, and decide the gate on replays."""
    from harness.cli.replay_run import ReplayOptions
    from harness.cli.replay_run import replay as command

    options = ReplayOptions(
        tuple(recordings or ()),
        agent,
        against,
        level,
        workflow,
        tuple(where or ()),
        concurrency,
        turn_limit,
        resume,
        tuple(output or ()),
        store,
    )
    raise SystemExit(command(options))


@replay.command()
def show(
    name: Annotated[str | None, typer.Argument(metavar="[REPLAY]", help="By default the last one.")] = None,
    recording: Annotated[
        str | None, typer.Argument(metavar="[RECORDING]", help="One of its recordings, turn by turn.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Nothing folded or cut.")] = False,
    output: Outputs = None,
    store: StorePath = None,
) -> None:
    """Open a replay, or what came of one of its recordings."""
    from harness.cli.replay_show import show as command

    raise SystemExit(command(name, recording, full, tuple(output or ()), store))


@replay.command("list")
def list_(store: StorePath = None) -> None:
    """The replays there are, the latest first."""
    from harness.cli.replay_show import list_replays as command

    raise SystemExit(command(store))
