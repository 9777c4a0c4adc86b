from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.drafts.edit import CannotEdit, line_of, replace_key

GOLD = [{"reply": "Hello."}]
WRITTEN = "  gold:\n    - reply: Hello.\n"


def edited(folder: Path, text: str | bytes, scenario="b", key="gold", value=GOLD) -> str:
    file = folder / "s.yaml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    replace_key(file, scenario, key, value)
    return file.read_bytes().decode()


def test_a_key_that_is_there_is_replaced_and_all_else_stays(tmp_path):
    before = "# top\n- id: a   # first\n  gold: [x]\n\n# second\n- id: b\n  # why\n"
    after = "\n  # after\n  title: 'B'\n# end\n- id: c\n"
    assert edited(tmp_path, f"{before}  gold:\n    - reply: old\n      # in it\n    - reply: x\n{after}") == (
        f"{before}{WRITTEN}{after}"
    )


def test_the_line_that_a_key_stands_in(tmp_path):
    (tmp_path / "s.yaml").write_text("- id: a\n  gold: [x]\n- id: b\n  # why\n  gold: [x]\n- id: c\n")
    assert [line_of(tmp_path / "s.yaml", each, "gold") for each in "abc"] == [2, 5, None]
    with pytest.raises(CannotEdit, match="no scenario `d`"):
        line_of(tmp_path / "s.yaml", "d", "gold")


def test_a_key_that_is_not_there_comes_at_the_end_of_its_scenario(tmp_path):
    text = "- id: a\n  title: A\n- id: b\n  title: B # nice\n\n# about c\n- id: c\n"
    assert edited(tmp_path, text) == (
        f"- id: a\n  title: A\n- id: b\n  title: B # nice\n{WRITTEN}\n# about c\n- id: c\n"
    )


def test_a_file_without_a_last_line_break(tmp_path):
    assert edited(tmp_path, "- id: b") == f"- id: b\n{WRITTEN}"
    assert edited(tmp_path, "- id: b\n  gold: []") == f"- id: b\n{WRITTEN}"


def test_a_file_with_one_scenario(tmp_path):
    assert edited(tmp_path, "id: b\ngold: []\ntitle: B\n") == "id: b\ngold:\n  - reply: Hello.\ntitle: B\n"


def test_the_first_key_of_a_scenario(tmp_path):
    assert edited(tmp_path, "- gold: [x]\n  id: b\n") == "- gold:\n    - reply: Hello.\n  id: b\n"
    assert edited(tmp_path, "-   gold: [x]\n    id: b\n") == "-   gold:\n      - reply: Hello.\n    id: b\n"


def test_line_ends_and_the_byte_order_mark_stay(tmp_path):
    crlf = "- id: b\r\n  gold: []\r\n  title: é\r\n"
    assert edited(tmp_path, crlf) == "- id: b\r\n  gold:\r\n    - reply: Hello.\r\n  title: é\r\n"
    assert edited(tmp_path, "\ufeff- id: b\n") == f"\ufeff- id: b\n{WRITTEN}"


@pytest.mark.parametrize(
    "old",
    [
        "",
        " ",
        " []",
        " [x,\n    y]",
        "\n  - a",
        "\n    - reply: |\n        one\n        # no comment\n\n        two\n",
        "\n    - reply: >-\n        one\n",
        ' "a\n    b"',
        "\n    - a: {b: [c,\n       d]}",
        " null",
        "\n    -\n    -",
        "\n    - - x\n      - y",
    ],
)
def test_any_old_value_goes_whole(tmp_path, old):
    rest = "  title: B\n- id: c\n"
    assert edited(tmp_path, f"- id: b\n  gold:{old}\n{rest}").replace("\n\n", "\n") == f"- id: b\n{WRITTEN}{rest}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- {id: b, gold: []}\n", "block style"),
        ("- id: b\n  gold: &g [x]\n- id: c\n  gold: *g\n", "no anchor"),
        ("- id: a\n", "no scenario `b`"),
        ("b\n", "no scenario `b`"),
        ("", "no scenario `b`"),
        ("- id: b\n gold: x\n  y: [", "no YAML"),
        (b"- id: b\n  title: \xff\n", "no YAML"),
        ("- id: b\n  t: \x00\n", "no YAML"),
    ],
)
def test_what_cannot_be_edited_is_left_as_it_is(tmp_path, text, why):
    with pytest.raises(CannotEdit, match=why):
        edited(tmp_path, text)
    written = text.encode() if isinstance(text, str) else text
    assert (tmp_path / "s.yaml").read_bytes() == written
    assert os.listdir(tmp_path) == ["s.yaml"]


def test_rights_and_links_stay(tmp_path):
    (tmp_path / "real").mkdir()
    file = tmp_path / "real" / "s.yaml"
    file.write_text("- id: b\n")
    file.chmod(0o640)
    (tmp_path / "link.yaml").symlink_to(file)
    replace_key(tmp_path / "link.yaml", "b", "gold", GOLD)
    assert (tmp_path / "link.yaml").is_symlink()
    assert file.read_text() == f"- id: b\n{WRITTEN}"
    assert file.stat().st_mode & 0o777 == 0o640


COMMENT = st.sampled_from(["", "\n", "# note\n", "  # deep\n\n"])
VALUE = st.sampled_from(
    [
        "x",
        "'a: b'",
        "[1, {c: d}]",
        "\n    - p\n    - q: r",
        "|\n    text\n    # text",
        ">-\n    a\n\n    b",
        '"x\n    y"',
    ]
)
KEY = st.tuples(st.sampled_from(["title", "user", "expect", "gold", "given"]), VALUE, COMMENT)
SCENARIOS = st.lists(
    st.tuples(COMMENT, st.lists(KEY, max_size=4, unique_by=lambda key: key[0])), min_size=1, max_size=4
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=50
)
@given(SCENARIOS, st.data())
def test_only_the_one_key_changes_in_any_layout(tmp_path, layout, data):
    text = ""
    for number, (comment, keys) in enumerate(layout):
        text += f"{comment}- id: s{number}\n"
        for key, value, after in keys:
            text += f"  {key}: {value}\n{after}"
    chosen = f"s{data.draw(st.integers(0, len(layout) - 1))}"
    after = edited(tmp_path, text, chosen)
    expected = yaml.safe_load(text)
    for each in expected:
        if each["id"] == chosen:
            each["gold"] = GOLD
    assert yaml.safe_load(after) == expected
    kept = [line for line in text.splitlines() if line.strip() in ("# note", "# deep")]
    assert [line for line in after.splitlines() if line.strip() in ("# note", "# deep")] == kept
    assert edited(tmp_path, after, chosen) == after
