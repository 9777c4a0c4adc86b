"""What is said of a name that may mean several."""

from __future__ import annotations

import pytest

from harness.store.ambiguous import MOST, ambiguous


@pytest.mark.parametrize(
    ("count", "what", "told"),
    [
        (2, "", "c- may be any of 2, c-1, c-2: give the id of one, or enough of it"),
        (6, "replays", "c- may be any of 6 replays, c-1, c-2, c-3, c-4, c-5 …: give the id of one, or enough of it"),
        (MOST, "", f"c- may be any of {MOST} or more, c-1, c-2, c-3, c-4, c-5 …: give the id of one, or enough of it"),
    ],
)
def test_how_many_there_are_is_told_as_far_as_it_is_known(count, what, told):
    assert ambiguous("c-", [f"c-{number}" for number in range(1, count + 1)], what) == told
