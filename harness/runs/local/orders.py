"""What crosses from a supervisor to its workers, and how it is read there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from harness.episodes.task import Limits, Stage, Task
from harness.model.episode import EpisodeKey


@dataclass(frozen=True, slots=True)
class Load:
    """Which agent to rehearse on which workflow: paths and names, as a user writes them. `agent`: None means the
    workflow's own. `access`: how models are asked, the fields of a ModelAccess. `otlp_port`: see
    `Player`; `instrument`: see `harness.agents.instrument`.
    """

    workflow: str
    agent: str | None
    access: Mapping[str, Any] = field(default_factory=dict)
    otlp_port: int | None = None
    instrument: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Begin:
    """What the episodes of a run have in common. `items`: the scenarios, `files` a digest of all that they depend on.
    `clock`: ISO 8601. `sketches`: tell of each episode as it stands.
    """

    run: str
    agent: str
    items: Sequence[str]
    clock: str
    limits: Limits
    files: str
    concurrency: int
    sketches: bool = False

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> Self:
        """From the message of its fields."""
        return cls(**{**message, "limits": Limits(**message["limits"])})

    def task(self, stages: Mapping[str, Stage], order: Mapping[str, Any]) -> Task:
        """The task that an order means."""
        key = EpisodeKey(self.run, self.agent, order["item"], order["trial"], order["condition"])
        return Task(key, stages[key.item], order["seed"], order["attempt"], self.limits)

    @property
    def time(self) -> datetime:
        """The run's clock."""
        return datetime.fromisoformat(self.clock)


def order_of(task: Task) -> dict[str, Any]:
    """What `Begin.task` makes the same task of."""
    return {
        "item": task.key.item,
        "trial": task.key.trial,
        "condition": task.key.condition,
        "seed": task.seed,
        "attempt": task.attempt,
    }
