from __future__ import annotations

from typing import Any

import pytest

from harness.model.expect import literally
from tools_sandbox.matching import mismatches

WORDY: list[Any] = [{"one_of": "x"}, {"between": [1]}, {"contains": "x"}, {"any": False}, {"mentions": {}}, "any", []]


@pytest.mark.parametrize("value", WORDY, ids=repr)
def test_a_value_that_reads_like_a_matcher_fits_itself_alone(value: Any) -> None:
    pattern = literally({"size": value})
    assert not mismatches(pattern, {"size": value})
    assert mismatches(pattern, {"size": "something else"})
