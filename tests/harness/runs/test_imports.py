from __future__ import annotations

import subprocess
import sys

import pytest

from tests.harness.desk import environment

SLOW = ("scipy", "numpy", "langgraph", "langchain_core", "deepdiff", "sqlalchemy.dialects.postgresql")


@pytest.mark.parametrize("module", ["harness.runs.prepare", "harness.runs.rehearse", "harness.store.store"])
def test_what_only_some_runs_need_is_not_imported_by_all(module):
    program = f"import sys, {module}; print(*(name for name in {SLOW!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
