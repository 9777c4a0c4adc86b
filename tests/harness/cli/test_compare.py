"""`turngate compare`: two runs beside each other, and one episode of both."""

from __future__ import annotations

import json
import re

import pytest

DEAF = """
def deaf(message):
    return "Hello."
"""


@pytest.fixture
def two(cli):
    """The desk, played by an agent that does nothing and then by its own."""
    (cli.folder / "other.py").write_text(DEAF)
    cli("run", "--agent", "other.py:deaf")
    cli("run")
    return cli


def test_what_was_fixed_is_told_with_how_to_open_it(two):
    came = two("compare", "latest~1")
    assert came.code == 0, came.text
    assert "2 pairs of episodes: 2 fixed" in came.out
    assert re.search(r"orders +2 .*\+100 % exact", came.out)
    opening = re.search(r"turngate (compare \S+ \S+ --episode cancel-one/1)", came.out)
    assert opening, came.out
    opened = two(*opening.group(1).split())
    assert opened.code == 0
    assert "first divergence, turn 2" in opened.out
    assert "extra write" in opened.out
    assert "the second is better" in opened.out


def test_the_other_way_round_it_is_broken(two):
    came = two("compare", "latest", "latest~1", "-o", "c.json", "-o", "c.md")
    assert "2 broken" in came.out
    document = json.loads((two.folder / "c.json").read_text())
    assert document["schema"] == "turngate.changes/1"
    assert [(each["scenario"], each["trial"], each["change"]) for each in document["episodes"]] == [
        ("cancel-one", 1, "broken"),
        ("cancel-one", 2, "broken"),
    ]
    (family,) = document["cells"]
    assert (family["where"], family["verdict"]["broken"], family["verdict"]["gain"]) == ({"family": "orders"}, 2, -1.0)
    assert (two.folder / "c.md").read_text().startswith("### `desk`: 2 broken\n")


def test_a_run_beside_itself_differs_in_nothing(two):
    came = two("compare", "latest", "latest")
    assert "2 pairs of episodes: 2 still passing" in came.out
    opened = two("compare", "latest", "--episode", "cancel-one")
    assert "the second is same" in opened.out
    assert "first divergence" not in opened.out


def test_a_scenario_that_changed_since_is_not_compared(two):
    scenarios = two.folder / "scenarios" / "orders.yaml"
    scenarios.write_text(scenarios.read_text().replace("Please cancel my order.", "Please cancel it."))
    two("run")
    came = two("compare", "latest~1")
    assert came.code == 3
    assert "not compared: 1 scenario, changed since: the scenario changed (cancel-one)" in came.out


def test_a_baseline_and_a_file_stand_for_their_runs(two):
    assert two("baseline", "set", "latest~1", "--name", "prod").code == 0
    assert "2 fixed" in two("compare", "prod").out
    assert two("export", "latest~1", "-o", "old.turngate").code == 0
    assert "2 fixed" in two("compare", "old.turngate", "latest").out
    assert "the second is better" in two("compare", "old.turngate", "--episode", "cancel-one").out


def test_a_baseline_may_be_a_file_that_the_workflow_names(two):
    file = two.folder / "workflow.yaml"
    file.write_text(file.read_text() + "baselines: {prod: prod.turngate}\n")
    two("run")
    missing = two("compare", "prod")
    assert missing.code == 2
    assert "there is no such file" in missing.err
    two("export", "latest~2", "-o", "prod.turngate")
    assert "2 fixed" in two("compare", "prod").out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("latest~5",), "latest~5: 2 runs are stored"),
        (("r-9",), "there is no run r-9"),
        (("gone.turngate",), "gone.turngate: there is no such file"),
        (("other.py",), "other.py: this is no run: `turngate export RUN` writes one into a file whose name ends in"),
        (("latest~1", "--episode", "cancel"), "no scenario cancel; did you mean `cancel-one`?"),
        (("latest~1", "--episode", "cancel-one/9"), "has no trial 9 of cancel-one"),
        (("latest~1", "-o", "c.xml"), "its name tells no format: it may end in .json, .md"),
        (("latest~1", "--episode", "cancel-one", "-o", "c.md"), "leave it out with --episode"),
    ],
)
def test_mistakes_are_told(two, typed, told):
    came = two("compare", *typed)
    assert came.code == 2
    assert told in came.err


def test_runs_of_two_workflows_have_nothing_to_compare(two):
    file = two.folder / "workflow.yaml"
    file.write_text(file.read_text().replace("workflow: desk", "workflow: shop"))
    two("run")
    came = two("compare", "latest~1")
    assert came.code == 2
    assert "only runs of one workflow have the same scenarios" in came.err
