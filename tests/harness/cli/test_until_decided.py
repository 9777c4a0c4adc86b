"""`turngate run --until-decided`, as it is typed."""

from __future__ import annotations

import json

import pytest

from tests.harness.desk import WORKFLOW, write

SURE = WORKFLOW.replace("at_least: 0.9}]", "at_least: 0.4, confidence: 0.95}]")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--until-decided"], "--until-decided needs --max-trials"),
        (["--max-trials", "9"], "--max-trials goes with --until-decided"),
        (["--until-decided", "--max-trials", "1"], "--max-trials 1: 2 trials of each scenario are planned already"),
        (["--until-decided", "--max-trials", "9", "--shard", "1/2"], "leave --shard out"),
        (["--until-decided", "--max-trials", "9", "--replay-model", "x.jsonl"], "are no new ones"),
        (["--resume", "latest", "--until-decided", "--max-trials", "9"], "leave --until-decided and --max-trials out"),
    ],
)
def test_mistakes_are_told(cli, arguments, said):
    came = cli("run", *arguments)
    assert (came.code, said in came.err) == (2, True), came.text


def test_what_is_played_in_workers_goes_on_until_it_is_decided(cli):
    write(cli.folder, workflow=SURE)
    came = cli("run", "-w", "1", "--until-decided", "--max-trials", "12", "-j", "1", "-o", "r.json")
    assert came.code == 0, came.text
    assert "until decided: every rule that more trials can decide is decided" in " ".join(came.out.split())
    document = json.loads((cli.folder / "r.json").read_text())
    assert document["gate"]["until_decided"] == {"planned": 2, "most": 12}
    (rule,) = [rule for rule in document["gate"]["rules"] if rule["rule"] == "works"]
    assert (rule["decision"], rule["sequential"], rule["n"]) == ("passed", True, 5)
    assert cli("gate").out.splitlines()[-1] == came.out.splitlines()[-1]


def test_a_cost_that_is_not_known_is_told_and_no_further_trial_played(cli):
    (cli.folder / "workflow.yaml").write_text(SURE)
    came = cli("run", "--until-decided", "--max-trials", "12", "--max-cost", "5")
    assert came.code == 3, came.text
    assert "so that --max-cost can't be kept: no further trial was played" in " ".join(came.out.split())


def test_the_effective_gate_tells_what_is_exempted(cli):
    signed = "owner: Ana, reason: '[being] mended', until: 2099-12-31"
    lines = f"waivers: [{{rule: works, cell: {{family: orders}}, {signed}}}]\n"
    (cli.folder / "workflow.yaml").write_text(WORKFLOW + lines)
    came = cli("gate", "--explain")
    assert "- works is waived, family orders, until 2099-12-31 (Ana: [being] mended)" in came.out
