"""What is broken in a recording, and what will limit a replay of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from harness.model.recording import Recording


@dataclass(frozen=True, slots=True)
class Limit:
    """One thing, in words. `place`: in the recording; empty of all of it. `fatal`: nothing of it can be replayed."""

    what: str
    place: str = ""
    fatal: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


def limits(recording: Recording, tools: Collection[str] | None = None) -> Iterator[Limit]:
    """Everything that limits it. `tools`: those of the workflow that it is to be replayed with, if one is named."""
    yield from _of_all(recording)
    yield from (Limit(flaw) for flaw in recording.flaws)
    for number, message in enumerate(recording.messages, 1):
        place = f"message {number}"
        if message.parts:
            yield Limit("the agent will not be shown what is no text in it", place)
        if message.role == "user" and message.calls:
            yield Limit("the user called tools, which no scripted user does: their results are not made again", place)
        for call in message.calls:
            if call.by == "agent" and tools is not None and call.tool not in tools:
                yield Limit(f"the workflow has no tool {call.tool or 'without a name'}", place)


def _of_all(recording: Recording) -> Iterator[Limit]:
    if recording.turns == 0:
        yield Limit("no message of a user: there is nothing to replay", fatal=True)
    elif not any(message.role == "agent" for message in recording.messages):
        yield Limit("the agent says and does nothing: there is nothing to compare with", fatal=True)
    if recording.workflow is None:
        yield Limit("it is of no workflow: name one as it is replayed, or import it with --workflow")
    if recording.snapshot is None:
        yield Limit("its start state is not known: simulated tools begin with the workflow's start state")
    if recording.clock is None:
        yield Limit("its clock is not known: simulated tools are told the workflow's")
