"""Two trajectories side by side in the terminal."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from harness.replay.divergence.comparison import compare
from harness.replay.divergence.verdict import judge
from harness.reports.changes.trajectories import finding_lines, trajectories_page
from tests.harness.replay.divergence.build import SHOP, call, side


def shown(first, second):
    found = compare(first, second, SHOP)
    out = StringIO()
    console = Console(file=out, width=200, markup=False, highlight=False)
    finding = judge(first, second, found.divergences, SHOP)
    for line in (*trajectories_page(first, second, found, SHOP), *finding_lines(finding)):
        console.print(line)
    return out.getvalue().splitlines()


def test_every_call_of_both_in_one_column():
    first = side(call("get_order", id="1"), call("refund", id="1", amount=5), replies=((1, "Done."),))
    second = side(call("search", q="x"), call("refund", id="1", amount=6, turn=2), replies=((1, "Done."),))
    assert shown(first, second) == [
        "3 steps: 1 extra read, 1 missing read, 1 changed argument",
        "▶ first divergence, turn 1: missing read",
        '- turn 1  get_order (reads) {"id": "1"}',
        "    `get_order` is not called any more",
        '+ turn 1  search (reads) {"q": "x"}',
        "    `search` is called in addition",
        '~ turn 1/2  refund (writes) {"id": "1", "amount": 5}',
        "    `refund` is given something else: amount: 5 → 6",
        "the second is worse",
        "  turn 2: `refund` is given something else: amount: 5 → 6; "
        "no judgement and no end state shows that it is right",
    ]


def test_words_alone():
    lines = shown(side(replies=((1, "Hello"),)), side(replies=((1, "Hi"), (2, "Bye"))))
    assert lines == [
        "0 steps: 2 wording only",
        "▶ first divergence, turn 1: wording only",
        "~ turn 1  wording only",
        "  - Hello",
        "  + Hi",
        "~ turn 2  wording only",
        "  + Bye",
        "the second is benign",
        "  nothing that is judged is worse",
    ]


def test_nothing_that_an_agent_or_a_tool_says_steers_the_terminal():
    hostile = "\x1b[2J\n\u202e"
    lines = shown(
        side(call(f"get{hostile}", q=hostile), replies=((1, hostile),)),
        side(call("refund", error=hostile), call(f"get{hostile}", q=f"{hostile}x"), replies=((1, f"{hostile}y"),)),
    )
    assert not any(letter in line for line in lines for letter in "\x1b\u202e")
