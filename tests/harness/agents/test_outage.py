"""Which exceptions of an agent are its provider's outage."""

from __future__ import annotations

import httpx
import httpx2
import pytest

from harness.agents.outage import is_outage


def made(module: str, name: str, *bases: type[Exception]) -> Exception:
    """An exception of a class as a provider's client has it."""
    return type(name, bases or (Exception,), {"__module__": module})("no answer")


def within(error: Exception, *, cause: bool) -> Exception:
    """An exception that another one led to, as `raise … from` or by being handled."""
    try:
        try:
            raise error
        except Exception as first:
            if cause:
                raise ValueError("the model did not answer") from first
            {}["answer"]
    except Exception as second:
        return second
    raise AssertionError


@pytest.mark.parametrize(
    "error",
    [
        made("openai", "APIConnectionError"),
        made("openai", "APITimeoutError"),
        made("openai", "RateLimitError"),
        made("openai", "InternalServerError"),
        made("anthropic._exceptions", "OverloadedError"),
        made(
            "google.api_core.exceptions",
            "ServiceUnavailable",
            type(made("google.api_core.exceptions", "ServerError")),
        ),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx2.ReadTimeout("slow"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_providers_outage_is_known_wherever_it_stands_in_the_chain(error):
    assert is_outage(error)
    assert is_outage(within(error, cause=True))
    assert is_outage(within(error, cause=False))
    assert is_outage(ExceptionGroup("both", [ValueError("x"), error]))


@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("my database"),
        TimeoutError(),
        made("openai", "AuthenticationError"),
        made("openai", "BadRequestError"),
        made("my_agent", "RateLimitError"),
        httpx.UnsupportedProtocol("no scheme"),
        httpx.HTTPStatusError("404", request=None, response=None),
    ],
    ids=lambda error: type(error).__name__,
)
def test_all_else_is_the_agents_own(error):
    assert not is_outage(error)


def test_an_outage_that_the_agent_took_leave_of_is_none():
    error = within(httpx.ConnectError("refused"), cause=False)
    error.__suppress_context__ = True  # as `raise … from None` does
    assert not is_outage(error)


def test_causes_in_a_circle_end():
    one, two = ValueError("a"), ValueError("b")
    one.__cause__, two.__cause__ = two, one
    assert not is_outage(one)
