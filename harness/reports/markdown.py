"""Runs as Markdown, for a comment on a pull request or the summary of a CI job. Documented in docs/outputs.md.

Every text that is not turngate's own stands in code, so that it can neither link, mention, format nor break a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.gates.exemptions import marks
from harness.model.result import Decision
from harness.model.status import Status
from harness.reports.exemption_lines import HEADS, exemption_lines, flaky, trials_text
from harness.reports.gate_lines import GateLine, gate_lines
from harness.reports.gather import dimensions
from harness.reports.markdown_text import cell, code, row, table_head
from harness.reports.printable import short
from harness.reports.run_view import Against, Failure, RunView
from harness.reports.scenario_map import ScenarioMap
from harness.reports.statistics_lines import correction_text, interval_text, noise_text
from harness.reports.wording import (
    HOLE,
    MEDIAN,
    count_text,
    missing_text,
    sides,
    unscripted_text,
    until_text,
    value_text,
    verdict_words,
)

SCHEMA = "turngate.summary/1"

SIZE = 60_000
"""Bytes of UTF-8 at most: a comment on GitHub has 65,536 characters, and whoever posts it adds some."""

_MARKS = {Decision.PASSED: "✅", Decision.FAILED: "❌", Decision.UNDECIDED: "❔", Decision.SKIPPED: "➖"}
_WAIVED = "⚠️"
_BAD = (Decision.FAILED, Decision.UNDECIDED)
_WORST_FIRST = (Decision.FAILED, Decision.UNDECIDED, Decision.PASSED, Decision.SKIPPED)


def markdown(views: Sequence[RunView]) -> str:
    """The document: a part for each run, none of them longer than its share."""
    room = (SIZE - len(SCHEMA) - 20) // len(views)
    return f"<!-- {SCHEMA} -->\n" + "\n".join(_run(view, room) for view in views)


def _run(view: RunView, room: int) -> str:
    said = verdict_words(view.verdict)
    mark = "❔" if said.words.startswith("partial") else _MARKS[view.verdict.decision]
    if view.verdict.decision is Decision.PASSED and marks(view.verdict):
        mark = _WAIVED
    why = f"{said.why}{said.uncounted}".removeprefix(" ").removeprefix("· ")
    head = [
        f"### {mark} {code(view.workflow, 80)} · {code(view.agent, 120)}: {said.words}",
        "",
        *([code(why), ""] if why else []),
        f"Run {code(view.run)} · `turngate gate {view.run}` prints all of it.",
    ]
    page = _Page(room, head)
    page.add("Waived and quarantined", table_head(HEADS), _exemptions(view), 0.3, "waivers and scenarios in quarantine")
    # Shares of the room that is left: a long list must not push out what comes after it.
    for against in view.against:
        page.add(f"Broken against {code(against.name, 80)}", _beside(against), _broken(against), 0.3, "scenarios")
    bad, other = _gate(view)
    page.add("Rules that did not pass", _GATE_HEAD, bad, 0.35, "rows of the gate")
    page.add("Failures", [], [_failure(each, observed=view.observed) for each in view.failures], 0.6, "failures")
    page.add("The other rules", _GATE_HEAD, other, 0.35, "rows of the gate", folded=True)
    page.add("How it was decided", [], _statistics(view), 0.2, "lines")
    page.add("Flaky", [], _flaky(view), 0.15, "flaky scenarios")
    page.add("Scenario map", *_map(view.map), 0.8, "families", folded=True)
    notes = [*([unscripted_text(view.unscripted)] if view.unscripted else []), *view.notes]
    page.add("Notes", [], [f"- {code(note, 400)}" for note in notes], 1.0, "notes", folded=True)
    return page.text


class _Page:
    """Text that grows section by section and never beyond its room; what finds none is counted."""

    def __init__(self, room: int, head: list[str]) -> None:
        self._lines = head
        self._left = room - _size(head)

    def add(
        self, title: str, head: Sequence[str], rows: list[str], share: float, what: str, *, folded: bool = False
    ) -> None:
        """A section, if it has rows: as many of them as go into that share of what room is left. `folded`: whoever
        wants to read it opens it; its title is then no Markdown.
        """
        if not rows:
            return
        begin = ["", f"<details><summary>{title}</summary>" if folded else f"#### {title}", "", *head]
        left = int(self._left * share) - _size(begin) - 80
        fit: list[str] = []
        for each in rows:
            left -= _size([each])
            if left < 0:
                break
            fit.append(each)
        more = len(rows) - len(fit)
        left_out = ["", f"*{more} more {what} left out.*"] if more else []
        section = [*begin, *fit, *left_out, *(["", "</details>"] if folded else [])]
        self._left -= _size(section)
        self._lines += section

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)


_GATE_HEAD = table_head(["", "rule", "where", "figure", "limit", "n", "why"])


def _gate(view: RunView) -> tuple[list[str], list[str]]:
    """The rows of what failed or is undecided, and the others."""
    lines = sorted(gate_lines(view.verdict.rules), key=lambda line: _WORST_FIRST.index(line.decision))
    bad = [line for line in lines if line.decision in _BAD]
    return [_gate_row(line) for line in bad], [_gate_row(line) for line in lines if line.decision not in _BAD]


def _beside(against: Against) -> list[str]:
    """What was compared with a baseline, but for what broke."""
    counts = f"{sum(against.broken.values())} broke and {against.fixed} were fixed"
    lines = [
        f"Run {code(against.run)}: of {against.compared} episodes in both, {counts}.",
        *(f"Not compared: {code(', '.join(items), 300)}, {code(why)}." for why, items in against.apart.items()),
    ]
    return ["\\\n".join(lines), ""]


def _broken(against: Against) -> list[str]:
    items = [f"- {code(item)} · {count} {'trials' if count > 1 else 'trial'}" for item, count in against.broken.items()]
    return items or ["Nothing broke."]


def _gate_row(line: GateLine) -> str:
    texts = (line.rule, line.where, line.figure, line.bound, line.n)
    return row([_WAIVED if line.waived else _MARKS[line.decision], *map(cell, texts), cell(line.why, 300)])


def _statistics(view: RunView) -> list[str]:
    said = [until_text(view.verdict), interval_text(view.verdict), correction_text(view.verdict)]
    noise = noise_text(view.verdict.noise)
    return [f"- {line}" for line in (*said, code(noise, 2_000) if noise else "") if line]


def _exemptions(view: RunView) -> list[str]:
    return [
        row([f"{_MARKS[Decision.FAILED] if line.expired else _WAIVED} {line.kind}", *map(cell, line.texts[1:])])
        for line in exemption_lines(view.verdict)
    ]


def _flaky(view: RunView) -> list[str]:
    return [f"- {code(each.item)} ({code(each.family)}): {trials_text(each)}" for each in flaky(view.verdict)]


def _map(found: ScenarioMap) -> tuple[list[str], list[str]]:
    """Family by metric; no total. Metrics that no family has a cell for are left out."""
    names = [name for name in dimensions() if any((family, name) in found.cells for family in found.families)]
    return table_head(["family", "n", *map(_head, names)]), [_family(found, family, names) for family in found.families]


def _head(metric: str) -> str:
    return code(metric + (" p50" if metric in MEDIAN else " p95" if metric.endswith(("_seconds", "_usd")) else ""))


def _family(found: ScenarioMap, family: str, metrics: Sequence[str]) -> str:
    texts = [count_text(found, family)]
    for metric in metrics:
        known = found.cells.get((family, metric))
        texts.append(HOLE if known is None else f"{value_text(known, metric)}{missing_text(known)}")
    return row([cell(family), *map(cell, texts)])


def _failure(failure: Failure, *, observed: bool) -> str:
    """One item of the list: all of it, so that it is there whole or not at all."""
    failed = failure.status is Status.FAILED
    first = (
        f"- {_MARKS[Decision.FAILED if failed else Decision.UNDECIDED]} {code(failure.item)} {failure.code} "
        f"{failure.title}{'' if failed else ' · not judged'}"
        f"{'' if observed else f' · {len(failure.episodes)} of {failure.trials} trials'}"
    )
    return "\n".join([first, *(f"  - {line}" for line in _evidence(failure))])


def _evidence(failure: Failure) -> Iterator[str]:
    finding = failure.finding
    turn = f"turn {failure.turn}: " if failure.turn else ""
    yield turn + code(finding.text if finding else failure.reason, 300)
    if finding is not None:
        for text in (sides(finding), finding.evidence.quote or "", finding.evidence.where or ""):
            if text:
                yield code(text, 200)
    yield code(f"turngate show {short(failure.episodes[0])}" + (f" --turn {failure.turn}" if failure.turn else ""), 400)
