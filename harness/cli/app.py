"""The commands and their options; what they do is imported when one is called."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.baseline import baseline
from harness.cli.exits import Exit, exits
from harness.cli.keeping import keeping
from harness.cli.options import Annotations, ExitCodes, ExitZero, OutputPaths, StorePath
from harness.cli.record import record
from harness.cli.replay import replay
from harness.cli.traces import traces
from harness.model.limits import MAX_TRIALS

_NAME = "turngate"

app = typer.Typer(
    name=_NAME,
    help="Rehearse an agent's conversations, score the traces, and gate each workflow before it ships.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

WorkflowPath = Annotated[
    Path | None,
    typer.Argument(metavar="[WORKFLOW]", help="A workflow file or its folder; by default workflow.yaml here or above."),
]
_AGENT = "file.py:name, module:name, openai:MODEL, an http(s):// address, or a .yaml file that describes a service"
_AGENT_VARIABLE = "TURNGATE_AGENT"
AgentSpec = Annotated[
    str | None,
    typer.Option("--agent", "-a", envvar=_AGENT_VARIABLE, help=f"{_AGENT} [default: the workflow's agent]."),
]


@app.command()
def run(
    workflow: WorkflowPath = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            "-a",
            help=f"{_AGENT} [env var: {_AGENT_VARIABLE}; default: the workflow's agent]. Repeatable: compares them.",
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option("--trials", "-n", min=1, max=MAX_TRIALS, envvar="TURNGATE_TRIALS", help="Trials a scenario."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Scenario or family, or a pattern: refund-*. Repeatable.")
    ] = None,
    slice_: Annotated[
        list[str] | None, typer.Option("--slice", help="Only scenarios of this slice: language=es. Repeatable.")
    ] = None,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-j", min=1, envvar="TURNGATE_CONCURRENCY", help="Episodes at a time.")
    ] = 8,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", "-x", help="Begin no further episode after the first failed one.")
    ] = False,
    turn_limit: Annotated[
        float | None, typer.Option("--turn-limit", min=0.001, help="Seconds that a turn may take [default: 120].")
    ] = None,
    output: OutputPaths = None,
    store: StorePath = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            "-w",
            min=0,
            max=64,
            envvar="TURNGATE_WORKERS",
            help="Processes that the agent runs in; 0: in this one, for debuggers.",
        ),
    ] = 1,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="RUN", help="Go on with a run that was interrupted (or: latest).")
    ] = None,
    record_model: Annotated[
        Path | None, typer.Option("--record-model", metavar="FILE", help="Record what models answer, or go on with it.")
    ] = None,
    replay_model: Annotated[
        Path | None, typer.Option("--replay-model", metavar="FILE", help="Answer from a recording; ask no model.")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", min=0, metavar="USD", help="Ask no model, and begin no further trials, after that."),
    ] = None,
    otlp_port: Annotated[
        int | None,
        typer.Option(
            "--otlp-port", min=0, max=65535, metavar="PORT", help="Where the agent's own processes send their spans."
        ),
    ] = None,
    instrument: Annotated[
        str | None, typer.Option("--instrument", metavar="NAMES", help="Trace these libraries: langchain,openai.")
    ] = None,
    shard: Annotated[
        str | None, typer.Option("--shard", metavar="I/N", help="Play one of N parts; `turngate merge` joins them.")
    ] = None,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Go on with more trials where a rule is still undecided.")
    ] = False,
    max_trials: Annotated[
        int | None,
        typer.Option("--max-trials", min=1, max=MAX_TRIALS, help="Trials of a scenario that --until-decided may take."),
    ] = None,
    annotations: Annotations = None,
    exit_zero: ExitZero = False,
    exit_: ExitCodes = None,
) -> None:
    """Play a workflow's scenarios against an agent, score them, and decide its gate."""
    from harness.cli.run import RunOptions
    from harness.cli.run import run as command

    codes = exits(exit_zero, exit_ or ())
    raise SystemExit(
        codes(
            command(
                workflow,
                RunOptions(
                    tuple(agent or _from_environment()),
                    trials,
                    tuple(only or ()),
                    tuple(slice_ or ()),
                    concurrency,
                    fail_fast,
                    turn_limit,
                    tuple(output or ()),
                    store,
                    workers,
                    resume,
                    record_model,
                    replay_model,
                    max_cost,
                    otlp_port,
                    tuple(name.strip() for name in (instrument or "").split(",") if name.strip()),
                    shard,
                    until_decided,
                    max_trials,
                    annotations,
                ),
            )
        )
    )


def _from_environment() -> list[str]:
    """The agent that the environment names, if any; a repeatable option would take its spaces for ends of names."""
    named = os.environ.get(_AGENT_VARIABLE)
    return [named] if named else []


@app.command()
def demo(store: StorePath = None) -> None:
    """Run the bundled customer-service workflow on two versions of its agent: today's, and one with real faults."""
    from harness.cli.demo import demo as command

    raise SystemExit(command(store))


@app.command()
def lint(workflow: WorkflowPath = None) -> None:
    """Check a workflow and its scenarios without playing them."""
    from harness.cli.lint import lint as command

    raise SystemExit(command(workflow))


@app.command()
def schema(
    kind: Annotated[
        str, typer.Argument(help="workflow, scenarios, result (a .json file) or episodes (a line of .jsonl)")
    ],
) -> None:
    """Print the JSON Schema of a file, for editors and for programs that read results."""
    from harness.cli.schema import schema as command

    raise SystemExit(command(kind))


@app.command()
def gate(
    target: Annotated[
        str | None, typer.Argument(metavar="[WORKFLOW|RUN]", help="A workflow (with --explain), or a run.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the effective gate, implicit parts included.")
    ] = False,
    workflow: Annotated[
        Path | None,
        typer.Option("--workflow", help="Decide by the gate of this workflow as it is now [default: the run's own]."),
    ] = None,
    output: OutputPaths = None,
    store: StorePath = None,
    annotations: Annotations = None,
    exit_zero: ExitZero = False,
    exit_: ExitCodes = None,
) -> None:
    """Decide the gate of a stored run again, or explain a workflow's gate."""
    from harness.cli.gate import gate as command

    codes = exits(exit_zero, exit_ or ())
    raise SystemExit(codes(command(target, explain, workflow, store, tuple(output or ()), annotations)))


@app.command()
def score(
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACE...",
            help="Files of telemetry (OTLP, and whatever `traces import` reads; -: standard input), or ids of imported "
            "conversations.",
        ),
    ],
    workflow: Annotated[
        Path | None,
        typer.Option("--workflow", help="The workflow to score by [default: workflow.yaml here or above]."),
    ] = None,
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="The scenario that says what must come of these conversations.")
    ] = None,
    family: Annotated[
        str | None, typer.Option("--family", help="The row of the scenario map that they stand under.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", help="NAME or NAME@VERSION of the agent [default: as traced].")
    ] = None,
    slice_: Annotated[
        list[str] | None,
        typer.Option("--slice", metavar="NAME=ATTRIBUTE", help="A slice, from an attribute of the spans. Repeatable."),
    ] = None,
    output: OutputPaths = None,
    store: StorePath = None,
    annotations: Annotations = None,
    exit_zero: ExitZero = False,
    exit_: ExitCodes = None,
) -> None:
    """Score conversations from traces by a workflow, without running anything, and decide its gate over them."""
    from harness.cli.score import ScoreOptions
    from harness.cli.score import score as command

    files = tuple(output or ())
    options = ScoreOptions(workflow, scenario, family, agent, tuple(slice_ or ()), files, store, annotations)
    codes = exits(exit_zero, exit_ or ())
    raise SystemExit(codes(command(tuple(traces), options)))


@app.command()
def show(
    episode: Annotated[
        str | None, typer.Argument(help="RUN/SCENARIO/TRIAL, or its beginning; by default, the runs there are.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", min=1, help="Only this turn, with everything unfolded.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole episode with its scores as JSON.")] = False,
    store: StorePath = None,
) -> None:
    """Open an episode: the conversation with its tool calls, why each line was said, scores and state differences."""
    from harness.cli.show import show as command

    raise SystemExit(command(episode, turn, as_json, store))


@app.command()
def rescore(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A run or its beginning; by default the last.")
    ] = None,
    store: StorePath = None,
) -> None:
    """Score a stored run again from the store alone, and say which verdicts changed."""
    from harness.cli.rescore import rescore as command

    raise SystemExit(command(run, store))


@app.command()
def compare(
    first: Annotated[
        str, typer.Argument(metavar="RUN_A", help="A run, latest~1, a baseline's name, or a file of `turngate export`.")
    ],
    second: Annotated[str, typer.Argument(metavar="[RUN_B]", help="The run beside it, named likewise.")] = "latest",
    episode: Annotated[
        str | None,
        typer.Option("--episode", metavar="SCENARIO[/TRIAL]", help="Align this one's trajectories, call by call."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also write it to this file: .json or .md. Repeatable."),
    ] = None,
    store: StorePath = None,
) -> None:
    """Compare a run with an earlier one: what broke, what was fixed, and how far the measures moved."""
    from harness.cli.compare import compare as command

    raise SystemExit(command(first, second, episode, tuple(output or ()), store))


@app.command()
def history(
    workflow: Annotated[
        str | None,
        typer.Argument(metavar="[WORKFLOW]", help="A workflow's name, file or folder; by default workflow.yaml here."),
    ] = None,
    last: Annotated[int, typer.Option("--last", min=1, metavar="N", help="How many runs, the latest.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    store: StorePath = None,
) -> None:
    """Show a workflow's runs over time: a sparkline for each metric of each family, agents and commits."""
    from harness.cli.history import history as command

    raise SystemExit(command(workflow, last, store, as_json=as_json))


@app.command()
def init(
    agent: Annotated[str, typer.Option("--agent", "-a", help="Your agent: file.py:name or module:name.")],
    folder: Annotated[Path, typer.Argument(help="Where to write workflow.yaml and scenarios/.")] = Path(),
) -> None:
    """Write a first workflow for an agent of yours: its tools as stubs, and three drafts of scenarios."""
    from harness.cli.init import init as command

    raise SystemExit(command(agent, folder))


@app.command()
def chat(
    workflow: WorkflowPath = None,
    agent: AgentSpec = None,
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="Start from this scenario's state and speaker.")
    ] = None,
) -> None:
    """Talk to the agent as the customer, in the sandbox; /save writes what happened as a scenario."""
    from harness.cli.chat import chat as command

    raise SystemExit(command(workflow, agent, scenario))


@app.command()
def bless(
    episode: Annotated[str, typer.Argument(help="An episode that you have read and found right.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: StorePath = None,
) -> None:
    """Write the gold path of a scenario from an episode that a person passed."""
    from harness.cli.bless import bless as command

    raise SystemExit(command(episode, yes, store))


app.add_typer(keeping)
app.add_typer(baseline, name="baseline")
app.add_typer(record, name="record")
app.add_typer(replay, name="replay")
app.add_typer(traces, name="traces")


def main() -> None:
    """The entry point: runs a command; a user's mistake is told in words, with its exit code."""
    if "--version" in sys.argv[1:2]:
        from harness import __version__

        print(f"turngate {__version__}")  # noqa: T201
        return
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no terminal's encoding can fail us
    if len(sys.argv) < 2 or {"-h", "--help"} & set(sys.argv[1:]):
        app(prog_name=_NAME)
    from harness.cli.exits import mistakes_told
    from harness.cli.leave import leave
    from harness.interrupts import end_as_ctrl_c

    end_as_ctrl_c()
    try:
        with mistakes_told():
            app(prog_name=_NAME)
    except KeyboardInterrupt:
        leave(Exit.INTERRUPTED)
    except SystemExit as ended:
        leave(ended.code)
