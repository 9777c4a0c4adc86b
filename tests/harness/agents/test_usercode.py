"""Whose code a file is, and where in it an error arose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import harness
import tools_sandbox
from harness.agents.usercode import is_user_file, place_of
from harness.store.codec import decode_text

HERE = Path(__file__)
PACKAGE = Path(harness.__file__).parent


def test_the_bundled_workflow_in_the_package_is_read_as_a_users_own():
    assert is_user_file(str(PACKAGE / "workflows" / "customer_service" / "agent.py"))


def test_the_harness_the_libraries_and_what_has_no_file_are_not():
    assert not is_user_file(str(PACKAGE / "workflow" / "bundle.py"))
    assert not is_user_file(tools_sandbox.__file__)
    assert not is_user_file(json.__file__)
    assert not is_user_file("<string>")
    assert is_user_file("/srv/shop/agent.py")


def raised(function, *arguments):
    with pytest.raises(BaseException) as caught:  # noqa: PT011  whatever the function raises
        function(*arguments)
    return caught.value


def reads(text):
    return json.loads(text)


def test_the_last_frame_of_the_users_own_code_is_told():
    assert place_of(raised(reads, "{")) == f"{HERE}:38 in reads"


def test_an_exception_without_such_a_frame_is_told_by_what_led_to_it():
    first = raised(reads, "{")
    for other in (RuntimeError("contained"), ExceptionGroup("some", [KeyError(), first])):
        other.__cause__ = first
        assert place_of(other) == f"{HERE}:38 in reads"


def test_what_was_hidden_on_purpose_is_not_told():
    def hides():
        try:
            reads("{")
        except ValueError:
            raise KeyError("order") from None

    assert place_of(raised(hides)).endswith("in test_what_was_hidden_on_purpose_is_not_told.<locals>.hides")


@pytest.mark.parametrize("function", [json.loads, decode_text])
def test_what_came_through_none_of_the_users_code_has_no_place_that_a_user_could_mend(function):
    error = raised(function, b"\xff")
    while error.__traceback__ and is_user_file(error.__traceback__.tb_frame.f_code.co_filename):
        error.__traceback__ = error.__traceback__.tb_next
    assert error.__traceback__ is not None
    assert place_of(error) is None
    assert place_of(ValueError("never raised")) is None


def test_exceptions_that_led_to_each_other_in_a_circle():
    one, other = ValueError(), ValueError()
    one.__context__, other.__context__ = other, one
    assert place_of(one) is None
