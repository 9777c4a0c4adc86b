from __future__ import annotations

import asyncio

import pytest

from harness.runs.gold import broken_scenarios
from harness.runs.prepare import load_bundle, stages
from tests.reference import reference
from tests.tools_sandbox.tau2_shop import package, write_files
from traces.capture import Tracing

__all__ = ["package"]


def test_a_draft_loads_and_its_gold_paths_pass_with_the_package(cli, package):
    source = write_files(cli.folder / "tau2_shop")
    came = cli("import", "tau2", source)
    assert came.code == 0, came.text
    assert "2 tasks, each a scenario; 2 tools that change something" in came.out
    assert "can't be had offline" in came.out
    assert "next: turngate run shop" in came.out
    bundle = load_bundle(cli.folder / "shop")
    assert list(bundle.scenarios) == ["task-0", "task-1"]
    (cli.folder / "silent.py").write_text("def agent(message):\n    return 'I see.'\n", "utf-8")
    ran = cli("run", "shop", "--agent", "silent.py:agent", "-n", "1")
    assert ran.code == 1, ran.text
    assert "gold path" not in ran.out
    assert "no call of cancel_order" in ran.out


def test_what_is_there_is_never_written_over(cli):
    source = write_files(cli.folder / "shop")
    came = cli("import", "tau2", source)
    assert came.code == 2
    assert f"`turngate import tau2 {source} FOLDER` names another" in came.err
    assert cli("import", "tau2", source, "elsewhere").code == 0
    assert {file.name for file in (cli.folder / "elsewhere").iterdir()} == {
        "workflow.yaml",
        "backend.py",
        "policy.md",
        "scenarios",
        "db.json",
    }


def test_without_the_package_the_draft_says_what_it_needs(cli):
    cli("import", "tau2", write_files(cli.folder / "tau2_shop"))
    came = cli("lint", "shop")
    assert came.code == 2
    assert "backend.py" in came.err
    assert "tau2" in came.err


def test_without_a_list_of_tools_the_guess_is_told(cli):
    came = cli("import", "tau2", write_files(cli.folder / "tau2_shop", tools=None))
    assert came.code == 0
    assert "which tools change something is guessed from their names" in came.out


def test_what_is_wrong_is_told_with_its_place_and_nothing_is_written(cli):
    wrong = {
        "tasks": ('[{"id": 1,\n}]', "tasks.json:2:1: no JSON"),
        "db": ("[]", "db.json: Input should be a valid dictionary"),
        "tools": ("[{}]", "tools.json: 0.function: Field required"),
    }
    for name, (text, told) in wrong.items():
        came = cli("import", "tau2", write_files(cli.folder / name / "tau2_shop", **{name: text}))
        assert came.code == 2
        assert told in came.err
        assert not (cli.folder / "shop").exists()
    for arguments, told in [
        ((), "write `turngate import tau2 DIR`"),
        (("a", "b", "c"), "write `turngate import tau2 DIR`"),
        (("nowhere",), "nowhere/tasks.json: there is no such file"),
        (("not-a-name",), "has to be named after its domain"),
    ]:
        came = cli("import", "tau2", *arguments)
        assert (came.code, told in came.err) == (2, True), came.text


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_the_real_domains_come_out_whole(cli, domain):
    pytest.importorskip("tau2", reason="needs the extra `tau2`")
    assert cli("import", "tau2", reference(f"data/tau2_{domain}")).code == 0
    bundle = load_bundle(cli.folder / domain)
    assert len(bundle.scenarios) > 20
    assert asyncio.run(broken_scenarios(bundle, stages(bundle, bundle.scenarios.values()), Tracing())) == {}
