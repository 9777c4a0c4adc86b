"""Playing one episode after another, in whatever process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from harness.agents.source import AgentSource, Remote
from harness.episodes.begun import Begun
from harness.episodes.play import Sketched, play
from harness.episodes.stalls import LoopStalls
from harness.episodes.task import Task
from harness.model.episode import Episode
from harness.model.late import Late
from harness.runs.heap import settled_heap
from traces.capture import Tracing

if TYPE_CHECKING:
    from harness.episodes.elsewhere import Elsewhere

_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


class Player:
    """Plays episodes of one agent on the running event loop, any number at a time. `sketched`: see `play`.
    `otlp_port`: where the agent's own processes send their spans, 0 for any port that is free; without one, only
    services are listened to. `instrumented`: whether libraries that the agent uses are.
    """

    def __init__(
        self,
        source: AgentSource,
        sketched: Sketched | None = None,
        *,
        otlp_port: int | None = None,
        instrumented: bool = False,
    ) -> None:
        self.stalls = LoopStalls()
        self._source = source
        self._sketched = sketched
        self._tracing = Tracing()
        self._elsewhere = _elsewhere(source, otlp_port)
        self._instrumented = instrumented

    @property
    def notes(self) -> list[str]:
        """What is to be said about the agent and its spans."""
        return [*self._source.notes, *(self._elsewhere.notes if self._elsewhere is not None else ())]

    def late(self) -> list[Late]:
        """What other processes told of episodes that were over, since this was last asked for."""
        return [] if self._elsewhere is None else self._elsewhere.late()

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Episodes can be played within the `with`. Raises AgentProblem where the port for spans can't be had."""
        try:
            with settled_heap(), self.stalls, ExitStack() as stack:
                if self._elsewhere is not None:
                    stack.enter_context(self._elsewhere)
                    if not isinstance(self._source.kind, Remote):
                        stack.enter_context(_told_to_children(self._elsewhere.url))
                yield
        finally:
            self._tracing.close()

    async def play(self, task: Task, begun: Begun | None = None) -> Episode:
        """Play one episode, whatever its agent does: from its beginning, or on from what was `begun`. Raises
        AgentProblem for one that must not be rehearsed.
        """
        return await play(
            task,
            self._source,
            self._tracing,
            stalls=self.stalls,
            sketched=self._sketched,
            elsewhere=self._elsewhere,
            instrumented=self._instrumented,
            begun=begun,
        )


def _elsewhere(source: AgentSource, port: int | None) -> Elsewhere | None:
    """The endpoint for spans of other processes, where there may be any."""
    declared = source.kind.sends_spans if isinstance(source.kind, Remote) else None
    if port is None and (declared is False or not isinstance(source.kind, Remote)):
        return None
    from harness.episodes.elsewhere import Elsewhere

    return Elsewhere(port or 0, declared=True if declared is None and port is not None else declared)


@contextmanager
def _told_to_children(endpoint: str) -> Iterator[None]:
    """Processes that are started within the `with` find the endpoint in their environment, unless another is set."""
    if os.environ.setdefault(_ENDPOINT, endpoint) != endpoint:
        yield
        return
    try:
        yield
    finally:
        os.environ.pop(_ENDPOINT, None)
