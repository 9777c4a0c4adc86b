"""`turngate replay`: recordings played against an agent, and against the version in use if it is named."""

from __future__ import annotations

import asyncio
import secrets
import shlex
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from harness import __version__
from harness.agents.loop import run as run_loop
from harness.agents.source import AgentSource
from harness.cli.exits import UserError
from harness.cli.out import console
from harness.cli.outputs import checked
from harness.cli.places import elsewhere
from harness.cli.replay_show import exit_code, summed, told, write_to
from harness.cli.replay_sources import Chosen, chosen
from harness.cli.replaying import setting_of
from harness.cli.run import hold_apart
from harness.episodes.task import Limits
from harness.gates.replays import decide_replays
from harness.model.episode import AgentVersion
from harness.model.recording import Recording
from harness.model.replay import Level
from harness.replay.keeping import Keeper
from harness.replay.levels.playing import Cast
from harness.replay.levels.rescore import SCORED, rescore
from harness.replay.replayer import replay as replay_one
from harness.replay.setting import Setting
from harness.reports.files import Target
from harness.runs.inline import play_all
from harness.runs.player import Player
from harness.runs.prepare import agent_of
from harness.scoring.score import metric_units
from harness.store.places import open_store
from harness.store.replays import ReplayRecord
from harness.store.store import Store
from harness.workflow.bundle import Bundle, load
from tools_sandbox.call import Json

FORMATS = (".json", ".md")


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options of the command, as typed."""

    recordings: tuple[str, ...] = ()
    agent: str | None = None
    against: str | None = None
    level: str = "turns"
    workflow: Path | None = None
    where: tuple[str, ...] = ()
    concurrency: int = 8
    turn_limit: float | None = None
    resume: str | None = None
    outputs: tuple[Path, ...] = ()
    store: str | None = None


def replay(options: ReplayOptions) -> int:
    """Replay, print what came of it, and give the exit code of the gate."""
    targets = [checked(path, lambda path: Target.to(path, FORMATS)) for path in options.outputs]
    level = _level(options.level)
    if level is Level.RESCORE and (options.agent or options.against):
        raise UserError("--level rescore runs no agent: leave --agent and --against out")
    bundle = load(options.workflow or Path(), metric_units, played=False)
    setting = setting_of(bundle)
    sources = [] if level is Level.RESCORE else _agents(bundle, setting, options)
    versions = tuple(source.version for source in sources) or (SCORED,)
    with open_store(options.store) as store:
        found = chosen(store, options.recordings, options.where, bundle.workflow.workflow)
        record = _record(store, bundle, setting, versions, level, options)
        _played(Keeper(store, record), record, found, sources, setting, store, options)
        # Of what is stored, which is what is shown: another process may have had a hand in it.
        verdict = decide_replays(bundle.workflow, summed(store, record, record.agent, record.against))
        store.replays.finish(record.id, "done", verdict)
        notes = [*_notes(sources, found), *elsewhere(options.store)]
        view = told(store, store.replays.find(record.id), notes)
        write_to(targets, view, store)
    return exit_code(view)


def _level(name: str) -> Level:
    try:
        return Level(name)
    except ValueError:
        raise UserError(f"--level {name}: it is one of {', '.join(Level)}") from None


def _agents(bundle: Bundle, setting: Setting, options: ReplayOptions) -> list[AgentSource]:
    """The new version, then the one in use if it is named."""
    answered = [tool.name for tool in setting.tools]
    specs = [options.agent, *([options.against] if options.against is not None else [])]
    sources = [agent_of(bundle, spec, answered=answered) for spec in specs]
    hold_apart([spec or "of the workflow" for spec in specs], [source.version for source in sources])
    return sources


def _record(
    store: Store,
    bundle: Bundle,
    setting: Setting,
    versions: tuple[AgentVersion, ...],
    level: Level,
    options: ReplayOptions,
) -> ReplayRecord:
    """A new replay, or the one that is gone on with: what is in it must have been replayed in one way."""
    called: dict[str, Json] = {
        "recordings": list(options.recordings),
        "where": list(options.where),
        "digests": asdict(setting.digests(setting.stand_in)),
    }
    if options.resume is not None:
        record = store.replays.find(options.resume)
        labels = [version.label for version in record.agents]
        if (record.workflow, record.level) != (bundle.workflow.workflow, level):
            raise UserError(f"--resume {record.id}: it is of {record.workflow} at level {record.level.value}")
        if labels != [version.label for version in versions]:
            raise UserError(f"--resume {record.id}: it is of {' against '.join(labels)}, which are other versions now")
        if any(record.options.get(name) != called[name] for name in ("recordings", "where")):
            raise UserError(f"--resume {record.id}: it is of other recordings: name them as you did then")
        if record.options.get("digests") != called["digests"]:
            raise UserError(f"--resume {record.id}: the workflow has changed since: replay it anew, without --resume")
        return record
    now = datetime.now(UTC)
    name = f"rp-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    record = ReplayRecord(name, bundle.workflow.workflow, level, now, versions, called, harness_version=__version__)
    store.replays.create(record)
    return record


def _played(
    keeper: Keeper,
    record: ReplayRecord,
    found: Chosen,
    sources: Sequence[AgentSource],
    setting: Setting,
    store: Store,
    options: ReplayOptions,
) -> None:
    """Replay them all. What was done when it ends early is kept, and it is said how to go on."""
    bar = _bar(found, len(keeper.done))
    try:
        with bar:
            left = (recording for recording in found.recordings if recording.id not in keeper.done)
            if not sources:
                for recording in left:
                    keeper.keep(rescore(recording, store, setting.workflow))
                    bar.advance(bar.task_ids[0])
            else:
                run_loop(_all(left, keeper, record, sources, setting, options, bar))
    except BaseException as error:
        keeper.flush()
        store.replays.finish(record.id, "interrupted")
        if isinstance(error, KeyboardInterrupt):
            kept = f"{len(keeper.done)} recordings are kept in replay {record.id}"
            go_on = shlex.join([*_again(options), "--resume", record.id])
            console(stderr=True).print(f"interrupted: {kept}\n  {go_on}    go on", soft_wrap=True)
        raise
    keeper.flush()


async def _all(
    recordings: Iterator[Recording],
    keeper: Keeper,
    record: ReplayRecord,
    sources: Sequence[AgentSource],
    setting: Setting,
    options: ReplayOptions,
    bar: Progress,
) -> None:
    limits = Limits() if options.turn_limit is None else Limits(turn_seconds=options.turn_limit)
    room = asyncio.Semaphore(options.concurrency)
    with ExitStack() as stack:
        players = [Player(source) for source in sources]
        for player in players:
            stack.enter_context(player.ready())
        casts = [
            Cast(source.version, player.play, room, record.id, limits)
            for source, player in zip(sources, players, strict=True)
        ]

        async def one(recording: Recording) -> None:
            keeper.keep(*await replay_one(recording, record.level, setting, *casts))
            bar.advance(bar.task_ids[0])

        await play_all(recordings, one, lambda: True, concurrency=options.concurrency)


def _bar(found: Chosen, done: int) -> Progress:
    place = console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(show_speed=True),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=place, transient=True, disable=not place.is_terminal)
    bar.add_task("recordings", total=found.total, completed=done)
    return bar


def _again(options: ReplayOptions) -> list[str]:
    """The command as it was given, but for what it goes on with."""
    usual = ReplayOptions()
    given: dict[str, object] = {
        "--agent": options.agent,
        "--against": options.against,
        "--level": options.level,
        "--workflow": options.workflow,
        "--concurrency": options.concurrency if options.concurrency != usual.concurrency else None,
        "--turn-limit": options.turn_limit,
        "--store": options.store,
    }
    named = [part for name, value in given.items() if value is not None for part in (name, str(value))]
    named += [part for condition in options.where for part in ("--where", condition)]
    named += [part for path in options.outputs for part in ("--output", str(path))]
    return ["turngate", "replay", *options.recordings, *named]


def _notes(sources: Sequence[AgentSource], found: Chosen) -> Iterator[str]:
    yield from dict.fromkeys(note for source in sources for note in source.notes)
    if found.strangers:
        some = ", ".join(found.strangers[:3]) + (" …" if len(found.strangers) > 3 else "")
        yield f"left out, since they are of another workflow: {len(found.strangers)} recordings, {some}"
