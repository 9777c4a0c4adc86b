"""Runs as JUnit XML, for CI servers. Documented in docs/outputs.md.

Laid out so that both schemas in use take it: that of Jenkins' xunit plugin (junit-10.xsd) and, but for what the root
says of the whole, that for Apache Ant (JUnit.xsd of Windy Road).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from harness.model.result import Decision, Result, RuleResult
from harness.model.status import Status
from harness.reports.exemption_lines import exemption_lines, flaky, trials_text
from harness.reports.printable import one_line, printable, short
from harness.reports.run_view import RunView, title_of, turn_of
from harness.reports.wording import sides, until_text, verdict_words

SCHEMA = "turngate.junit/1"

_LINE = 2_000
"""Characters of each piece of evidence, at most."""
_OPENED = 10
"""Episodes behind a rule that are named, at most."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A test case. `kind`: the element that says what is wrong with it; None: it passed."""

    name: str
    seconds: float = 0.0
    kind: str | None = None
    type: str = ""
    message: str = ""
    lines: tuple[str, ...] = ()


def junit(views: Sequence[RunView]) -> ElementTree[Element]:
    """A suite for each family, with a case for each episode that was played or is missing; then one for the gate, with
    a case for each rule and cell that decides. What failed is a failure; what is undecided, not judged or missing is an
    error, and nothing is skipped. Spared trials have no case. Of a part of a workflow only rules that failed have one.
    """
    root = Element("testsuites")
    for view in views:
        version = f" · {view.agent}" if len(views) > 1 else ""
        for family in view.map.families:
            results = [each for each in view.results if each.family == family]
            cases = [_episode(view, result) for result in results if result.state != "spared"]
            _suite(root, view, f"{family}{version}", f"{view.workflow}.{family}", cases)
        _suite(root, view, f"gate of {view.workflow}{version}", f"{view.workflow}.gate", list(_gate(view)))
    root.set("name", _attribute(views[0].workflow))
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
    root.set("time", _seconds(sum(float(suite.get("time", 0)) for suite in root)))
    indent(root)
    return ElementTree(root)


def _suite(root: Element, view: RunView, name: str, place: str, cases: Sequence[_Case]) -> None:
    suite = SubElement(
        root,
        "testsuite",
        {
            "name": _attribute(name),
            "package": _attribute(view.workflow),
            "id": str(len(root)),
            "timestamp": view.created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
            "hostname": "localhost",
            "tests": str(len(cases)),
            "failures": str(sum(case.kind == "failure" for case in cases)),
            "errors": str(sum(case.kind == "error" for case in cases)),
            "skipped": "0",
            "time": _seconds(sum(case.seconds for case in cases)),
        },
    )
    properties = SubElement(suite, "properties")
    for key, value in _properties(view):
        SubElement(properties, "property", {"name": key, "value": _attribute(value)})
    for case in cases:
        _case(suite, place, case)
    SubElement(suite, "system-out")
    SubElement(suite, "system-err")


def _properties(view: RunView) -> Iterable[tuple[str, str]]:
    return (
        ("schema", SCHEMA),
        ("run", view.run),
        ("workflow", view.workflow),
        ("agent", view.agent),
        ("source_digest", view.agent_digest),
        ("gate", "".join(verdict_words(view.verdict))),
        *((("until_decided", until),) if (until := until_text(view.verdict)) else ()),
        *((line.kind, " · ".join(line.texts[1:])) for line in exemption_lines(view.verdict)),
        *(("flaky", f"{each.item}: {trials_text(each)}") for each in flaky(view.verdict)),
    )


def _case(suite: Element, place: str, case: _Case) -> None:
    made = SubElement(
        suite,
        "testcase",
        {"name": _attribute(case.name), "classname": _attribute(place), "time": _seconds(case.seconds)},
    )
    if case.kind is not None:
        told = SubElement(made, case.kind, {"message": _attribute(case.message), "type": _attribute(case.type)})
        told.text = "\n".join(printable(line, _LINE) for line in case.lines)


def _episode(view: RunView, result: Result) -> _Case:
    key = result.key
    name = f"{key.item}/{key.trial}" + ("" if key.condition == "clean" else f"/{key.condition}")
    if result.state == "missing":
        return _Case(name, kind="error", type="missing", message="planned, but not played")
    verdict, seconds = result.verdict, sum(filter(None, result.turn_seconds))
    if verdict is not None and verdict.status is Status.PASSED:
        return _Case(name, seconds)
    kind = "failure" if verdict is not None and verdict.status is Status.FAILED else "error"
    reason = "the episode was not scored" if verdict is None else verdict.reason
    code = result.code or "not judged"
    finding = view.findings.get(key.id)
    said = reason if finding is None else f"{code} {title_of(code)}: {finding.text}"
    turn = turn_of(finding)
    lines = [reason]
    if finding is not None:
        where = f"turn {turn}" if turn else ""
        quote = f"“{one_line(finding.evidence.quote, 500)}”" if finding.evidence.quote else ""
        lines += [where, sides(finding), quote, finding.evidence.where or ""]
    lines.append(f"turngate show {short(key.id)}" + (f" --turn {turn}" if turn else ""))
    return _Case(name, seconds, kind, code, said, tuple(filter(None, lines)))


def _gate(view: RunView) -> Iterator[_Case]:
    names: dict[str, int] = {}
    for rule in view.verdict.rules:
        if (rule.decides or rule.waiver) and (view.verdict.partial is None or rule.decision is Decision.FAILED):
            name = " · ".join((rule.rule, *(f"{part}={value}" for part, value in rule.cell.items())))
            names[name] = names.get(name, 0) + 1
            yield _rule(view, rule, name if names[name] == 1 else f"{name} · {names[name]}")


def _rule(view: RunView, rule: RuleResult, name: str) -> _Case:
    if rule.decision is Decision.PASSED:
        return _Case(name)
    kind = "failure" if rule.decision is Decision.FAILED else "error"
    shown = f"{rule.shown} ({rule.bound})" if rule.shown else rule.bound
    behind = (rule.counted or rule.episodes[:1])[:_OPENED]
    held = f"waived until {rule.waiver.until} by {rule.waiver.owner}: {rule.waiver.reason}" if rule.waiver else ""
    opened = [f"turngate show {short(each)}" for each in behind]
    lines = [held, rule.reason, shown, *opened, f"turngate gate {view.run}"]
    type_ = "waived" if held else rule.decision.value
    return _Case(name, 0.0, kind, type_, held or rule.reason, tuple(filter(None, lines)))


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def _attribute(text: str) -> str:
    return one_line(text, 500)
