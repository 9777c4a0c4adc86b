"""Whose code a file is."""

from __future__ import annotations

import json
from pathlib import Path

import harness
from harness.agents.usercode import is_user_file

PACKAGE = Path(harness.__file__).parent


def test_the_bundled_workflow_in_the_package_is_read_as_a_users_own():
    assert is_user_file(str(PACKAGE / "workflows" / "customer_service" / "agent.py"))


def test_the_harness_the_libraries_and_what_has_no_file_are_not():
    assert not is_user_file(str(PACKAGE / "workflow" / "bundle.py"))
    assert not is_user_file(json.__file__)
    assert not is_user_file("<string>")
    assert is_user_file("/home/ana/shop/agent.py")
