"""What is written to the store besides episodes and their scores."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Literal

from harness.model.episode import AgentVersion, Digests, EpisodeKey
from harness.model.material import GivenRows
from harness.model.scenario import Tier
from tools_sandbox.call import Json

RunStatus = Literal["running", "done", "interrupted"]

OBSERVED = "observed"
"""The kind of a run, among its options, whose episodes were read from telemetry."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run. `plan` and `options` are JSON, for people to read; `created` has an offset. `deterministic`: all
    played trials of every scenario, at least two, went the same way.
    """

    id: str
    workflow: str
    created: datetime
    agents: tuple[AgentVersion, ...]
    plan: dict[str, Json] = field(default_factory=dict)
    options: dict[str, Json] = field(default_factory=dict)
    status: RunStatus = "running"
    harness_version: str = ""
    deterministic: bool = False

    @property
    def day(self) -> date:
        """The date on which it began, in UTC: by it quarantine and waivers end."""
        return self.created.astimezone(UTC).date()

    @property
    def observed(self) -> bool:
        """Whether its episodes were not played but read from telemetry."""
        return self.options.get("kind") == OBSERVED

    @property
    def commit(self) -> str | None:
        """The commit (hex) that the workflow was at, with `+` behind it if tracked files had been changed since; None
        where it is not known.
        """
        revision = self.options.get("revision")
        return None if revision is None else f"{revision['commit']}{'+' if revision['dirty'] else ''}"


@dataclass(frozen=True, slots=True)
class Planned:
    """An episode that is to be played: what it counts under, and what it depends on. `faulty`: why the scenario itself
    is broken. `spared`: not played after all, since all played trials of every scenario agreed.
    """

    key: EpisodeKey
    family: str
    tier: Tier
    slices: dict[str, str]
    digests: Digests
    given: GivenRows = field(default_factory=dict)
    faulty: str | None = None
    spared: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """What a person said of an episode: `passed`, `failed` or any word of the team's."""

    who: str
    at: datetime
    label: str
    note: str = ""


def new_run_id(now: datetime) -> str:
    """`r-20261120-100000-3f2a9c`: sorts by time, can be typed, and two runs of the same second differ."""
    return f"r-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
