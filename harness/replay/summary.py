"""What the replays of a workflow's recordings come to, counted as they come."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from harness.model.episode import AgentVersion
from harness.model.replay import DivergenceKind, Level, ReplayResult, ReplaySummary, Verdict


@dataclass(slots=True)
class Tally:
    """Counts results, of which none is kept. `against`: the version that each was paired with, if any."""

    workflow: str
    level: Level
    agent: AgentVersion
    against: AgentVersion | None = None
    _verdicts: Counter[Verdict] = field(default_factory=Counter)
    _paired: Counter[Verdict] = field(default_factory=Counter)
    _first: Counter[DivergenceKind] = field(default_factory=Counter)
    _sums: Counter[str] = field(default_factory=Counter)
    _worse_by: Counter[str] = field(default_factory=Counter)

    def add(self, result: ReplayResult) -> None:
        """One more."""
        self._verdicts[result.finding.verdict] += 1
        if (first := result.finding.first) is not None:
            self._first[first.kind] += 1
        if result.paired is not None:
            self._paired[result.paired.verdict] += 1
        self._worse_by.update(result.decisive.worse_by)
        self._sums.update(
            turns=result.recorded_turns,
            compared=result.compared,
            misses=len(result.misses),
            unused=len(result.unused),
            paired=result.paired_turns,
        )

    def summary(self) -> ReplaySummary:
        """All so far."""
        sums = self._sums
        return ReplaySummary(
            self.workflow,
            self.level,
            self.agent,
            {verdict: self._verdicts[verdict] for verdict in Verdict},
            sums["turns"],
            sums["compared"],
            dict(self._first.most_common()),
            sums["misses"],
            sums["unused"],
            self.against,
            None if self.against is None else {verdict: self._paired[verdict] for verdict in Verdict},
            sums["paired"],
            dict(self._worse_by.most_common()),
        )
