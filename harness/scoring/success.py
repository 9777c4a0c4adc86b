"""task_success: the end state, the calls, the replies and the outcome are what the scenario expects."""

from __future__ import annotations

from collections.abc import Iterator

from harness.model.episode import Episode
from harness.model.failure import Evidence, Finding
from harness.model.score import Score
from harness.model.status import PASSED, Judgement, failed, not_applicable, not_judged
from harness.scoring.checks import Check, Kind
from harness.scoring.detectors import finding, slips
from harness.scoring.expectations import hold
from harness.scoring.observed import NO_SCENARIO
from harness.scoring.reading import Reading
from harness.scoring.registry import reading_scorer
from harness.scoring.repetition import endless_calls, most_repeated
from harness.scoring.timeline import Timeline
from harness.scoring.window import Window
from harness.scoring.wishes import of_lines
from tools_sandbox.values import show

VERSION = "1"
_END: frozenset[Kind] = frozenset(("state", "unasked", "outcome"))
_CUT_SHORT = ("fault", "no_answer", "cut")
_PATH: frozenset[Kind] = frozenset(("required", "in_order", "before", "never", "at_most", "asks_before"))


@reading_scorer("task_success", dimension="task_success", version=VERSION)
def task_success(reading: Reading) -> Score:
    """Hold the episode against the scenario's expectations, those of every line that was said included.

    Details: `milestones_met` of `milestones` requirements and their share; `right_end_wrong_path`: state and outcome
    are right though calls were not.
    """
    episode, timeline = reading.episode, reading.timeline
    if episode.observed is not None and not episode.observed.expected:
        return _unexpected(reading)
    whole = reading.whole
    held = list(_held(whole))
    cut_short = episode.end.kind in _CUT_SHORT
    findings = [] if cut_short else [*_ending(episode, timeline)]
    findings += [
        finding(miss, window)
        for window, check in held
        for miss in check.misses
        # Of a conversation that was cut short nobody knows what would still have come.
        if not cut_short or miss.made is not None or miss.quote is not None
    ]
    recovered = slips(whole, findings)
    checks = [check for _, check in held]
    return Score(
        "task_success",
        VERSION,
        _judgement(findings, checks, reading),
        (*findings, *recovered),
        _details(checks),
    )


def _unexpected(reading: Reading) -> Score:
    """Of a conversation that no scenario was written for: only what fails whatever was wanted."""
    findings = tuple(_ending(reading.episode, reading.timeline))
    return Score(
        "task_success", VERSION, failed(findings[0].text) if findings else not_applicable(NO_SCENARIO), findings
    )


def _held(whole: Window) -> Iterator[tuple[Window, Check]]:
    """Every requirement of the scenario and of each line that was said, with the part that it was held against."""
    for check in hold(whole.material.scenario.expect, whole):
        yield whole, check
    for number, line in enumerate(whole.material.scenario.user.turns):
        if line.expect is None:
            continue
        if (window := Window.of_line(number, whole.episode, whole.material, whole.timeline)) is not None:
            for check in hold(line.expect, window):
                yield window, check


def _ending(episode: Episode, timeline: Timeline) -> Iterator[Finding]:
    """Failures by how the conversation went, whatever was expected of it."""
    evidence = Evidence(turn=timeline.last, where=episode.end.place)
    if episode.end.kind == "agent_error":
        yield Finding(f"the agent failed: {show(episode.end.text)}", episode.end.code or "FL4", timeline.stop, evidence)
    if episode.end.kind == "limit":
        code, text, step = episode.end.code or "FL1", f"a limit was hit: {show(episode.end.text)}", timeline.stop
        if code == "FL1" and (loop := most_repeated(timeline)) is not None:
            text, step, evidence = f"{loop.text}; {text}", loop.since, loop.evidence
        yield Finding(text, code, step, evidence)
    elif (loop := endless_calls(timeline)) is not None:
        yield Finding(loop.text, "FL1", loop.since, loop.evidence)
    if episode.observed is not None:
        return  # a reply that is not in the telemetry may have been given all the same
    spoken = {step[0] for step, reply in timeline.agent if reply.text.strip()}
    for turn in episode.turns:
        if turn.number in spoken:
            continue
        if turn.number != timeline.last or episode.end.kind not in ("agent_error", "limit"):
            step = timeline.missed(turn.number)
            yield Finding(f"no reply in turn {turn.number}", "FL4", step, Evidence(turn=turn.number))


def _judgement(findings: list[Finding], checks: list[Check], reading: Reading) -> Judgement:
    episode, scenario = reading.episode, reading.material.scenario
    if findings:
        return failed(min(findings, key=lambda one: one.step).text)
    if episode.end.kind in _CUT_SHORT:
        return not_judged(f"the conversation was cut short: {show(episode.end.text)}")
    if not episode.turns:
        return not_judged("nothing was said")
    if lacks := [check.unjudged for check in checks if check.unjudged is not None]:
        return not_judged("; ".join(lacks))
    if not (scenario.expect.can_fail or any(expect.can_fail for expect in of_lines(scenario))):
        return not_judged("nothing is expected, so nothing could have failed")
    return PASSED


def _details(checks: list[Check]) -> dict[str, object]:
    wrong = [check.kind for check in checks if not check.met]
    met = len(checks) - len(wrong)
    return {
        "milestones_met": met,
        "milestones": len(checks),
        "share": met / len(checks) if checks else None,
        "right_end_wrong_path": _END.isdisjoint(wrong) and not _PATH.isdisjoint(wrong),
    }
