import doctest
import subprocess
import sys

import pytest

import tools_sandbox


def test_the_example_works():
    assert doctest.testmod(tools_sandbox).attempted > 5
    assert doctest.testmod(tools_sandbox).failed == 0


def test_every_public_name_is_there():
    for name in tools_sandbox.__all__:
        assert getattr(tools_sandbox, name) is not None
    with pytest.raises(AttributeError, match="Nothing"):
        tools_sandbox.Nothing  # noqa: B018


def test_data_types_alone_import_nothing_heavy():
    code = "import sys, tools_sandbox.call, tools_sandbox.schema, tools_sandbox.patterns; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pydantic", "opentelemetry", "scipy"} & set(loaded)
