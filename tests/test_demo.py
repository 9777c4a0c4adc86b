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


def play_job(project, steps, *, checkout, expressions=None, **env):
    """The steps of a job that are commands, as GitHub's runner plays them; what each came to. `pip` and `gh`, which
    want a network, are not what is tried: one does nothing, the other keeps what it is to post.
    """
    project("true")
    for name, does in {"pip": "true", "gh": 'while [ "$1" != --body-file ]; do shift; done; cp "$2" posted.md'}.items():
        (project.folder / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (project.folder / "bin" / name).chmod(0o755)
    values = {"github.run_id": "17", "github.event.number": "4", "github.token": "none", **(expressions or {})}
    done = []
    for step in steps:
        if "run" not in step or (step.get("if") != "always()" and any(each.returncode for each in done)):
            continue
        script = re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda found: values[found[1]], step["run"])
        done.append(
            project(
                f"exec bash -e <<'SCRIPT'\n{script}\nSCRIPT",
                checkout=checkout,
                GITHUB_ACTIONS="true",
                GITHUB_STEP_SUMMARY="step-summary.md",
                **env,
            )
        )
    return done


def play_jobs(project, shards=None, **env):
    """Both jobs of GitHub's file, of some or all shards: what the last one's steps came to, and its folder."""
    jobs = yaml.safe_load(GITHUB.read_text())["jobs"]
    project("true", checkout="gate")
    for shard in shards or jobs["rehearse"]["strategy"]["matrix"]["shard"]:
        values = {"matrix.shard": str(shard)}
        done = play_job(project, jobs["rehearse"]["steps"], checkout=f"job-{shard}", expressions=values, **env)
        assert [each.returncode for each in done] == [0, 0, 0], done
        assert "::error" not in done[1].stdout
        name = f"shard-{shard}.turngate"
        shutil.copy(project.folder / f"job-{shard}" / name, project.folder / "gate" / name)
    return play_job(project, jobs["gate"]["steps"], checkout="gate"), project.folder / "gate"


@pytest.mark.parametrize(("agent", "code"), [("shop/agent.py:build", 0), ("shop/agent.py:build_hasty", 1)])
def test_the_jobs_of_github_play_shards_and_decide_one_gate(project, agent, code):
    (_, merged, *rest), folder = play_jobs(project, TURNGATE_AGENT=agent)
    assert merged.returncode == code, merged.stdout + merged.stderr
    assert [each.returncode for each in rest] == [0, 0, 0], rest
    summary = (folder / "posted.md").read_text()
    assert summary == (folder / "step-summary.md").read_text()
    assert summary.splitlines()[1].startswith("### ✅" if code == 0 else "### ❌")
    assert len(summary) < 65_536
    opened = re.search(r"`gh run download 17 -n whole && (turngate import whole\.turngate)`", summary)
    shutil.copy(folder / "whole.turngate", project.folder / "checkout")
    assert opened is not None
    assert project(f"{opened[1]} && turngate show latest").returncode == 0
    root = ElementTree.parse(folder / "junit.xml").getroot()
    assert (root.get("failures") == "0") is (code == 0)
    annotated = re.findall(
        r"^::error file=(workflows/orders/scenarios/\w+\.yaml),line=(\d+)", merged.stdout, re.MULTILINE
    )
    assert len(annotated) == (0 if code == 0 else 4)
    for file, line in annotated:
        assert (DEMO / file).read_text().splitlines()[int(line) - 1].startswith("- id: ")


def test_a_part_that_is_undecided_is_merged_as_any_other(project):
    for checkout in ("job-1", "job-2", "gate"):
        project("true", checkout=checkout)
        workflow = project.folder / checkout / "workflows" / "orders" / "workflow.yaml"
        fits_all = '      - {set: {"orders.{order_id}.status": cancelled}, return: {ok: true}}\n'
        text = workflow.read_text()
        assert fits_all in text
        workflow.write_text(text.replace(fits_all, ""))
    (_, merged, *rest), folder = play_jobs(project)
    assert merged.returncode == 3, merged.stdout + merged.stderr
    assert [each.returncode for each in rest] == [0, 0, 0], rest
    assert "gate undecided" in (folder / "posted.md").read_text()


def test_parts_that_are_not_merged_leave_no_old_comment(project):
    (_, merged, *_, told, posted), folder = play_jobs(project, shards=[1])
    assert merged.returncode == 2
    assert "2/2" in merged.stdout, "why is in the log of the step that is red"
    assert told.returncode == posted.returncode == 0
    assert (folder / "posted.md").read_text().startswith("### ❌ no gate")
    assert "2/2" in (folder / "posted.md").read_text()


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
    for command in [*jobs["rehearse"]["script"][1:], *jobs["rehearse"]["after_script"]]:
        done = project(command, checkout="job", **variables)
        assert done.returncode == 0, done.stdout + done.stderr
    incomplete = project(jobs["gate"]["script"][1], checkout="job")
    assert incomplete.returncode == 2
    assert "2/2" in incomplete.stderr, "a shard that is missing is named"
