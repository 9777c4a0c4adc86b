"""What a scenario names: its family, clauses, tools and slots, and the account of its speaker."""

from __future__ import annotations

from collections.abc import Iterator

from harness.model.expect import CallItem
from harness.model.scenario import Condition
from harness.model.source import Where
from harness.workflow.lint.subject import Report, Subject, Written, expected_calls
from harness.workflow.validate import Path
from tools_sandbox.nearest import nearest

NO_TOOL = "give the workflow a `sandbox:`, or declare it under `tools:`"


def check_names(written: Written, subject: Subject, accounts: frozenset[str], report: Report) -> None:
    """Names that nothing has. `accounts`: whom the start state is about."""
    scenario = written.scenario
    families = subject.workflow.scenario_map
    if scenario.family not in families:
        report.unknown(written.at("family"), "family", scenario.family, families, "")
    for number, clause in enumerate(scenario.clauses):
        check_clause(clause, written.at("clauses", number), subject, report)
    for tool, where in _tools(written):
        if tool not in subject.tools:
            report.unknown(where, "tool", tool, subject.tools, NO_TOOL)
    for item, path in _calls(written):
        for name in item.arguments:
            check_argument(item.tool, name, written.key_at(*path, item.tool, name), subject, report)
    for number, step in enumerate(scenario.gold):
        if step.tool is None:
            continue
        if step.tool not in subject.tools:
            report.unknown(written.at("gold", number), "tool", step.tool, {"reply", *subject.tools}, "")
        for name in step.arguments:
            where = written.key_at("gold", number, step.tool, "arguments", name)
            check_argument(step.tool, name, where, subject, report)
    _slots(written, report)
    _speaker(written, subject, accounts, report)


def check_clause(clause: str, where: Where, subject: Subject, report: Report) -> None:
    """A clause that no document has."""
    known = {each.id for document in subject.knowledge for each in document.clauses}
    if clause not in known:
        advice = "name Markdown files under `knowledge:` and mark a heading: `## Refund window {#R2}`"
        report.unknown(where, "clause", clause, known, advice)


def _calls(written: Written) -> Iterator[tuple[CallItem, Path]]:
    for expect, path in written.expectations():
        if expect.calls:
            for item, below in expected_calls(expect.calls):
                yield item, (*path, "calls", *below)


def _tools(written: Written) -> Iterator[tuple[str, Where]]:
    """Every tool that a scenario names, and where."""
    for item, path in _calls(written):
        yield item.tool, written.key_at(*path)
    for expect, path in written.expectations():
        for tool in expect.asks_before:
            yield tool, written.key_at(*path, "asks_before", tool)
    for number, line in enumerate(written.scenario.user.turns):
        path = ("user", "turns", number)
        yield from _each(written, line.after, *path, "after")
        yield from _each(written, line.before, *path, "before")
        if line.when:
            yield from _condition(written, line.when, *path, "when")


def _condition(written: Written, when: Condition, *path: str | int) -> Iterator[tuple[str, Where]]:
    yield from _each(written, when.called, *path, "called")
    yield from _each(written, when.not_called, *path, "not_called")


def _each(written: Written, names: list[str], *path: str | int) -> Iterator[tuple[str, Where]]:
    for number, name in enumerate(names):
        yield name, written.at(*path, number)


def check_argument(tool: str, name: str, where: Where, subject: Subject, report: Report) -> None:
    """An argument that the tool does not take. Of a tool that lives elsewhere, no arguments are known unless told."""
    spec = subject.schema.tools.get(tool)
    if spec is None or name in spec.arguments or (not spec.arguments and spec not in subject.start.tools):
        return
    report.unknown(where, f"argument of `{tool}`", name, spec.arguments, "it takes none")


def _slots(written: Written, report: Report) -> None:
    user = written.scenario.user
    known = {*user.knows, *(slot for line in user.turns for slot in line.now or ())}
    for slot, answer in user.answers.items():
        if slot not in known and answer.say is None:
            where = written.key_at("user", "answers", slot)
            report.error(
                where,
                f"the user knows no `{slot}`, and its answer says nothing",
                "give it a `say:`, or put it under `knows`",
            )
    known.update(user.answers)
    advice = "put it under `knows`"
    for expect, path in written.expectations():
        for tool, slots in expect.asks_before.items():
            for number, slot in enumerate(slots):
                if slot not in known:
                    report.unknown(written.at(*path, "asks_before", tool, number), "slot", slot, known, advice)
        for number, slot in enumerate(expect.retained):
            if slot not in known:
                report.unknown(written.at(*path, "retained", number), "slot", slot, known, advice)


def _speaker(written: Written, subject: Subject, known: frozenset[str], report: Report) -> None:
    speaker = written.scenario.speaker
    private = any(field.owner for table in subject.schema.tables.values() for field in table.fields.values())
    given = {path.split(".")[1] for path in written.scenario.given if "." in path}
    if private and speaker != "unknown" and speaker not in given and speaker not in known:
        report.warn(
            written.at("speaker"),
            f"no row of the start state is about an account `{speaker}`",
            "name the account of the person talking, or `unknown`",
            nearest(speaker, {"unknown", *known}),
        )
    if private and speaker == "unknown" and (tool := _needs_identity(written, subject)):
        report.warn(
            written.at("speaker"),
            f"nobody in particular is talking, and `{tool}` is expected, which needs a proved identity",
            "name the account of the person talking: `speaker: C-7`",
        )


def _needs_identity(written: Written, subject: Subject) -> str | None:
    """The first expected tool that an unknown person can never be let use."""
    calls = written.scenario.expect.calls
    wanted = [item.tool for item in (*calls.required, *calls.in_order)] if calls else []
    tools = subject.schema.tools
    return next((tool for tool in wanted if tool in tools and "identity" in tools[tool].needs), None)
