"""Quarantine and waivers, from the workflow file to the exit code."""

from __future__ import annotations

import json

import pytest

from tests.harness.desk import WORKFLOW

SIGNED = "owner: Ana, reason: the carrier mends it"


MORE = """
- id: shaky
  family: orders
  user: {turns: [Say the word.]}
  expect: {says: [a word that nobody says]}
  gold: [{reply: a word that nobody says}]
"""


@pytest.fixture
def run(cli):
    """Runs the desk with an agent that fails one of two scenarios, and what is exempted so."""

    def with_lines(lines, *more):
        (cli.folder / "workflow.yaml").write_text(WORKFLOW + lines + "\n")
        (cli.folder / "scenarios" / "more.yaml").write_text(MORE)
        return cli("run", "-o", "r.json", *more)

    with_lines.folder = cli.folder
    with_lines.again = cli
    return with_lines


def test_without_an_exemption_the_gate_fails(run):
    assert run("").code == 1


@pytest.mark.parametrize(
    ("lines", "marked"),
    [
        (f"quarantine: [{{scenario: shaky, until: 2099-12-31, {SIGNED}}}]", "with 1 quarantined"),
        (f"waivers: [{{rule: works, until: 2099-12-31, {SIGNED}}}]", None),
    ],
)
def test_what_is_exempted_does_not_fail_it(run, lines, marked):
    came = run(lines)
    gate = json.loads((run.folder / "r.json").read_text())["gate"]
    if marked is None:  # the waived rule was the only one, so that nothing shows that the agent may ship
        assert (came.code, gate["decision"]) == (3, "undecided"), came.text
        assert gate["waivers"][0]["failed"] == 1
    else:
        assert (came.code, gate["says"]) == (0, f"gate passed {marked}"), came.text
    assert run.again("gate").code == came.code


@pytest.mark.parametrize("line", ["quarantine: [{scenario: shaky", "waivers: [{rule: works"])
def test_what_has_ended_blocks(run, line):
    came = run(f"{line}, until: 2020-02-29, {SIGNED}}}]")
    assert came.code == 1
    assert "it ended on 2020-02-29 (Ana: the carrier mends it)" in " ".join(came.out.split())
