"""What is shown of two runs, whichever form it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.gates.changes import Cell, Change, Changes, Shift, Tally, Twins
from harness.gates.figures import nearest
from harness.model.result import Result
from harness.reports.wording import figure_text
from harness.store.records import RunRecord

SHOWN = ("turns", "tool_calls", "tokens_in", "tokens_out", "cost_usd", "latency_seconds")
"""The measures that people are shown, as far as they are there; the JSON has all."""
TOLD = (Change.BROKEN, Change.FIXED, Change.NOT_JUDGED, Change.STILL_FAILING)
"""Changes whose scenarios are listed, in this order."""


@dataclass(frozen=True, slots=True)
class ChangesView:
    """Two runs of a workflow, and how the second differs from the first."""

    first: RunRecord
    second: RunRecord
    changes: Changes


@dataclass(frozen=True, slots=True)
class Group:
    """The trials of a scenario that changed in the same way; `twins` in their order."""

    item: str
    twins: tuple[Twins, ...]

    @property
    def trials(self) -> str:
        """`trial 1`, or `trials 1, 3`; those that the second run spared are told apart: `trials 1, 2; spared: 3, 4`."""
        spared = [str(each.second.key.trial) for each in self.twins if each.second.state == "spared"]
        played = [str(each.second.key.trial) for each in self.twins if each.second.state != "spared"]
        told = [f"trial{'s' if len(played) > 1 else ''} {', '.join(played)}"] if played else []
        return "; ".join([*told, *([f"spared: {', '.join(spared)}"] if spared else [])])

    @property
    def episode(self) -> str:
        """`SCENARIO/TRIAL`, as `--episode` takes it: the first trial that both runs played."""
        played = (each for each in self.twins if each.first.state == each.second.state == "played")
        return f"{self.item}/{next(played, self.twins[0]).second.key.trial}"

    @property
    def why(self) -> str:
        """Why the episode failed or was not judged, on the side on which it did."""
        for result in (self.twins[0].second, self.twins[0].first):
            if reason := _reason(result):
                return reason
        return ""


def groups(view: ChangesView, change: Change) -> list[Group]:
    """The scenarios with trials that changed in this way."""
    found: dict[str, list[Twins]] = {}
    for twins in view.changes.twins:
        if twins.change is change:
            found.setdefault(twins.second.key.item, []).append(twins)
    return [Group(item, tuple(some)) for item, some in found.items()]


def place(cell: Cell) -> tuple[str, str]:
    """Family, and `name=value` of the slice; empty for all of the family."""
    slices = [f"{name}={value}" for name, value in cell.where.items() if name != "family"]
    return cell.where["family"], ", ".join(slices)


def moved_metrics(cell: Cell) -> list[tuple[str, Tally]]:
    """The judgements of a cell that broke or were fixed anywhere."""
    return [
        (metric, tally)
        for metric, tally in cell.judged.items()
        if tally.counts[Change.BROKEN] or tally.counts[Change.FIXED]
    ]


def gain_text(tally: Tally) -> str:
    """`+12.5 % (-3 … +28)`: percentage points, with the 95 % interval; empty where nothing was judged."""
    if tally.gain is None:
        return ""
    if tally.exact:
        return f"{_signed(nearest(tally.gain))} % exact"
    return f"{_signed(nearest(tally.gain))} % ({_bound(tally.bounds.low)} … {_bound(tally.bounds.high)})"


def rise_text(shift: Shift) -> str:
    """`+40 % (+20 … +61)` of the mean, with the 95 % interval; empty where the first mean is 0."""
    if shift.rise is None:
        return ""
    if shift.exact:
        return f"{_signed(nearest(shift.rise))} % exact"
    return f"{_signed(nearest(shift.rise))} % ({_bound(shift.bounds.low)} … {_bound(shift.bounds.high)})"


def shift_texts(metric: str, shift: Shift) -> Sequence[str]:
    """Median, 95th percentile and mean, each `before → after`."""
    first, second = shift.first, shift.second
    pairs = ((first.p50, second.p50), (first.p95, second.p95), (first.mean, second.mean))
    return [" → ".join(figure_text(float(f"{nearest(value):.4g}"), metric) for value in pair) for pair in pairs]


def _signed(share: float) -> str:
    text = f"{share * 100:+.3g}"
    return "0" if text in ("+0", "-0") else text


def _bound(share: float | None) -> str:
    return "?" if share is None else _signed(share)


def _reason(result: Result) -> str:
    if result.verdict is None or not result.verdict.reason:
        return ""
    code = result.code or ""
    return result.verdict.reason if result.verdict.reason.startswith(code) else f"{code}: {result.verdict.reason}"
