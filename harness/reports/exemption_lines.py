"""What is waived, in quarantine, or flaky, as every report prints it: ahead of all figures, for these leave it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.gates.figures import exactly, shown
from harness.model.exemption import Exemption
from harness.model.result import GateVerdict, Trials, Waived
from harness.reports.printable import one_line

HEADS = ("", "what", "came to", "owner", "until", "why")


@dataclass(frozen=True, slots=True)
class ExemptionLine:
    """One row; all texts are printable and of one line."""

    kind: str
    what: str
    came: str
    owner: str
    until: str
    why: str
    expired: bool

    @property
    def texts(self) -> tuple[str, ...]:
        """The cells, below HEADS."""
        return self.kind, self.what, self.came, self.owner, self.until, self.why


def exemption_lines(verdict: GateVerdict) -> list[ExemptionLine]:
    """Waivers, then scenarios in quarantine; what has expired first."""
    return sorted(_lines(verdict), key=lambda line: not line.expired)


def _lines(verdict: GateVerdict) -> Iterator[ExemptionLine]:
    for each in verdict.waivers:
        what = ", ".join((each.waiver.rule, *each.waiver.cell.values()))
        yield _line("waived", what, _held_back(each), each.waiver, each.expired)
    for entry in verdict.quarantine:
        came = "not played" if entry.trials is None else trials_text(entry.trials)
        yield _line("quarantined", entry.quarantine.scenario, came, entry.quarantine, entry.expired)


def _held_back(waived: Waived) -> str:
    if waived.expired:
        return "holds nothing back"
    return (
        f"holds back {waived.failed} failed check{'s' if waived.failed > 1 else ''}" if waived.failed else "not needed"
    )


def _line(kind: str, what: str, came: str, exemption: Exemption, expired: bool) -> ExemptionLine:
    until = f"{exemption.until}{', expired' if expired else ''}"
    owner, why = one_line(exemption.owner, 60), one_line(exemption.reason, 240)
    return ExemptionLine(kind, one_line(what), came, owner, until, why, expired)


def trials_text(trials: Trials) -> str:
    """`2 of 4 passed, flip rate 0.667, 1 not judged`."""
    judged = trials.passed + trials.failed
    parts = [f"{trials.passed} of {judged} passed"]
    if trials.flip_rate is not None:
        parts.append(f"flip rate {shown(exactly(trials.flip_rate))}")
    if trials.not_judged:
        parts.append(f"{trials.not_judged} not judged")
    return ", ".join(parts)


def flaky(verdict: GateVerdict) -> list[Trials]:
    """The scenarios whose trials disagree, the most first; those in quarantine are told there."""
    found = [each for each in verdict.trials if each.flaky and each.item not in verdict.set_apart]
    return sorted(found, key=lambda each: -(each.flip_rate or 0))
