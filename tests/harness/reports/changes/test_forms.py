"""Two runs compared, as a page, as JSON and as Markdown."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest
from rich.console import Console

from harness.gates.changes import changes
from harness.model.baseline import Baseline
from harness.model.episode import AgentVersion
from harness.model.status import failed
from harness.reports.changes.as_json import changes_json
from harness.reports.changes.as_markdown import changes_markdown
from harness.reports.changes.page import changes_page, short_commit
from harness.reports.changes.view import ChangesView
from harness.store.records import RunRecord
from tests.harness.gates.build import measured, results, trials

HOSTILE = "\x1b[2J|<script>`@all`\u202e\nend"


def run(name, **revision):
    made = RunRecord(name, "w", datetime(2026, 11, 20, tzinfo=UTC), (AgentVersion("agent", "1", ""),))
    return replace(made, options={"revision": revision}) if revision else made


def view(first, second, **more):
    found = changes(Baseline("prod", "r-1", tuple(first), **more), second)
    return ChangesView(run("r-1"), run("r-2", commit="a" * 40, dirty=True), found)


def page(made, width=140):
    out = StringIO()
    console = Console(file=out, width=width, markup=False, highlight=False)
    for piece in changes_page(made):
        console.print(piece)
    return out.getvalue()


def test_a_page_begins_with_what_changed_and_ends_with_how_to_open_it():
    text = page(view(trials("PPP"), trials("FFP")))
    lines = text.splitlines()
    assert lines[0] == "w · 3 pairs of episodes: 2 broken, 1 still passing"
    assert lines[2] == "+ r-2 · agent@1 · 2026-11-20 00:00 · commit aaaaaaaaaa+"
    assert lines[-3:] == [
        "✖ s · trials 1, 2",
        "  TO1: it went wrong",
        "  turngate compare r-1 r-2 --episode s/1",
    ]


def test_a_trial_is_opened_that_both_runs_played():
    made = view(trials("PPS"), trials("PPF"), deterministic=True)
    assert "--episode s/3" in page(made), "there is no other"
    assert "--episode s/2" in page(view(trials("SP", "s"), trials("FF"), deterministic=True))


def test_what_is_not_compared_comes_first():
    made = view(results("PPP"), results("PPF"), changed_items={"s2": "the policy changed"})
    made = replace(made, changes=replace(made.changes, rescored={"tone": "scorer version 1 -> 2"}))
    lines = page(made).splitlines()
    assert "not compared: 1 scenario, changed since: the policy changed (s2)" in lines
    assert "not compared: tone, scored otherwise now (scorer version 1 -> 2)" in lines


def test_the_measures_stand_side_by_side():
    text = page(view(measured([0.01, 0.02, 0.02]), measured([0.02, 0.03, None])))
    assert "f        cost_usd   2 1?   $0.01 → $0.02   $0.02 → $0.03   $0.015 → $0.025   +66.7 %" in text


@pytest.mark.parametrize("width", [60, 80, 140])
def test_no_name_or_reason_breaks_out(width):
    hostile = [replace(each, verdict=failed(HOSTILE), family=HOSTILE) for each in results("F")]
    made = view([replace(each, family=HOSTILE) for each in results("P")], hostile)
    assert not {"\x1b", "\u202e"} & set(page(made, width))
    document = changes_markdown(made)
    assert "\x1b" not in document
    for line in document.splitlines():
        if "script" in line:
            assert line.count("`") >= 2, "only within code"
    assert json.loads(json.dumps(changes_json(made)))["episodes"][0]["change"] == "broken"


def test_markdown_begins_with_what_broke():
    lines = changes_markdown(view(results("PF"), results("FF"))).splitlines()
    assert lines[0] == "### `w`: 1 broken, 1 still failing"
    assert (
        lines.index("**broken**")
        < lines.index("**still failing**")
        < lines.index("<details><summary>Families and slices</summary>")
    )


def test_a_commit_is_short():
    assert short_commit("a" * 40) == "a" * 10
    assert short_commit("a" * 40 + "+") == "a" * 10 + "+"
