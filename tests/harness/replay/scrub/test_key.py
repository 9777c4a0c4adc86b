"""The key for stand-ins."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.replay.scrub.key import NAME, key_in


def test_it_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: key_in(tmp_path / "store"), range(8)))
    assert len(keys) == 1
    assert key_in(tmp_path / "store") in keys
    assert [each.name for each in (tmp_path / "store").iterdir()] == [NAME]
    assert stat.S_IMODE((tmp_path / "store" / NAME).stat().st_mode) == 0o600


def test_what_is_no_key_is_told_and_left(tmp_path):
    (tmp_path / NAME).write_text("hello")
    with pytest.raises(ValueError, match=r"scrub\.key: this is no key"):
        key_in(tmp_path)
    assert (tmp_path / NAME).read_text() == "hello"
