"""The baselines that a workflow names files for: whether a rule compares with each, and whether the file is there."""

from __future__ import annotations

from harness.model.baseline import baseline_file
from harness.workflow.lint.subject import Report, Subject

_SUFFIX = ".turngate"


def check_baselines(subject: Subject, report: Report) -> None:
    """The names and the files under `baselines`. A file need not be there: somebody has to make the first one."""
    workflow = subject.workflow
    gates = [workflow.gate, *(family.gate for family in workflow.scenario_map.values())]
    against = {rule.against for gate in gates for rule in gate if rule.against is not None}
    for name, file in workflow.baselines.items():
        where = subject.at("baselines", name)
        if name not in against:
            report.warn(subject.key_at("baselines", name), f"no gate rule compares with `{name}`", f"against: {name}")
        if not file.endswith(_SUFFIX):
            report.error(where, f"`{file}` is no run", f"name a file that ends in {_SUFFIX}, of `turngate export`")
        elif not (subject.root / file).is_file():
            what = f"there is no file {file}, so rules against `{name}` have nothing to compare with"
            report.warn(where, what, f"turngate export RUN -o {baseline_file(workflow, name)}")
