"""The replay policy: its tools are there, its paths begin with one, and what is to answer a miss can."""

from __future__ import annotations

from harness.model.replay_policy import ALL_TOOLS
from harness.workflow.lint.names import NO_TOOL, check_argument
from harness.workflow.lint.subject import Report, Subject
from harness.workflow.validate import Path

_ANY = "*"


def check_replay(subject: Subject, report: Report) -> None:
    """Names under `replay`, and answers that nothing could give."""
    policy = subject.workflow.replay
    simulated = {tool.name for tool in subject.start.tools}
    for tool, answerer in policy.tools.items():
        where = subject.key_at("replay", "tools", tool)
        if tool != ALL_TOOLS and tool not in subject.tools:
            report.unknown(where, "tool", tool, subject.tools, NO_TOOL)
        elif answerer == "sandbox" and tool != ALL_TOOLS and tool not in simulated:
            report.error(where, f"no sandbox has `{tool}`", "write `recorded`, or leave it out")
        elif answerer == "recorded" and policy.miss == "sandbox" and tool not in {*simulated, ALL_TOOLS}:
            report.error(where, f"`miss: sandbox`, and no sandbox has `{tool}`", "write `miss: stop` or `miss: error`")
    for number, path in enumerate(policy.ignore):
        _check_path(path, ("replay", "ignore", number), subject, report)
    for path in policy.normalise:
        _check_path(path, ("replay", "normalise", path), subject, report)


def _check_path(path: str, place: Path, subject: Subject, report: Report) -> None:
    where = subject.key_at(*place) if isinstance(place[-1], str) else subject.at(*place)
    tool, _, rest = path.partition(".")
    if not rest:
        report.error(where, f"`{path}` names no argument", f"write `{path}.argument`, or `{path}.*` for all of them")
    elif tool != _ANY and tool not in subject.tools:
        report.unknown(where, "tool", tool, subject.tools, NO_TOOL)
    elif tool != _ANY and (name := rest.partition(".")[0]) != _ANY:
        check_argument(tool, name, where, subject, report)
