"""The workflow file's own names: rules, tools and families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from harness.model.limits import excess
from harness.model.scenario import Source
from harness.model.source import Where
from harness.model.workflow import Rule
from harness.workflow.lint.ids import check_name
from harness.workflow.lint.names import NO_TOOL, check_argument, check_clause
from harness.workflow.lint.subject import Report, Subject
from harness.workflow.lint.values import ValueCheck
from harness.workflow.lint.wording import check_words
from harness.workflow.problems import Problem, listed
from harness.workflow.validate import Path
from tools_sandbox.nearest import nearest
from tools_sandbox.schema import FieldType

_TIMES = FieldType("integer")


def check_rules(subject: Subject, report: Report) -> None:
    """Names in the workflow file that nothing has."""
    workflow = subject.workflow
    check_name(workflow.workflow, subject.at("workflow"), "name", report.errors)
    for number, tool in enumerate(workflow.passthrough):
        if tool not in subject.schema.tools:
            where = subject.at("passthrough", number)
            report.warn(where, f"nothing is known of `{tool}`", "say under `tools:` whether it reads or writes")
    seen: dict[str, Where] = {}
    for number, rule in enumerate(workflow.rules):
        path: Path = ("rules", number)
        if rule.id in seen:
            report.error(subject.at(*path, "id"), f"the rule `{rule.id}` is here twice, first at {seen[rule.id]}")
        seen.setdefault(rule.id, subject.at(*path, "id"))
        _rule(rule, path, subject, report)
    if too_large := excess(len(subject.scenarios), workflow.trials):
        report.error(subject.at("trials"), too_large, "play fewer trials")
    _families(subject, report)


def _rule(rule: Rule, path: Path, subject: Subject, report: Report) -> None:
    if rule.clause is not None:
        check_clause(rule.clause, subject.at(*path, "clause"), subject, report)
    for tool, where in _tools(rule, path, subject):
        if tool not in subject.tools:
            report.unknown(where, "tool", tool, subject.tools, NO_TOOL)
    _before_and_need(rule, path, subject, report)
    for number, words in enumerate(rule.never_says):
        check_words(words, subject.at(*path, "never_says", number), report)
    if rule.when is not None and not rule.when.get("user_says"):
        advice = "write what the user says, such as `user_says: [hurt, burned]`"
        report.error(subject.key_at(*path, "when"), f"the rule `{rule.id}` waits for nothing that is said", advice)
    for number, words in enumerate((rule.when or {}).get("user_says", ())):
        check_words(words, subject.at(*path, "when", "user_says", number), report)
    check = ValueCheck(subject, subject.schema, report)
    for key, matcher in rule.limit.items():
        tool, _, argument = key.partition(".")
        spec = subject.schema.tools.get(tool)
        if not argument:
            check.value(matcher, _TIMES, (*path, "limit", key))
        if not argument or spec is None:
            continue
        name, *steps = argument.split(".")
        check_argument(tool, name, subject.key_at(*path, "limit", key), subject, report)
        if name in spec.arguments:
            check.value(matcher, spec.arguments[name], (*path, "limit", key), steps)


def _before_and_need(rule: Rule, path: Path, subject: Subject, report: Report) -> None:
    """Tools, or the words that stand for several or for a yes. What is needed most often proves who is talking."""
    words = {"writes", *subject.tools}
    if "writes" in rule.before and not any(spec.kind == "writes" for spec in subject.schema.tools.values()):
        report.warn(subject.at(*path, "before"), f"no tool here writes, so nothing comes under the rule `{rule.id}`")
    for number, name in enumerate(rule.before):
        if name not in words:
            report.unknown(subject.at(*path, "before", number), "tool", name, words, "")
    if rule.need is None or rule.need in ("consent", *subject.tools):
        return
    guess = nearest(rule.need, {"consent", *subject.tools})
    proofs = [name for name, spec in subject.schema.tools.items() if spec.proves]
    advice = None if guess else f"it is a tool or `consent`, such as {listed(['consent', *proofs])}"
    report.errors.append(Problem(subject.at(*path, "need"), f"there is no tool `{rule.need}` to need", guess, advice))


def _tools(rule: Rule, path: Path, subject: Subject) -> Iterator[tuple[str, Where]]:
    for number, tool in enumerate(rule.never):
        yield tool, subject.at(*path, "never", number)
    for key in rule.limit:
        yield key.partition(".")[0], subject.key_at(*path, "limit", key)


def _families(subject: Subject, report: Report) -> None:
    played = {written.scenario.family for written in subject.scenarios}
    for name, family in subject.workflow.scenario_map.items():
        path = ("scenario_map", name)
        check_name(name, subject.key_at(*path), "family", report.errors)
        if name not in played:
            report.warn(subject.key_at(*path), f"family `{name}` has no scenario", "it is shown as a hole in the map")
        for number, source in enumerate(family.source):
            if source not in get_args(Source):
                report.unknown(subject.at(*path, "source", number), "sample source", source, get_args(Source), "")
