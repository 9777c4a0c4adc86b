"""`turngate score`: conversations from telemetry scored by a workflow, and its gate decided over them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.outputs import outputs_to, write_all
from harness.cli.places import elsewhere
from harness.cli.run import exit_code
from harness.cli.score_notes import notes
from harness.reports.gather import dimensions, gather
from harness.reports.result_json import result_json
from harness.reports.terminal import show_run
from harness.runs.observe import score_conversations
from harness.runs.observed_place import Aim, CantObserve
from harness.runs.selection import parse_slices
from harness.runs.unread import Unread
from harness.scoring.score import metric_units
from harness.store.ambiguous import ambiguous
from harness.store.places import open_store
from harness.store.store import Store
from harness.workflow.bundle import load
from traces.log_record import LogRecord
from traces.otlp import BadLine, read_file
from traces.reading import NO_SPANS, UNREADABLE, stream
from traces.span import Span


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """The options of the command, as typed."""

    workflow: Path | None = None
    scenario: str | None = None
    family: str | None = None
    agent: str | None = None
    slices: tuple[str, ...] = ()
    outputs: tuple[Path, ...] = ()
    store: str | None = None
    annotations: str | None = None


def score(traces: tuple[str, ...], options: ScoreOptions) -> int:
    """Score, print and write it; gives the exit code of the gate: 3 if no conversation arrived."""
    outputs = outputs_to(options.outputs, options.annotations)
    try:
        slices = parse_slices(options.slices)
    except ValueError as error:
        raise UserError(str(error)) from None
    # No plan is held against the gate: nobody knows how many conversations will come.
    bundle = load(options.workflow or Path(), metric_units, played=False)
    with open_store(options.store) as store:
        arrived = _Arrived(store, traces)
        aim = Aim(options.scenario, options.family, options.agent, slices)
        errors = console(stderr=True)
        try:
            with errors.status("reading and scoring") if errors.is_terminal else nullcontext():
                found = score_conversations(bundle, stream(arrived.records()), store, aim, arrived.bad)
        except CantObserve as error:
            raise UserError(str(error)) from None
        said = [*notes(found, arrived.bad), *elsewhere(options.store)]
        if not found.results:
            said.append(arrived.nothing)
        view = gather(store, found.run.id, found.workflow, found.verdict, found.results, said)
        show_run(console(), view, dimensions())
        write_all(outputs, [view], result_json(view))
    return Exit.UNDECIDED if not found.results else exit_code(found.verdict, found.results)


class _Arrived:
    """Telemetry of files, and of conversations that were imported, as it is read; and what could not be read."""

    def __init__(self, store: Store, traces: tuple[str, ...]) -> None:
        self.bad = Unread()
        self.spans = 0
        self._broken = False
        self._store = store
        self._sources = [trace if _is_file(trace) else self._imported(trace) for trace in traces]

    def records(self) -> Iterator[Span | LogRecord]:
        for source in self._sources:
            for record in read_file(source) if _is_file(source) else self._stored(source):
                if isinstance(record, BadLine):
                    self.bad.add(str(record))
                    self._broken = self._broken or not record.is_empty
                    continue
                self.spans += isinstance(record, Span)
                yield record

    @property
    def nothing(self) -> str:
        """Why there is no conversation."""
        if self.spans:
            return "spans arrived, but none tells of a conversation in a dialect that is known"
        return UNREADABLE if self._broken else NO_SPANS

    def _imported(self, name: str) -> str:
        """The id of an imported conversation."""
        found = self._store.conversations.matching(name)
        if len(found) == 1:
            return found[0].id
        if found:
            raise UserError(ambiguous(name, [each.id for each in found], "conversations"))
        raise UserError(f"{name}: no such file, and no imported conversation of that id; see: turngate traces list")

    def _stored(self, name: str) -> Iterator[Span | LogRecord]:
        telemetry = self._store.conversations.telemetry(name)
        yield from telemetry.spans
        yield from telemetry.logs


def _is_file(name: str) -> bool:
    if os.path.isdir(name):
        raise UserError(f"{name} is a folder: name the files in it")
    return name == "-" or os.path.exists(name)
