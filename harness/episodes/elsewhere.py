"""The spans that an agent's own processes send while a run is played, wherever they are: heard, and waited for."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from types import TracebackType
from typing import Self

from harness.agents.problem import AgentProblem
from harness.model.late import Late
from harness.model.remote import REQUESTS
from traces.capture import EpisodeTrace
from traces.clock import now
from traces.log_record import LogRecord
from traces.receiver.joined import Joined
from traces.receiver.joining import Joining
from traces.receiver.server import Receiver
from traces.span import Span

_OUTAGE = "OutageError"
_LATE = (
    "spans or log records that came when their episode was over, and are in no score: {:,} of conversation{} {}, which "
    "may have had more tool calls, model calls, tokens and cost than is told; `turngate show` has them; declare the "
    "agent to send them (`spans: true`), or let its exporter send sooner (OTEL_BSP_SCHEDULE_DELAY=200)"
)
_DROPPED = "spans or log records of traces that no episode has begun, of which the oldest were dropped: {:,}"
_NAMED = 5


class Elsewhere:
    """An OTLP/HTTP endpoint on loopback, within the `with`. `port`: 0 means any that is free; `declared`: whether the
    agent is said to send spans, None if nobody said.
    """

    def __init__(self, port: int = 0, *, declared: bool | None = None) -> None:
        self._joining = Joining()
        self._receiver = Receiver(self._joining.take, port=port)
        self._declared = declared

    def __enter__(self) -> Self:
        """Listen. Raises AgentProblem where it can't."""
        try:
            self._receiver.__enter__()
        except OSError as error:
            taken = "another process has it; 0 takes one that is free" if error.errno == errno.EADDRINUSE else error
            raise AgentProblem(f"--otlp-port {self._receiver.port}: {taken}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._receiver.__exit__(kind, error, where)

    @property
    def url(self) -> str:
        """What OTEL_EXPORTER_OTLP_ENDPOINT is to be for who sends spans."""
        return self._receiver.url

    @property
    def notes(self) -> list[str]:
        """What is to be said about what came."""
        notes = []
        if late := dict(self._joining.late):
            more = f" and {len(late) - _NAMED:,} more" if len(late) > _NAMED else ""
            named = ", ".join(islice(late, _NAMED)) + more
            notes.append(_LATE.format(sum(late.values()), "s" * (len(late) > 1), named))
        if dropped := self._joining.dropped:
            notes.append(_DROPPED.format(dropped))
        return notes

    def late(self) -> list[Late]:
        """What has come for episodes that were over, since this was last asked for."""
        return [Late(each.conversation, now(), each.spans, each.logs) for each in self._joining.take_late()]

    @contextmanager
    def episode(self, trace: EpisodeTrace, conversation_id: str) -> Iterator[Heard]:
        """Within the `with`, what belongs to an episode's trace is kept for it."""
        with self._joining.trace(trace.trace_id, conversation_id) as joined:
            yield Heard(self._joining, joined, trace, self._declared)


class Heard:
    """What other processes tell of one episode."""

    def __init__(self, joining: Joining, joined: Joined, trace: EpisodeTrace, declared: bool | None) -> None:
        self._joining = joining
        self._joined = joined
        self._trace = trace
        self._declared = declared
        self._strangers = joining.strangers

    @property
    def told(self) -> bool:
        """Whether anything came."""
        return bool(self._joined.records)

    @property
    def logs(self) -> list[LogRecord]:
        """The log records that came."""
        return self._joined.logs

    async def settle(self) -> None:
        """Once the episode has ended: wait for what is still to come, and take the spans into its trace.

        Nothing is waited for where nobody said that the agent sends spans, and it has never sent any.
        """
        self._trace.end()
        asked = {span.span_id for span in self._trace.so_far() if _was_heard(span)}
        expected = self._joining.heard if self._declared is None else self._declared
        if self._joined.records or (asked and expected):
            await self._joining.settle(self._joined, asked)
        self._joining.close(self._joined)  # first: else what comes between here and there is taken, and in no episode
        if self._joined.records:
            self._trace.join(self._joined.spans)
        elif asked and expected:
            self._trace.lacks(self._why_none())

    def _why_none(self) -> str:
        said = "is declared to send them" if self._declared else "sent some in other episodes"
        if strangers := self._joining.strangers - self._strangers:
            return (
                f"no spans arrived from the agent, which {said}; {strangers:,} of other traces did: does the agent go "
                "on from the `traceparent` of the request?"
            )
        return (
            f"no spans arrived from the agent, which {said}: does its exporter send to the endpoint that it is told, "
            "and is its instrumentation of a version that knows its libraries?"
        )


def _was_heard(span: Span) -> bool:
    """Whether this is a request that reached the service."""
    refused = any(str(event.attributes.get("exception.type")).endswith(_OUTAGE) for event in span.events)
    return span.scope == REQUESTS and not refused
