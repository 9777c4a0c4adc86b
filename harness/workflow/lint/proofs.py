"""Tools that prove who is talking: a name that their results lack would prove nobody's identity."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.workflow import StubReturn, Tool
from harness.workflow.lint.reach import Reach, answers
from harness.workflow.lint.subject import Report, Subject
from tools_sandbox.given import split_key


def check_proofs(subject: Subject, reach: Reach, report: Report) -> None:
    """`proves` of a simulated tool that is neither an argument nor in anything that the tool returns."""
    for name, tool in subject.workflow.tools.items():
        known = _given_back(name, tool, reach)
        if tool.proves is not None and known is not None and tool.proves not in known:
            where = subject.at("tools", name, "proves")
            report.unknown(where, f"field or argument of `{name}`", tool.proves, known, "it returns nothing")


def _given_back(name: str, tool: Tool, reach: Reach) -> set[str] | None:
    """The names that a proof may be found under; None where that can't be told."""
    known = set(tool.args)
    returned = [answer.return_ for answer, _ in answers({name: tool}) if answer.return_ is not None]
    if not (returned or tool.cases or tool.set):
        return None  # it lives elsewhere
    for answer in returned:
        fields = _fields(answer, reach)
        if fields is None:
            return None
        known.update(fields)
    return known


def _fields(answer: StubReturn, reach: Reach) -> Iterable[str] | None:
    if answer.from_ is None:
        return answer.value if isinstance(answer.value, dict) else ()
    table, *steps = answer.from_.split(".")
    if not steps or split_key(reach.rows[table], steps)[1]:
        return None  # no row, but all of them or a part of one
    return reach.fields(table) or None
