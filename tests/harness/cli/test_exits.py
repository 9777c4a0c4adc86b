"""Exit codes that stand for others, and annotations."""

from __future__ import annotations

import re

import pytest

from harness.cli.exits import Exit, UserError, exits
from tests.harness.desk import AGENT, SCENARIO, write

OPEN = {"failed": Exit.FAILED, "undecided": Exit.UNDECIDED, "missing": Exit.MISSING}


@pytest.mark.parametrize("name", OPEN)
def test_what_a_gate_comes_to_may_end_otherwise(name):
    codes = exits(zero=False, given=[f"{name}=9"])
    assert codes(OPEN[name]) == 9
    assert all(codes(code) == code for code in Exit if code is not OPEN[name])


def test_zero_is_for_all_of_them_but_those_named():
    codes = exits(zero=True, given=["undecided=5"])
    assert [codes(code) for code in (Exit.FAILED, Exit.MISSING, Exit.UNDECIDED)] == [0, 0, 5]
    assert [codes(code) for code in (Exit.PASSED, Exit.WRONG, Exit.INTERRUPTED)] == [0, 2, 130]


@pytest.mark.parametrize(
    "text", ["", "undecided", "undecided=", "undecided=-1", "undecided=126", "wrong=0", "passed=1"]
)
def test_what_can_not_be_meant_is_told(text):
    with pytest.raises(UserError, match=f"--exit {text}: write failed, undecided, missing"):
        exits(zero=False, given=[text])


def test_commands_end_with_what_was_asked_for(cli):
    write(cli.folder, agent="def agent(message): return 'No.'")
    assert cli("run", "--exit", "failed=7").code == 7
    assert cli("gate", "--exit-zero").code == 0
    assert cli("gate").code == 1
    assert cli("run", "--only", "refnud", "--exit-zero", "--exit", "undecided=0").code == 3, "a typo stays one"
    wrong = cli("run", "--exit", "red=0")
    assert (wrong.code, "Traceback" in wrong.err) == (2, False)
    write(cli.folder, agent=AGENT, scenarios=SCENARIO.replace("turns:", "turrns:"))
    assert cli("run", "--exit-zero").code == 2


def test_annotations_stand_at_the_scenario_as_seen_from_the_top_of_the_checkout(cli, monkeypatch):
    write(cli.folder, agent="def agent(message): return 'No.'")
    assert "::error" not in cli("run").out
    assert re.search(
        r"^::error file=scenarios/orders\.yaml,line=2,col=3,", cli("gate", "--annotations", "github").out, re.M
    )
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(cli.folder.parent))
    assert re.search(r"^::error file=desk/scenarios/orders\.yaml,line=2,", cli("gate").out, re.MULTILINE)
    assert "::error" not in cli("gate", "--annotations", "none").out
    assert cli("gate", "--annotations", "gitlab").code == 2


def test_what_an_agent_says_is_no_command_to_the_runner(cli, monkeypatch):
    write(cli.folder, agent="def agent(message): return 'No.\\n::add-mask::No\\n::stop-commands::x ##[error]y'")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    ours = re.compile(r"::(?:error|warning) ")
    shown = cli("show", "cancel-one") if cli("run").code == 1 else None
    assert "\\x3a:add-mask::No" in shown.out
    for came in (cli("gate"), shown, cli("show", "cancel-one", "--turn", "1")):
        lines = [line.lstrip() for line in came.out.splitlines()]
        assert not [line for line in lines if line.startswith("::") and not ours.match(line)]
        assert not [line for line in lines if "##[" in line and not ours.match(line)]
