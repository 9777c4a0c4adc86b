"""`turngate replay show` and `list`, and how a replay is told when it has just ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.outputs import checked
from harness.model.episode import AgentVersion
from harness.model.replay import ReplaySummary
from harness.model.result import Decision, GateVerdict
from harness.replay.summary import Tally
from harness.reports.files import Target
from harness.reports.printable import printable
from harness.reports.replays.as_json import replay_json
from harness.reports.replays.as_markdown import replay_markdown
from harness.reports.replays.page import replay_page
from harness.reports.replays.recording_page import recording_page
from harness.reports.replays.view import ReplayView, worth_telling
from harness.reports.terminal import report_table
from harness.reports.whole import Whole
from harness.store.places import open_store
from harness.store.replays import ReplayRecord
from harness.store.store import Store

_FORMATS = (".json", ".md")
_NOT_DONE = GateVerdict(Decision.UNDECIDED, ())


def show(name: str | None, recording: str | None, full: bool, files: tuple[Path, ...], place: str | None) -> int:
    """Print a replay, or what came of one of its recordings."""
    targets = [checked(path, lambda path: Target.to(path, _FORMATS)) for path in files]
    with open_store(place, must_exist=True) as store:
        record = store.replays.find(name)
        if recording is not None:
            result = store.replays.result(record.id, record.agent.label, recording)
            against = None if record.against is None else record.against.label
            console().print(*recording_page(result, against, full=full), sep="\n")
            return Exit.PASSED
        view = told(store, record, [])
        write_to(targets, view, store)
    return Exit.PASSED


def list_replays(place: str | None) -> int:
    """Print them, the latest first."""
    with open_store(place, must_exist=True) as store:
        found = store.replays.all()
    if not found:
        console().print("no replays yet: turngate replay RECORDING… --agent VERSION")
        return Exit.PASSED
    table = report_table("")
    for head in ("replay", "workflow", "level", "agent", "against", "status", "gate"):
        table.add_column(head, no_wrap=head not in ("agent", "against"), overflow="fold")
    for record in found:
        gate = "" if record.verdict is None else record.verdict.decision.value
        against = "" if record.against is None else printable(record.against.label)
        agent = printable(record.agent.label)
        table.add_row(record.id, printable(record.workflow), record.level.value, agent, against, record.status, gate)
    console().print(Whole(table, bare=("workflow", "level", "status")))
    return Exit.PASSED


def told(store: Store, record: ReplayRecord, notes: Iterable[str]) -> ReplayView:
    """Print a replay from the store."""
    new = summed(store, record, record.agent, record.against)
    old = None if record.against is None else summed(store, record, record.against)
    found, more = worth_telling(store.replays.results(record.id, record.agent.label))
    view = ReplayView(record, new, record.verdict or _NOT_DONE, found, more, old, tuple(notes))
    console().print(*replay_page(view), sep="\n")
    return view


def write_to(targets: Sequence[Target], view: ReplayView, store: Store) -> None:
    """Write the files. Raises OSError."""
    for target in targets:
        if target.end == ".json":
            target.write(replay_json(view, store.replays.results(view.record.id, view.record.agent.label)))
        else:
            target.write([replay_markdown(view)])


def exit_code(view: ReplayView) -> Exit:
    """What a replay comes to. Where nothing gates and nothing speaks against the new version, that is no failure."""
    return {
        Decision.PASSED: Exit.PASSED,
        Decision.SKIPPED: Exit.PASSED,
        Decision.FAILED: Exit.FAILED,
        Decision.UNDECIDED: Exit.UNDECIDED,
    }[view.verdict.decision]


def summed(
    store: Store, record: ReplayRecord, agent: AgentVersion, against: AgentVersion | None = None
) -> ReplaySummary:
    """What the stored results of one of its versions come to."""
    tally = Tally(record.workflow, record.level, agent, against)
    for result in store.replays.results(record.id, agent.label):
        tally.add(result)
    return tally.summary()
