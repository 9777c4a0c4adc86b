"""Which executor plays a run: the calling process, or workers of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path

from harness.llm.access import ModelAccess
from harness.runs.inline import Inline
from harness.runs.local.orders import Load
from harness.runs.local.supervisor import Local
from harness.runs.prepare import agent_of
from harness.workflow.bundle import Bundle


def executor_for(
    bundle: Bundle,
    workflow: Path,
    agent: str | object | None,
    workers: int,
    access: ModelAccess,
    otlp_port: int | None = None,
    instrument: Sequence[str] = (),
) -> Inline | Local:
    """What plays with that many worker processes; with none, and an agent that is an object of its own, the calling
    process does. `access`: how models are asked; `otlp_port`: where the agent's own processes send their spans;
    `instrument`: the libraries whose calls are traced.

    Raises AgentProblem for an agent that can't be found, if it is this process that has to find it.
    """
    if workers == 0 or not isinstance(agent, str | None):
        source = agent_of(bundle, agent, access, instrument)
        return Inline(source, otlp_port=otlp_port, instrumented=bool(instrument))
    return Local(Load(str(workflow.absolute()), agent, asdict(access), otlp_port, instrument), workers)


def opened(executor: Inline | Local) -> AbstractAsyncContextManager[object]:
    """Within the `async with` it can play: workers are started, and are ended with it."""
    return executor if isinstance(executor, Local) else nullcontext()
