# ruff: noqa: E501 (a table reads best with a case a line)
from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.workflow.bundles import SCENARIO, WORKFLOW, loaded, only

STATE = "state: {customers: {C-7: {customer_id: C-7, email: ana@example.com}}, tickets: {}, orders: {O-1: {status: x}}}"
OPEN = 'open: {kind: writes, args: {text: text}, set: {"tickets.{text}": {account: C-7, text: "{text}"}}}'


def workflow(private: str, state: str = STATE) -> str:
    head, rest = WORKFLOW.split("state:\n")
    return f"{head}{state}\nprivate: {private}\ntools:\n  {OPEN}{rest.split('tools:')[1]}"


@pytest.mark.parametrize(
    ("private", "expected"),
    [
        ("{customer: {email: customer_id}}", "6:11: no table `customer` in the state; did you mean `customers`?"),
        ("{customers: {emial: customer_id}}", "6:23: there is no field of `customers` `emial`; did you mean `email`?"),
        (
            "{customers: {email: custmer_id}}",
            "6:30: there is no field of `customers` `custmer_id`; did you mean `customer_id`?",
        ),
        ("{customers: {email: zzz}}", "6:30: there is no field of `customers` `zzz` (there is customer_id, email)"),
        ("{tickets: {txt: account}}", "6:21: there is no field of `tickets` `txt`; did you mean `text`?"),
        ("{orders: {status: customer_id}}", "6:28: there is no field of `orders` `customer_id` (there is status)"),
    ],
)
def test_a_private_mark_that_would_protect_nothing(tmp_path: Path, private: str, expected: str) -> None:
    assert str(only(tmp_path, workflow=workflow(private))).split("workflow.yaml:", 1)[1] == expected


@pytest.mark.parametrize("private", ["{customers: {email: customer_id}}", "{tickets: {text: account}}"])
def test_rows_and_tools_say_which_fields_there_are(tmp_path: Path, private: str) -> None:
    assert not loaded(tmp_path, workflow=workflow(private)).warnings


def test_fields_that_only_scenarios_give(tmp_path: Path) -> None:
    marked = workflow("{orders: {card: customer_id}}")
    given = "tier: critical\n  given: {orders.O-2: {customer_id: C-7, card: 4111}}"
    assert not loaded(tmp_path / "given", workflow=marked, scenario=SCENARIO.replace("tier: critical", given)).warnings
    assert "there is no field of `orders` `card`" in str(only(tmp_path / "bare", workflow=marked))


def test_a_private_value_without_an_owner(tmp_path: Path) -> None:
    state = STATE.replace(
        "{C-7:", "{C-8: {email: bo@example.com}, C-9: {customer_id: null, email: x@example.com}, C-7:"
    )
    (warning,) = loaded(tmp_path, workflow=workflow("{customers: {email: customer_id}}", state)).warnings
    assert str(warning).split("workflow.yaml:", 1)[1] == (
        "6:30: `C-8` of `customers` has a value of `email` and no `customer_id`, so it is nobody's and not protected "
        "(give such rows a `customer_id`)"
    )


@pytest.mark.parametrize(
    ("speaker", "meant"),
    [("C-7", None), ("unknown", None), ("O-1", ""), ("C-8", "; did you mean `C-7`?"), ("unknwon", "; did you mean `unknown`?")],
)  # fmt: skip
def test_a_speaker_is_an_account(tmp_path: Path, speaker: str, meant: str | None) -> None:
    scenario = SCENARIO.replace("tier: critical", f"tier: critical\n  speaker: {speaker}")
    found = loaded(tmp_path, workflow=workflow("{customers: {email: customer_id}}"), scenario=scenario).warnings
    told = [str(warning).split("refunds.yaml:", 1)[1].split(" (")[0] for warning in found]
    assert told == (
        [] if meant is None else [f"5:12: no row of the start state is about an account `{speaker}`{meant}"]
    )


def test_an_owner_that_is_no_name(tmp_path: Path) -> None:
    state = STATE.replace("customer_id: C-7", "customer_id: {x: [C-7]}")
    assert not loaded(tmp_path, workflow=workflow("{customers: {email: customer_id}}", state)).warnings
