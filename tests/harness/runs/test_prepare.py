from __future__ import annotations

import pytest

from harness.runs.prepare import load_bundle
from harness.workflow.problems import Problems
from tests.harness.desk import WORKFLOW, write

GATE = "gate: [{rule: works, metric: task_success, at_least: 0.9}]"


def wrong(folder, gate, **more):
    with pytest.raises(Problems) as caught:
        load_bundle(write(folder, workflow=WORKFLOW.replace(GATE, f"gate: [{gate}]"), **more))
    return [str(problem).split("workflow.yaml:", 1)[1] for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        (
            "{rule: works, metric: task_success, at_least: 0.9, min_n: 8}",
            "it needs 8 episodes in a cell, and at most 2 are planned: add scenarios or trials",
        ),
        (
            "{rule: works, metric: task_success, at_least: 0.9, each: [langage]}",
            "no scenario has a slice `langage`, so there is nothing to hold it for; known: family, language",
        ),
        (
            "{rule: works, metric: task_success, at_least: 90}",
            "task_success passes or fails, and its share lies between 0 and 1: write 0.90 for 90 %",
        ),
    ],
)
def test_a_gate_that_can_never_pass_is_told_where_it_is_written(tmp_path, gate, told):
    assert wrong(tmp_path, gate) == [f"20:12: gate rule `works`: {told}"]


def test_what_is_wrong_with_a_gate_and_with_the_rest_is_told_at_once(tmp_path):
    gate = "{rule: works, metric: task_success, at_least: 90}, {rule: cheap, metric: cost_us, at_most: 1}"
    assert [text.split(" ", 1)[0] for text in wrong(tmp_path, gate)] == ["20:12:", "20:85:"]
