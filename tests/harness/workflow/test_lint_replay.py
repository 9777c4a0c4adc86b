"""What is wrong with a replay policy, and with rules on replays, is told with its place."""

import pytest

from harness.workflow.bundle import load
from harness.workflow.problems import Problems
from tests.harness.replay.shop import WORKFLOW


def problems(folder, block):
    (folder / "workflow.yaml").write_text(f"{WORKFLOW}\npassthrough: [track]\n{block}", encoding="utf-8")
    with pytest.raises(Problems) as found:
        load(folder, played=False)
    return str(found.value)


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("replay: {tools: {get_ordr: recorded}}", "no tool `get_ordr`"),
        ("replay: {tools: {get_order: real}}", "real"),
        ("replay: {tools: {track: sandbox}}", "no sandbox has `track`"),
        ("replay: {tools: {track: recorded}, miss: sandbox}", "`miss: sandbox`, and no sandbox has `track`"),
        ("replay: {miss: nearest}", "nearest"),
        ("replay: {ignore: [get_order]}", "names no argument"),
        ("replay: {ignore: [get_ordr.order_id]}", "no tool `get_ordr`"),
        ("replay: {ignore: [get_order.order]}", "no argument of `get_order` `order`"),
        ("replay: {normalise: {get_order.order: [case]}}", "no argument of `get_order` `order`"),
        ("replay: {normalise: {get_order.order_id: [upper]}}", "upper"),
    ],
)
def test_a_wrong_policy(tmp_path, block, told):
    text = problems(tmp_path, block)
    assert told in text
    assert "workflow.yaml:" in text


def test_a_right_one(tmp_path):
    block = (
        'replay: {tools: {get_order: recorded, "*": sandbox}, ignore: ["*.trace", get_order.*], '
        "normalise: {set_note.note: [case, spaces]}, miss: error}"
    )
    (tmp_path / "workflow.yaml").write_text(f"{WORKFLOW}\n{block}", encoding="utf-8")
    policy = load(tmp_path, played=False).workflow.replay
    assert (policy.miss, policy.ignore) == ("error", ["*.trace", "get_order.*"])


@pytest.mark.parametrize(
    "block", ["gate: [{rule: r, level: continue, worse: 0}]", "gate: [{rule: r, level: turns, worse: -1}]"]
)
def test_a_rule_that_can_not_be_meant(tmp_path, block):
    assert "workflow.yaml:" in problems(tmp_path, block)


def test_a_rule_on_replays_is_no_familys(tmp_path):
    text = WORKFLOW.replace("gate: [{rule: nothing", "gate: [{rule: r, level: turns, worse: 0}, {rule: nothing")
    (tmp_path / "workflow.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(Problems, match="recordings are of no family"):
        load(tmp_path, played=False)
