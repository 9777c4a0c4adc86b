# ruff: noqa: E501 (a table reads best with a case a line)
"""Waivers and quarantine name what is there, and nothing that must not be exempted."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.workflow.bundle import load
from tests.harness.workflow.bundles import SCENARIO, WORKFLOW, problems, write

SIGNED = "owner: Ana, reason: the carrier mends it"
CORE = SCENARIO.replace("tier: critical", "tier: core")


def with_line(line: str) -> str:
    return f"{WORKFLOW}{line}\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"quarantine: [{{scenario: refund-on, until: 2099-12-31, {SIGNED}}}]", "22:25: there is no scenario `refund-on`; did you mean `refund-one`?"),
        (f"quarantine: [{{scenario: refund-one, until: 31.12.2099, {SIGNED}}}]", "22:44: expected a day such as 2026-12-31, not `31.12.2099`"),
        (f"quarantine: [{{scenario: refund-one, until: 2099-02-30, {SIGNED}}}]", "22:44: the calendar has no day 2099-02-30"),
        ("quarantine: [{scenario: refund-one, until: 2099-12-31, owner: Ana, reason: \" \"}]", "22:76: it needs an owner and a reason, for whoever reads the report"),
        ("quarantine: [{scenario: refund-one, until: 2099-12-31, owner: Ana}]", "22:14: `reason` is missing in `quarantine.0`"),
        (f"quarantine: [{{scenario: refund-one, {SIGNED}}}]", "22:14: `until` is missing in `quarantine.0`"),
        (f"waivers: [{{rule: work, until: 2099-12-31, {SIGNED}}}]", "22:18: there is no gate rule `work`; did you mean `works`?"),
        (f"waivers: [{{rule: must pass, until: 2099-12-31, {SIGNED}}}]", "22:18: `must pass` asks for every trial of critical scenarios, and that can't be waived (mend them, or make them `tier: core` with whoever answers for them)"),
        (f"waivers: [{{rule: critical scenarios, until: 2099-12-31, {SIGNED}}}]", "22:18: `critical scenarios` asks for every trial of critical scenarios, and that can't be waived (mend them, or make them `tier: core` with whoever answers for them)"),
        (f"waivers: [{{rule: works, cell: {{famly: refunds}}, until: 2099-12-31, {SIGNED}}}]", "22:32: there is no cell of `works` by `famly`; did you mean `family`?"),
        (f"waivers: [{{rule: works, cell: {{family: refnds}}, until: 2099-12-31, {SIGNED}}}]", "22:40: there is no family `refnds`; did you mean `refunds`?"),
        (f"waivers: [{{rule: works, cell: {{language: en}}, until: 2099-12-31, {SIGNED}}}]", "22:32: there is no cell of `works` by `language` (there is family)"),
    ],
)  # fmt: skip
def test_errors(tmp_path: Path, line: str, expected: str) -> None:
    found = [
        str(each).split("workflow.yaml:", 1)[1] for each in problems(tmp_path, workflow=with_line(line), scenario=CORE)
    ]
    assert found == [expected]


def test_a_critical_scenario_cant_be_in_quarantine(tmp_path: Path) -> None:
    line = f"quarantine: [{{scenario: refund-one, until: 2099-12-31, {SIGNED}}}]"
    (found,) = problems(tmp_path, workflow=with_line(line))
    assert str(found).endswith(
        "workflow.yaml:22:25: `refund-one` is critical, and a critical scenario can't be in quarantine (mend it, or make it `tier: core` with whoever answers for it)"
    )


def test_a_scenario_is_in_quarantine_once(tmp_path: Path) -> None:
    entry = f"{{scenario: refund-one, until: 2099-12-31, {SIGNED}}}"
    found = problems(tmp_path, workflow=with_line(f"quarantine: [{entry}, {entry}]"), scenario=CORE)
    assert [each.what for each in found] == ["`refund-one` is in quarantine twice"] * 2


@pytest.mark.parametrize("line", ["quarantine: [{scenario: refund-one", "waivers: [{rule: works"])
def test_a_day_that_is_past_is_a_warning(tmp_path: Path, line: str) -> None:
    bundle = load(write(tmp_path, workflow=with_line(f"{line}, until: 2020-02-29, {SIGNED}}}]"), scenario=CORE))
    assert [str(each).split(": ", 1)[1] for each in bundle.warnings] == [
        "it ended on 2020-02-29, and blocks the gate since (mend what it was for and take the line out, or agree on another day)"
    ]


def test_what_is_written_well_is_taken(tmp_path: Path) -> None:
    lines = f"quarantine: [{{scenario: refund-one, until: 2099-12-31, {SIGNED}}}]\nwaivers: [{{rule: works, cell: {{family: refunds}}, until: 2099-12-31, {SIGNED}}}]"
    bundle = load(write(tmp_path, workflow=with_line(lines), scenario=CORE))
    assert not bundle.warnings
    assert type(bundle.workflow).model_validate(bundle.workflow.dump()) == bundle.workflow
