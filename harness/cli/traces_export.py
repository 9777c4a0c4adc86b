"""`turngate traces export`: traces and scores as OTLP, into a file or to an endpoint."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.cli.traces_names import find_trace, none_fits
from harness.cli.whole_file import write_whole
from harness.reports.printable import one_line, printable
from harness.reports.traces.evaluations import telemetry
from harness.reports.traces.search import Filters, find
from harness.reports.traces.trace import Trace
from harness.reports.traces.words import many
from harness.store.places import open_store
from harness.store.store import Store
from traces.log_record import LogRecord
from traces.otlp import lines
from traces.otlp.endpoint import Endpoint, EndpointProblem, named_in
from traces.otlp.sending import Sender, SendingProblem
from traces.span import Span


def export_traces(
    name: str | None, filters: Filters, output: Path | None, endpoint: str | None, place: str | None
) -> int:
    """Write or send them, and say how many."""
    if name is not None and filters != Filters():
        raise UserError(f"{name} and filters: name one trace, or filter all")
    if output is not None and endpoint is not None:
        raise UserError("--output and --endpoint: one of the two at a time")
    if output is None and endpoint is None and not named_in(os.environ):
        raise UserError("where to? -o FILE.jsonl, --endpoint http://localhost:4318, or OTEL_EXPORTER_OTLP_ENDPOINT")
    with open_store(place, must_exist=True) as store:
        chosen = _Chosen(store, name, filters)
        return _write(chosen, output) if output is not None else _send(chosen, endpoint)


class _Chosen:
    """The traces to hand on, counted as they go: the one of that name, or those that the filters let through."""

    def __init__(self, store: Store, name: str | None, filters: Filters) -> None:
        self._store = store
        self._filters = filters
        self._found: Iterable[Trace] = find(store, filters) if name is None else [find_trace(store, name)]
        self.traces = self.spans = self.logs = 0

    def records(self) -> Iterator[Span | LogRecord]:
        for trace in self._found:
            self.traces += 1
            for record in self._of(trace):
                if isinstance(record, Span):
                    self.spans += 1
                else:
                    self.logs += 1
                yield record

    def _of(self, trace: Trace) -> Iterator[Span | LogRecord]:
        if trace.episode is None:
            held = self._store.conversations.telemetry(trace.id)
            yield from held.spans
            yield from held.logs
        else:
            yield from telemetry(trace.episode, self._store.scored_episode(trace.episode.key))

    def some_records(self) -> Iterator[Span | LogRecord]:
        """The same, and UserError at the end if there was no trace."""
        yield from self.records()
        self.must_be_some()

    @property
    def summary(self) -> str:
        return f"{many(self.traces, 'trace')}: {many(self.spans, 'span')}, {many(self.logs, 'log record')}"

    def must_be_some(self) -> None:
        if not self.traces:
            raise UserError(none_fits(self._store, self._filters), Exit.UNDECIDED)


def _write(chosen: _Chosen, output: Path) -> int:
    if not output.name.endswith((".jsonl", ".jsonl.gz")):
        raise UserError(f"-o {output}: OTLP JSON lines are written; let its name end in .jsonl or .jsonl.gz")
    write_whole(output, lines(chosen.some_records()))
    console().print(f"{chosen.summary}, in {printable(str(output))}")
    return Exit.PASSED


def _send(chosen: _Chosen, endpoint: str | None) -> int:
    protocol = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "")
    if endpoint is None and protocol == "grpc":
        raise UserError(
            "OTEL_EXPORTER_OTLP_PROTOCOL=grpc: turngate sends over HTTP; name an endpoint for that: "
            "--endpoint http://localhost:4318"
        )
    try:
        traces = Endpoint.of("traces", endpoint, os.environ)
        logs = Endpoint.of("logs", endpoint, os.environ)
        with Sender({"traces": traces, "logs": logs}) as sender:
            sent = sender.send(chosen.records())
    except EndpointProblem as problem:
        raise UserError(str(problem)) from None
    except SendingProblem as problem:
        taken = f"{many(sender.sent.spans, 'span')} had been taken"
        raise UserError(f"{one_line(str(problem), 600)}{_advice(problem)}. {taken}") from None
    chosen.must_be_some()
    out = console()
    taken = f"{many(sent.spans, 'span')} and {many(sent.logs, 'log record')} taken by {printable(traces.url)}"
    out.print(f"{many(chosen.traces, 'trace')}: {taken}")
    if sent.unplaced:
        lost = f"{many(sent.unplaced, 'log record')} (scores are among them) were not handed on"
        out.print(f"{printable(logs.url)} takes no log records: {lost}", style="yellow")
    for note in sent.notes:
        out.print(f"it says: {one_line(note, 300)}", style="yellow")
    if sent.rejected:
        raise UserError(f"{traces.url}: {many(sent.rejected, 'record')} were rejected", Exit.FAILED)
    return Exit.PASSED


_ADVICE = {
    401: "it wants to know who sends: OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20…",
    403: "it does not take this from this sender: look at OTEL_EXPORTER_OTLP_HEADERS",
    404: "it takes no OTLP there: look at the address; for OTLP over HTTP the port is mostly 4318",
    405: "it takes no OTLP there: look at the address; for OTLP over HTTP the port is mostly 4318",
    413: "a single record is too large for it",
    429: "it has been too busy for all attempts: send later",
    503: "it has been too busy for all attempts: send later",
}


def _advice(problem: SendingProblem) -> str:
    return "" if problem.status not in _ADVICE else f": {_ADVICE[problem.status]}"
