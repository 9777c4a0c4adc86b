"""Everything that a report of a run shows, gathered once; the faces only lay it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from harness.model.failure import CODES, UNKNOWN, Finding
from harness.model.result import GateVerdict, Result
from harness.model.score import Scored
from harness.model.source import Where
from harness.model.status import Status
from harness.reports.scenario_map import RuleLine, ScenarioMap


@dataclass(frozen=True, slots=True)
class Failure:
    """Episodes of one scenario that ended the same way: failed, or not judged, for the same reason.

    `episodes` are their ids, `trials` how many trials of the scenario were played. `finding` is the primary one of the
    first.
    """

    item: str
    family: str
    status: Status
    code: str
    finding: Finding | None
    reason: str
    episodes: tuple[str, ...]
    trials: int
    secondary: tuple[str, ...] = ()
    paste: str | None = None

    @property
    def title(self) -> str:
        """What the code means."""
        return title_of(self.code)

    @property
    def turn(self) -> int | None:
        """The turn it goes back to."""
        return turn_of(self.finding)


@dataclass(frozen=True, slots=True)
class Against:
    """A run beside a baseline, an earlier `run`: the scenarios that broke, with the trials that did, of how many there
    are in both; how many trials were fixed; and why scenarios are not compared. Trials that this run spared are not
    counted, as they are not among its failures.
    """

    name: str
    run: str
    broken: dict[str, int]
    fixed: int
    compared: int
    apart: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RunView:
    """One agent version over one workflow in one run."""

    run: str
    workflow: str
    agent: str
    agent_digest: str
    scenarios: int
    trials: int
    created: datetime
    agent_seconds: float
    map: ScenarioMap
    pass_hats: dict[str, tuple[float, ...]]
    """pass^1, pass^2 … of task success, by family."""
    verdict: GateVerdict
    failures: tuple[Failure, ...] = ()
    findings: dict[str, Finding] = field(default_factory=dict, repr=False)
    """What each episode that failed or was not judged goes under, by its id."""
    slips: int = 0
    notes: tuple[str, ...] = ()
    results: tuple[Result, ...] = field(default=(), repr=False)
    rules: tuple[RuleLine, ...] = ()
    observed: bool = False
    """Whether these are conversations that were not played but read from telemetry."""
    unscripted: tuple[str, ...] = ()
    """Ids of episodes that passed although the user was asked what no fact answers."""
    places: dict[str, Where] = field(default_factory=dict, repr=False)
    """Where the scenarios of failures are written, as far as it is known."""
    against: tuple[Against, ...] = ()
    """What differs from the baselines that the gate names."""

    @property
    def fixes(self) -> dict[str, int]:
        """Where the fixes usually lie, most first: failed episodes by the likeliest place of their code."""
        totals: dict[str, int] = {}
        for failure in self.failures:
            if failure.status is Status.FAILED and failure.code in CODES:
                place = CODES[failure.code].fix[0]
                totals[place] = totals.get(place, 0) + len(failure.episodes)
        return dict(sorted(totals.items(), key=lambda total: -total[1]))


def turn_of(finding: Finding | None) -> int | None:
    """The turn that a finding goes back to, if to one."""
    return None if finding is None else finding.evidence.turn or finding.step[0] or None


def title_of(code: str) -> str:
    """What a failure code means."""
    return CODES[code].title if code in CODES else "no detector explains it"


def failures(scored: Iterable[tuple[Result, Scored]]) -> tuple[Failure, ...]:
    """Failed and not judged episodes, those of one scenario, status and code together; failed ones first, then in
    order of severity and of the scenarios.
    """
    groups: dict[tuple[str, Status, str], list[tuple[Result, Scored]]] = {}
    trials: dict[str, int] = {}
    for result, judged in scored:
        trials[result.key.item] = trials.get(result.key.item, 0) + 1
        if judged.verdict.status in (Status.FAILED, Status.NOT_JUDGED):
            code = judged.primary.code if judged.primary else UNKNOWN
            groups.setdefault((result.key.item, judged.verdict.status, code), []).append((result, judged))
    found = [_failure(status, code, group, trials[item]) for (item, status, code), group in groups.items()]
    return tuple(sorted(found, key=_urgency))


def unscripted(scored: Iterable[tuple[Result, Scored]]) -> tuple[str, ...]:
    """The ids of episodes that passed in spite of an ask that the scenario leaves open."""
    return tuple(
        result.key.id
        for result, judged in scored
        if judged.verdict.status is Status.PASSED and judged.paste is not None
    )


def _failure(status: Status, code: str, group: Sequence[tuple[Result, Scored]], trials: int) -> Failure:
    result, judged = group[0]
    codes = (finding.code for finding in judged.secondary)
    return Failure(
        item=result.key.item,
        family=result.family,
        status=status,
        code=code,
        finding=judged.primary,
        reason=judged.verdict.reason,
        episodes=tuple(member.key.id for member, _ in group),
        trials=trials,
        secondary=tuple(dict.fromkeys(other for other in codes if other != code)),
        paste=judged.paste,
    )


def _urgency(failure: Failure) -> tuple[bool, int]:
    severity = CODES[failure.code].severity if failure.code in CODES else "medium"
    return failure.status is not Status.FAILED, ("high", "medium", "low").index(severity)
