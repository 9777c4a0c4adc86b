"""Whatever is done to the files of a bundle, loading ends well or in problems whose places exist."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.workflow.bundle import load
from harness.workflow.problems import Problem, Problems
from tests.harness.workflow.bundles import assert_inside

SHOP = Path(__file__).parent / "data" / "shop"
FILES = ("workflow.yaml", "scenarios/refunds.yaml")
PIECES = st.sampled_from(
    ["{", "}", "[", "]", ": ", "- ", "null", "clock - 1 day", "[]", "{}", "\n", "\t", "#", "'", '"', "*a", "&a ",
     "<<: ", "any", "contains: [1]", "between: [1]", "one_of: []", "code: PO1", "$at: 3", "tool: x", "reply: z", "🙂",
     "\x00", "!!int 3", "budget: {cost: x}", "-1", "1e99999999999999999999", "9" * 5000,
     "variant_of: refund-broken-blender"]
)  # fmt: skip


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(SHOP, tmp_path_factory.mktemp("places") / "shop"))


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.sampled_from(FILES), st.floats(0, 1), st.integers(0, 12), PIECES, st.booleans())
def test_every_problem_lies_within_its_file(
    shop: Path, name: str, share: float, length: int, piece: str, line: bool
) -> None:
    text = (SHOP / name).read_text(encoding="utf-8")
    start = int(share * len(text))
    if line:
        start = text.rfind("\n", 0, start) + 1
    (shop / name).write_text(text[:start] + piece + text[start + length :], encoding="utf-8")
    for problem in what_is_wrong(shop):
        assert_inside(problem)
    (shop / name).write_text(text, encoding="utf-8")


def what_is_wrong(shop: Path) -> tuple[Problem, ...]:
    try:
        load(shop)
    except Problems as error:
        return error.problems
    return ()
