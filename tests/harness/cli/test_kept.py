"""What is kept and what goes: evidence, purging, and scoring again what is left."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest

from harness.store.store import Store
from tests.harness.desk import SCENARIO, WORKFLOW, scenario, write

TOLD = SCENARIO + scenario(
    "I am Ana Ruiz, please cancel O-1.", id="told", expect="{state: {orders.O-1.status: cancelled}}"
)
DB = ".turngate/turngate.db"


def words(folder=Path(".turngate"), text=b"Ana Ruiz"):
    return [file.name for file in folder.iterdir() if file.is_file() and text in file.read_bytes()]


def test_evidence_is_verified_and_what_was_altered_is_named(cli):
    assert cli("run").code == 0
    came = cli("export", "--evidence", "-o", "bundle")
    assert came.code == 0
    head = next(line.removeprefix("head ") for line in came.out.splitlines() if line.startswith("head "))
    came = cli("verify", "bundle")
    assert came.code == 0
    assert head in came.out
    assert cli("export", "--evidence", "-o", "bundle.zip").code == 0
    assert head in cli("verify", "bundle.zip").out, "the same evidence has the same head"
    (Path("bundle") / "verdict.json").write_text("{}")
    came = cli("verify", "bundle")
    assert came.code == 1
    assert "bundle: verdict.json was altered" in came.out


def test_evidence_is_never_written_over(cli):
    assert cli("run").code == 0
    Path("bundle").mkdir()
    came = cli("export", "--evidence", "-o", "bundle")
    assert came.code == 2
    assert "never written over" in came.err
    assert cli("verify", "nowhere").code == 2
    assert cli("verify", "agent.py").code == 1


def test_evidence_holds_no_words_but_labels(cli):
    write(cli.folder, scenarios=TOLD)
    assert cli("run").code == 0
    assert cli("bless", "told", "--yes").code == 0
    assert cli("export", "--evidence", "-o", "bundle").code == 0
    assert words(Path("bundle")) == []
    assert b"gold path" not in (Path("bundle") / "labels.json").read_bytes()


@pytest.mark.parametrize(
    "options", [(), ("--older", "30d", "--run", "latest"), ("--older", "soon"), ("--subject", " - ")]
)
def test_what_is_to_be_purged_must_be_said(cli, options):
    assert cli("run").code == 0
    came = cli("purge", "--yes", *options)
    assert came.code == 2
    assert "turngate: " in came.err
    assert cli("show", "cancel-one").code == 0


def test_purging_a_subject(cli, monkeypatch):
    write(cli.folder, scenarios=TOLD)
    assert cli("run", "-o", "before.json").code == 0
    assert cli("export", "-o", "out.turngate").code == 0
    came = cli("purge", "--subject", "ANA   ruiz", "--dry-run")
    assert came.code == 0
    assert "2 episodes of run r-" in came.out
    assert "a dry run: nothing was purged" in came.out
    monkeypatch.setattr("sys.stdin", StringIO(""))
    came = cli("purge", "--subject", "ANA ruiz")
    assert came.code == 2
    assert "nobody is there to be asked, so nothing was done: --yes" in came.err
    monkeypatch.setattr("sys.stdin", StringIO("\n"))
    assert cli("purge", "--subject", "ANA ruiz").out.endswith("nothing was purged\n"), "nobody said yes"
    assert cli("show", "told").code == 0
    came = cli("purge", "--subject", "ana ruiz", "--yes")
    assert came.code == 0
    assert "plan, verdicts, scores and codes stay, 2 episodes of it without words" in came.out
    assert "still in " in came.out
    assert "out.turngate, an export of run r-" in came.out
    assert "before.json" not in came.out
    assert "what can't be seen from here" in came.out
    shown = cli("show", "told")
    assert shown.code == 2
    assert "were purged; its scores are kept" in shown.err
    assert cli("show", "cancel-one").code == 0
    assert cli("gate").code == 0
    again = cli("rescore")
    assert "2 episodes scored again, 0 verdict(s) changed" in again.out
    assert "2 episodes not scored again: their words were purged" in again.out
    assert "nothing of that is stored" in cli("purge", "--subject", "ana ruiz", "--yes").out


def test_a_dry_run_says_where_else_a_subject_is(cli):
    write(cli.folder, scenarios=TOLD, workflow=f"{WORKFLOW}knowledge: [policy.md]\n")
    Path("policy.md").write_text("# Refunds\n\nAsk Ana Ruiz first.\n")
    assert cli("run").code == 0
    assert "also in the text " in cli("purge", "--subject", "Ana Ruiz", "--dry-run").out
    assert cli("purge", "--subject", "Ana Ruiz", "--yes").code == 0
    came = cli("purge", "--subject", "Ana Ruiz", "--dry-run")
    assert "no conversation that is stored holds it" in came.out
    assert "also in the text " in came.out


def test_evidence_is_named_only_for_what_is_in_it(cli):
    write(cli.folder, scenarios=TOLD)
    assert cli("run").code == 0
    assert cli("export", "--evidence", "-o", "bundle.zip").code == 0
    assert cli("export", "-o", "out.turngate").code == 0
    came = cli("purge", "--subject", "Ana Ruiz", "--dry-run")
    assert "also in " in came.out
    assert "out.turngate, an export" in came.out
    assert "bundle.zip" not in came.out
    assert "bundle.zip, an export" in cli("purge", "--subject", "cancel-one", "--dry-run").out, "the scenario's name is"
    came = cli("purge", "--run", "latest", "--yes")
    assert "out.turngate, an export" in came.out
    assert "bundle.zip" not in came.out


def test_purging_a_run_frees_the_file(cli):
    write(cli.folder, scenarios=TOLD)
    assert cli("run", "-o", "before.json").code == 0
    came = cli("purge", "--run", "latest", "--yes")
    assert came.code == 0
    assert "4 episodes of run r-" in came.out
    assert words() == []
    assert cli("gate", "-o", "after.json").code == 0
    assert cli("traces", "list").code == 0
    assert cli("show").code == 0


def test_a_baseline_that_was_purged_still_is_one(cli):
    gated = WORKFLOW + "gate: [{rule: no worse, metric: task_success, against: prod, max_drop: 0.2}]\n"
    write(cli.folder, workflow=gated)
    assert cli("run").code == 0
    assert cli("baseline", "set", "latest", "--name", "prod").code == 0
    assert cli("purge", "--run", "latest", "--yes").code == 0
    assert cli("export", "-o", "prod.turngate").code == 0
    assert cli("baseline", "set", "prod.turngate", "--name", "prod", "--store", "fresh.db").code == 0
    for store in (DB, "fresh.db"):
        came = cli("run", "--store", store)
        assert came.code == 0
        assert "nothing to compare with" not in came.out


def test_the_gate_of_a_purged_run_is_decided_as_before(cli):
    """By what it lists failures with, too, and by which clauses its scenarios name."""
    asked = WORKFLOW + "knowledge: [policy.md]\ngate: [{rule: all clauses, coverage: clauses, at_least: 1}]\n"
    named = SCENARIO.replace("family: orders", "family: orders\n  clauses: [O1]")
    write(cli.folder, workflow=asked, scenarios=named + scenario("Hello.", id="bad", expect="{says: [Goodbye]}"))
    Path("policy.md").write_text("## Orders {#O1}\nThey are ours.\n")
    assert cli("run", "-o", "before.json").code == 1
    assert cli("purge", "--run", "latest", "--yes").code == 0
    came = cli("gate", "-o", "after.json", "-o", "after.junit.xml", "-o", "after.md")
    assert (came.code, came.err) == (1, "")
    before, after = (json.loads(Path(f"{name}.json").read_text())["gate"] for name in ("before", "after"))
    assert after == before
    assert cli("history", "desk").code == 0
    assert cli("export", "--evidence", "-o", "bundle").code == 0


def test_what_is_young_stays_and_what_is_old_goes(cli):
    assert cli("run").code == 0
    assert "nothing of that is stored" in cli("purge", "--older", "1h", "--yes").out
    with Store.open(DB) as store, store._transaction(writes=True) as connection:
        connection.exec_driver_sql("update episodes set started = started - 100000000 where trial = 1")
    assert "1 episode of run r-" in cli("purge", "--older", "30d", "--yes").out
    assert cli("gate").code == 0


def test_rescoring_tells_what_flips_and_what_the_gate_makes_of_it(cli):
    assert cli("run").code == 0
    with Store.open(DB) as store, store._transaction(writes=True) as connection:
        connection.exec_driver_sql(
            "update scorings set verdict = 'failed', edition = 'old', scores = "
            'replace(scores, \'["task_success","1","passed"\', \'["task_success","0","failed"\')'
        )
    shutil.rmtree("scenarios")
    came = cli("rescore")
    assert came.code == 0
    run = came.out.split("/")[0]
    lines = came.out.splitlines()
    assert lines[:2] == [
        f"{run}/cancel-one/1: failed -> passed",
        "  task_success: failed -> passed (version 0 -> 1)",
    ]
    assert "2 episodes scored again, 2 verdict(s) changed" in came.out
    assert "  task_success, version 0 -> 1: 2 episodes otherwise" in lines
    assert "gate passed, and was: gate failed" in lines
    assert "  works (family=orders): failed -> passed" in lines
