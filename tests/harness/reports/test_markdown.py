"""Read back by markdown-it, with tables: what GitHub and GitLab read, short of what they make of text outside code."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from harness.reports.markdown import SIZE, markdown
from harness.reports.markdown_text import cell, code, row, table_head
from harness.reports.printable import one_line
from harness.reports.run_view import Against
from tests.harness.gates.build import result, results
from tests.harness.reports.views import FINDING, HOSTILE, RATE, hostile, view

READER = MarkdownIt("commonmark").enable("table")
AUTOLINKED = re.compile(r"https?:|www\.|@\w|#\d|GH-\d|[0-9a-f]{7,40}|\$|:\w+:")
"""What GitHub turns into links, mentions, formulas and pictures in text that is not code."""


def tokens(text):
    return [inner for token in READER.parse(text) for inner in (token, *(token.children or ()))]


def plain(text):
    """The text that is neither code nor the comment at the top."""
    return " ".join(token.content for token in tokens(text) if token.type == "text")


def test_hostile_text_stays_in_code():
    text = markdown([hostile()])
    kinds = {token.type for token in tokens(text)}
    assert not kinds & {"link_open", "image", "html_inline", "fence", "code_block"}
    html = "".join(token.content for token in tokens(text) if token.type == "html_block")
    titles = ("The other rules", "Scenario map", "Notes")
    folded = "".join(f"<details><summary>{title}</summary>\n</details>\n" for title in titles)
    assert html == f"<!-- turngate.summary/1 -->\n{folded}"
    assert not AUTOLINKED.search(plain(text))
    assert not set(text) & set("\x1b\x00\x08\x9b\ufffe\ud800\u202e\r")
    heads = [token.content for token in READER.parse(text) if token.type == "inline" and token.level == 1]
    assert [head for head in heads if head in ("Rules that did not pass", "Failures")] == [
        "Rules that did not pass",
        "Failures",
    ]


def test_hostile_text_breaks_no_table():
    read = READER.parse(markdown([hostile()]))
    counts, count = [], 0
    for token in read:
        if token.type == "tr_open":
            count = 0
        count += token.type in ("th_open", "td_open")
        if token.type == "tr_close":
            counts.append(count)
    assert set(counts) == {7, 2}, "seven columns of the gate, two of a map without metrics"


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_code_and_cells_hold_any_text(text):
    line = one_line(text, 200)
    (paragraph,) = [token for token in READER.parse(f"a {code(text)} z") if token.type == "inline"]
    assert [each.content for each in paragraph.children if each.type == "code_inline"] == ([line] if line else [])
    read = READER.parse("\n".join([*table_head(["a", "b"]), row([cell(text), "`z`"])]))
    cells = [token.content for token in read if token.type == "inline"]
    assert len(cells) == 4
    assert cells[3] == "`z`"


def test_what_the_gate_says_comes_first_and_what_failed_before_what_passed():
    text = markdown([view([*results("P"), result("F", "bad", family="g")], families={"f": [], "g": []})])
    assert text.splitlines()[1] == "### ❌ `w` · `agent@1`: gate failed"
    assert text.index("| ❌ |") < text.index("| ✅ |")
    assert "- ❌ `bad` TO1" in text or "- ❌ `bad` unknown" in text
    assert "`turngate show run/bad/1`" in text


def test_passed_episodes_with_open_asks_stand_before_the_notes():
    one = result("P")
    text = markdown([view([one], unscripted=(one.key.id,), notes=("n",))])
    assert "- `1 passed episode has asks that no fact answers: turngate show run/s/1`\n- `n`\n" in text


def test_a_part_is_no_pass():
    text = markdown([view(results("P"), partial="--only x")])
    assert "partial: no gate" in text
    assert "gate passed" not in text


def test_a_command_opens_the_turn():
    assert "`turngate show run/s/1 --turn 2`" in markdown([view([result("F")], finding=FINDING)])


@pytest.mark.parametrize("versions", [1, 3, 12])
def test_it_fits_into_a_comment_and_says_what_is_left_out(versions):
    rows = [result("F", f"s{number}", family=f"f{number % 300}") for number in range(900)]
    big = view(
        rows,
        {**RATE, "each": ["family"]},
        finding=FINDING,
        families={f"f{n}": [] for n in range(300)},
        notes=(HOSTILE,) * 200,
    )
    text = markdown([replace(big, agent=f"a@{n}") for n in range(versions)])
    assert len(text.encode()) <= SIZE < 65_536
    listed = text.count("- ❌ `s")
    left_out = [int(n) for n in re.findall(r"\*(\d+) more failures left out\.\*", text)]
    assert listed + sum(left_out) == 900 * versions
    assert len(re.findall(r"more rows of the gate left out", text)) == versions
    assert not AUTOLINKED.search(plain(text))


def test_there_is_no_total():
    text = markdown([view([*results("PF"), result("P", "x", family="g")], families={"f": [], "g": []})])
    assert not re.search(r"\b2/3\b|2 of 3|67 ?%|total|overall|score", text)


def test_what_broke_against_a_baseline_comes_right_after_the_verdict():
    broke = Against(HOSTILE, "r-1", {"s2": 2, HOSTILE: 1}, 4, 9, {HOSTILE: (HOSTILE,)})
    text = markdown([view([result("F")], finding=FINDING, against=(broke,))])
    assert text.index("#### Broken against") < text.index("#### Rules that did not pass") < text.index("#### Failures")
    assert "Run `r-1`: of 9 episodes in both, 3 broke and 4 were fixed." in text
    assert "- `s2` · 2 trials\n" in text
    assert not AUTOLINKED.search(plain(text))
    kinds = {token.type for token in tokens(text)}
    assert not kinds & {"link_open", "image", "html_inline", "fence", "code_block"}
    assert "Nothing broke." in markdown([view(results("P"), against=(Against("prod", "r-1", {}, 0, 3, {}),))])
