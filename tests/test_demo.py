"""A team's project, with the agent, the tests and the CI files that such a project has: every part of it is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.harness.desk import environment

DEMO = Path(__file__).parent / "demo"
GITHUB, GITLAB = DEMO / ".github" / "workflows" / "agent.yml", DEMO / ".gitlab-ci.yml"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Runs a command of a shell in a folder, each one a checkout of its own, with `turngate` on its path."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "turngate").write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from harness.cli import main; main()' \"$@\"\n"
    )
    (commands / "turngate").chmod(0o755)
    for name in list(os.environ):
        if name.startswith(("PYTEST_", "GITHUB_")):
            monkeypatch.delenv(name)
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"

    def run(command, *, checkout="checkout", **env):
        folder = tmp_path / checkout
        if not folder.exists():
            shutil.copytree(DEMO, folder)
        kept = {**environment(), "PATH": path, **env}
        return subprocess.run(["sh", "-ec", command], cwd=folder, capture_output=True, text=True, env=kept, check=False)

    run.folder = tmp_path
    return run


def test_pytest_plays_it(project):
    done = project(f"{sys.executable} -m pytest workflows -n 2 --junitxml=junit.xml")
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout
    assert re.search(r"orders · build@\w+: gate passed", done.stdout)
    hasty = project(f"{sys.executable} -m pytest workflows --turngate-agent shop/agent.py:build_hasty -m critical")
    assert hasty.returncode == 1
    assert "TO5" in hasty.stdout
    assert "cancel_order" in hasty.stdout


def commands_of(steps, **values):
    """The commands of the steps that are turngate's own, as the server fills them in."""
    text = "\n".join(step.get("run", "") for step in steps)
    for name, value in values.items():
        text = text.replace(f"${{{{ {name.replace('_', '.')} }}}}", value)
    return [line for line in text.splitlines() if line.startswith("turngate ")]


@pytest.mark.parametrize(("agent", "code"), [("shop/agent.py:build", 0), ("shop/agent.py:build_hasty", 1)])
def test_the_jobs_of_github_play_shards_and_decide_one_gate(project, agent, code):
    jobs = yaml.safe_load(GITHUB.read_text())["jobs"]
    for shard in jobs["rehearse"]["strategy"]["matrix"]["shard"]:
        for command in commands_of(jobs["rehearse"]["steps"], matrix_shard=str(shard)):
            done = project(command, checkout=f"job-{shard}", TURNGATE_AGENT=agent, GITHUB_ACTIONS="true")
            assert done.returncode == 0, done.stdout + done.stderr
            assert "::error" not in done.stdout
        project("true", checkout="gate")
        name = f"shard-{shard}.turngate"
        shutil.copy(project.folder / f"job-{shard}" / name, project.folder / "gate" / name)
    (merge,) = commands_of(jobs["gate"]["steps"])
    done = project(merge, checkout="gate", GITHUB_ACTIONS="true")
    assert done.returncode == code, done.stdout + done.stderr
    summary = (project.folder / "gate" / "summary.md").read_text()
    assert summary.splitlines()[1].startswith("### ✅" if code == 0 else "### ❌")
    assert len(summary) < 65_536
    root = ElementTree.parse(project.folder / "gate" / "junit.xml").getroot()
    assert (root.get("failures") == "0") is (code == 0)
    annotated = re.findall(
        r"^::error file=(workflows/orders/scenarios/\w+\.yaml),line=(\d+)", done.stdout, re.MULTILINE
    )
    assert len(annotated) == (0 if code == 0 else 4)
    for file, line in annotated:
        assert (DEMO / file).read_text().splitlines()[int(line) - 1].startswith("- id: ")


def test_what_broke_since_main_stands_right_after_the_verdict(project):
    good = "turngate run workflows/orders && turngate baseline set latest --name main"
    rule = "\ngate: [{rule: no worse than main, metric: task_success, against: main, max_drop: 0}]\n"
    project("true")
    with (project.folder / "checkout/workflows/orders/workflow.yaml").open("a") as file:
        file.write(rule)
    assert project(good).returncode == 0
    done = project("turngate run workflows/orders -o summary.md", TURNGATE_AGENT="shop/agent.py:build_hasty")
    assert done.returncode == 1
    summary = (project.folder / "checkout" / "summary.md").read_text()
    heads = re.findall(r"^#### (.+)$", summary, re.MULTILINE)
    assert heads[0] == "Broken against `main`"
    assert "- `cancel-paid` · 2 trials" in summary


def test_the_jobs_of_gitlab_name_commands_that_there_are(project):
    jobs = yaml.safe_load(GITLAB.read_text())
    variables = {"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": str(jobs["rehearse"]["parallel"])}
    for command in jobs["rehearse"]["script"][1:]:
        done = project(command, checkout="job", **variables)
        assert done.returncode == 0, done.stdout + done.stderr
    incomplete = project(jobs["gate"]["script"][1], checkout="job")
    assert incomplete.returncode == 2
    assert "2/2" in incomplete.stderr, "a shard that is missing is named"
