"""The option `-o` of run and gate, and the store, while an agent does what it likes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.reports.json_schemas import episodes_schema, result_schema
from harness.store.store import Store
from tests.harness.desk import AGENT, WORKFLOW, write

STORE = Path(".turngate/turngate.db")


def test_several_at_once_and_again_from_the_store(cli):
    files = ["a.json", "a.jsonl", "a.junit.xml", "a.md"]
    assert cli("run", *(part for name in files for part in ("-o", name))).code == 0
    assert json.loads(Path("a.json").read_text())["gate"]["decision"] == "passed"
    assert len(Path("a.jsonl").read_text().splitlines()) == 3
    assert ElementTree.parse("a.junit.xml").getroot().get("tests") == "3"
    assert "gate passed" in Path("a.md").read_text()
    again = [f"again/{name}" for name in files]
    Path("again").mkdir()
    assert cli("gate", *(part for name in again for part in ("-o", name))).code == 0
    for name in files[1:]:
        assert Path("again", name).read_bytes() == Path(name).read_bytes()


@pytest.mark.parametrize("command", ["run", "gate"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("result.xml", "may end in .json, .jsonl, .junit.xml, .md"),
        ("nowhere/result.json", "there is no folder"),
        ("folder.json", "it is a folder"),
        ("agent.py/result.json", "there is no folder"),
    ],
)
def test_what_can_not_be_written_is_told_before_anything_is_played(cli, command, name, text):
    Path("folder.json").mkdir()
    came = cli(command, "-o", "right.json", "-o", name)
    assert came.code == 2
    assert f"-o {name}: " in came.err
    assert text in came.err
    assert not STORE.exists()
    assert not Path("right.json").exists()


def test_an_agent_that_changes_the_folder_moves_neither_result_nor_store(cli):
    elsewhere = cli.folder / "elsewhere"
    elsewhere.mkdir()
    write(cli.folder, agent=f"import os\nos.chdir({str(elsewhere)!r})\n" + AGENT)
    for place in ("turngate.db", "sqlite:///address.db"):
        assert cli("run", "-w", "0", "--store", place, "-o", "result.json").code == 0
        os.chdir(cli.folder)
        assert json.loads((cli.folder / "result.json").read_text())["planned"] == {"orders": 2}
    assert (cli.folder / "turngate.db").exists()
    assert (cli.folder / "address.db").exists()
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_store_that_is_deleted_while_the_run_goes_on_is_no_green_run(cli, workers):
    write(
        cli.folder,
        agent=f"import shutil\nshutil_path = {str(cli.folder / '.turngate')!r}\n"
        + AGENT.replace(
            "def agent(message, session):\n", "def agent(message, session):\n    shutil.rmtree(shutil_path, True)\n"
        ),
    )
    came = cli("run", "-w", workers, "-o", "result.json")
    assert came.code == 2
    assert "the store was deleted, moved or replaced while it was in use" in came.err
    assert "are kept in run" not in came.err
    assert not Path("result.json").exists()


def test_a_result_that_can_not_be_written_in_the_end_is_told_and_can_be_had_again(cli):
    write(
        cli.folder, agent=f"import pathlib\npathlib.Path({str(cli.folder / 'b.json')!r}).mkdir(exist_ok=True)\n" + AGENT
    )
    came = cli("run", "-w", "0", "-o", "b.json", "-o", "c.json")
    assert came.code == 2
    assert "can't be written" in came.err
    with Store.open(STORE) as store:
        run = store.latest().id
    assert f"`turngate gate {run} -o FILE`" in came.err
    assert json.loads(Path("c.json").read_text())["run"] == run


@pytest.mark.parametrize(("kind", "made"), [("result", result_schema), ("episodes", episodes_schema)])
def test_the_schemas_come_with_the_command(cli, kind, made):
    assert json.loads(cli("schema", kind).out) == made()
    assert "result, episodes" in cli("schema", "x").err


def test_failures_that_no_rule_counts_are_not_green(cli):
    """The family measures what no rule is about, and the agent fails by it alone."""
    only_measured = WORKFLOW.replace("measures: [task_success]", "measures: [task_success, faithfulness]")
    write(
        cli.folder,
        workflow=only_measured,
        agent=AGENT.replace(
            "I have cancelled order O-1.", "I have cancelled order O-1. I have refunded 49.90 to your card."
        ),
    )
    came = cli("run", "-w", "0")
    assert came.code == 3, came.text
    assert "{rule: faithfulness, metric: faithfulness, failures: 0}" in " ".join(came.out.split())
