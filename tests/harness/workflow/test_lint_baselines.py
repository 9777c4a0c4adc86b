"""Baselines in files: a name that a rule compares with, and a file of `turngate export`."""

from __future__ import annotations

import pytest

from harness.workflow.bundle import load
from tests.harness.workflow.bundles import WORKFLOW, problems, write

RULE = "  - {rule: no worse, metric: task_success, against: prod, max_drop: 0.02}\n"


def test_a_file_that_is_no_run(tmp_path):
    found = problems(tmp_path, workflow=f"{WORKFLOW}{RULE}baselines: {{prod: prod.json}}\n")
    assert "`prod.json` is no run (name a file that ends in .turngate" in str(found[0])


@pytest.mark.parametrize(
    ("there", "rule", "expected"),
    [
        (True, RULE, None),
        (False, RULE, "there is no file prod.turngate, so rules against `prod` have nothing to compare with"),
        (True, "", "no gate rule compares with `prod`"),
    ],
)
def test_doubts(tmp_path, there, rule, expected):
    write(tmp_path, workflow=f"{WORKFLOW}{rule}baselines: {{prod: prod.turngate}}\n")
    if there:
        (tmp_path / "prod.turngate").touch()
    told = [str(warning) for warning in load(tmp_path).warnings if "prod" in str(warning)]
    assert (expected is None and not told) or expected in told[0]
