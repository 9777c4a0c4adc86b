"""`turngate traces import`: the conversations that files of telemetry tell of, put into the store."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from harness.cli.exits import Exit, complain
from harness.cli.out import console
from harness.reports.printable import one_line, printable
from harness.reports.traces.words import many
from harness.store.arrivals import Arrival, Fate, together
from harness.store.conversation_records import Source
from harness.store.places import open_store
from harness.store.store import Store
from traces.conversation import Conversation
from traces.dialects.common import conversation_of
from traces.dialects.evaluations import evaluation
from traces.log_record import LogRecord
from traces.otlp import BadLine, read_file
from traces.otlp.spool import Spool
from traces.outline import outline
from traces.reading import NO_SPANS, UNREADABLE, stream
from traces.reading.keys import keys
from traces.span import Span

_AT_A_TIME = 20
"""Conversations that are stored in one transaction, or a few more."""
_SHOWN = 20
"""Bad lines of a file, and warnings, that are written out."""


def import_traces(files: Sequence[str], place: str | None) -> int:
    """Import them and say what came of it; gives the exit code: 3 if no spans arrived, 2 if a file isn't there."""
    errors = console(stderr=True)
    told = _Told()
    with Spool(keys) as judgements, open_store(place) as store, _progress(errors) as progress:
        arrived = _Arrived(files, errors, judgements)
        task = progress.add_task("reading", total=None)
        records = _counted(arrived.records(), progress, task)
        _save(store, _telling(stream(records), told), arrived, told, progress, task)
        _save_judgements(store, arrived, told)
    arrived.say_the_rest()
    absent = [file for file in files if file != "-" and (not os.path.exists(file) or os.path.isdir(file))]
    if not told.conversations and not told.judged:
        if not arrived.spans and absent == list(files):
            return Exit.WRONG
        complain(_nothing(arrived, told), Exit.UNDECIDED)
    _summary(console(), arrived, told)
    return Exit.WRONG if absent else Exit.PASSED


@dataclass(slots=True)
class _Told:
    """What the conversations come to."""

    fates: Counter[Fate] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)
    conversations: int = 0
    judged: int = 0
    homeless: int = 0


class _Arrived:
    """What is in the files: the records as they are read, which trace is in which files, and the judgements, laid down
    once more in a spool of their own.
    """

    def __init__(self, files: Sequence[str], errors: Console, judgements: Spool) -> None:
        self.spans = self.logs = self.bad = 0
        self.broken = False
        self._files = files
        self._errors = errors
        self._sources = [_source(file) for file in files]
        self._traces: dict[str, int] = {}  # bits: whether a span came, then which files it is in
        self._judgements = judgements
        self._unsaid: Counter[str] = Counter()

    def records(self) -> Iterator[Span | LogRecord]:
        for number, file in enumerate(self._files):
            said = 0
            for record in read_file(file):
                if isinstance(record, BadLine):
                    self.bad += 1
                    self.broken = self.broken or not record.is_empty
                    said += 1
                    if said <= _SHOWN:
                        self._errors.print(printable(str(record)), style="yellow", soft_wrap=True)
                    else:
                        self._unsaid[record.file] += 1
                    continue
                if isinstance(record, Span):
                    self.spans += 1
                else:
                    self.logs += 1
                    if evaluation(record) is not None:
                        self._judgements.add(record)
                if record.trace_id:
                    held = self._traces.get(record.trace_id, 0)
                    self._traces[record.trace_id] = held | 2 << number | isinstance(record, Span)
                yield record

    def say_the_rest(self) -> None:
        for file, count in self._unsaid.items():
            self._errors.print(f"{printable(file)}: and {count} more that can't be read", style="yellow")

    def sources(self, conversation: Conversation) -> tuple[Source, ...]:
        held = 0
        for trace in conversation.trace_ids:
            held |= self._traces.get(trace, 0)
        return tuple(source for number, source in enumerate(self._sources) if held >> number & 2)

    def late_judgements(self) -> Iterator[Arrival]:
        """Judgements on spans that came before, or that are still to come, by conversation and trace."""
        for cluster in self._judgements.clusters():
            late: dict[tuple[str | None, str | None], list[LogRecord]] = {}
            for record in cluster.logs:
                if not record.trace_id or not self._traces[record.trace_id] & 1:
                    named = conversation_of(record.attributes)
                    late.setdefault((named and named[0], record.trace_id), []).append(record)
            for (name, trace), records in late.items():
                about = Conversation(name, "", (), (trace,) if trace else (), logs=tuple(records))
                yield Arrival(about, self.sources(about))


def _source(file: str) -> Source:
    if not os.path.isfile(file):
        return Source("standard input" if file == "-" else file)
    try:
        with open(file, "rb") as stream:
            return Source(file, hashlib.file_digest(stream, "sha256").hexdigest())
    except OSError:
        return Source(file)  # what is wrong with it is said when it is read


def _telling(found: Iterable[Conversation], told: _Told) -> Iterator[Conversation]:
    """Those that tell of a turn, and judgements, whose turns may be stored or still to come; others are only noted."""
    for conversation in found:
        if conversation.turns or conversation.feedback:
            yield conversation
        else:
            told.unknown += conversation.warnings


def _save(
    store: Store, found: Iterator[Conversation], arrived: _Arrived, told: _Told, progress: Progress, task: TaskID
) -> None:
    for some in _portions(Arrival(each, arrived.sources(each)) for each in found):
        told.fates += store.conversations.save(some)
        told.conversations += len(some)
        for each in (arrival.conversation for arrival in some):
            figures = outline(each)
            told.sums.update(
                turns=figures.turns,
                tool_calls=figures.tool_calls,
                failed=sum(call.error is not None for turn in each.turns for call in turn.tool_calls),
                model_calls=figures.model_calls,
                feedback=len(each.feedback),
            )
            told.warnings.update(each.warnings)
        progress.update(task, description=f"{arrived.spans:,} spans read, {told.conversations:,} conversations stored")


def _portions(arrivals: Iterable[Arrival]) -> Iterator[list[Arrival]]:
    """Some at a time, those that were read together in one."""
    some: list[Arrival] = []
    for group in together(arrivals):
        some += group
        if len(some) >= _AT_A_TIME:
            yield some
            some = []
    if some:
        yield some


def _save_judgements(store: Store, arrived: _Arrived, told: _Told) -> None:
    for some in _portions(arrived.late_judgements()):
        fates = store.conversations.save(some)
        told.homeless += fates["homeless"]
        told.judged += fates["updated"] + fates["unchanged"]


def _counted(records: Iterable[Span | LogRecord], progress: Progress, task: TaskID) -> Iterator[Span | LogRecord]:
    for number, record in enumerate(records, 1):
        if number % 1000 == 0:
            progress.update(task, description=f"{number:,} spans and log records read")
        yield record


def _progress(place: Console) -> Progress:
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    return Progress(*columns, console=place, transient=True, disable=not place.is_terminal)


def _nothing(arrived: _Arrived, told: _Told) -> str:
    if not arrived.spans:
        kept = "; the judgements among them are kept until what they judge is imported" if told.homeless else ""
        logs = f" ({many(arrived.logs, 'log record')} came, but they only add to spans{kept})" if arrived.logs else ""
        return (UNREADABLE if arrived.broken else NO_SPANS) + logs
    return one_line("; ".join(told.unknown), 600)


def _summary(out: Console, arrived: _Arrived, told: _Told) -> None:
    fates: dict[Fate, str] = {"new": "new", "updated": "with something new", "unchanged": "there already"}
    parts = [f"{told.fates[fate]} {words}" for fate, words in fates.items() if told.fates[fate]]
    if told.conversations:
        out.print(f"{many(told.conversations, 'conversation')}: {', '.join(parts)}")
    if told.judged:
        out.print(f"judgements on {many(told.judged, 'trace')} came to conversations that had been stored")
    if told.homeless:
        waiting = f"judgements on {many(told.homeless, 'trace')} of which nothing is stored yet"
        out.print(f"{waiting} are kept, and put to these when they are imported", style="yellow")
    if told.fates["awaited"]:
        out.print(f"judgements on {many(told.fates['awaited'], 'trace')} had come before, and are put to them now")
    sums = told.sums
    failed = f" ({sums['failed']} failed)" if sums["failed"] else ""
    counts = [
        many(sums["turns"], "turn"),
        many(sums["tool_calls"], "tool call") + failed,
        many(sums["model_calls"], "model call"),
        many(arrived.spans, "span"),
    ]
    counts += [many(arrived.logs, "log record")] if arrived.logs else []
    counts += [many(sums["feedback"], "judgement")] if sums["feedback"] else []
    share = "in these files alone: " if told.fates["updated"] or told.fates["unchanged"] else ""
    out.print(share + ", ".join(counts))
    if arrived.bad:
        out.print(f"{arrived.bad} could not be read: see above", style="yellow")
    for text in told.unknown:
        out.print(f"left out: {one_line(text, 400)}", style="yellow")
    for warning, count in told.warnings.most_common(_SHOWN):
        where = f" ({count} conversations)" if count > 1 else ""
        out.print(f"warning{where}: {one_line(warning, 400)}", style="yellow")
    if len(told.warnings) > _SHOWN:
        out.print(f"and {len(told.warnings) - _SHOWN} more warnings: each is in its conversation", style="yellow")
    out.print("next: turngate traces list")
