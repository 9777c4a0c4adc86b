"""Telling a model provider's outage from an agent's own failure, by the exception that the provider's client raises."""

from __future__ import annotations

from harness.agents.problem import OutageError
from harness.agents.usercode import with_causes

_STATUS = frozenset({"InternalServerError", "RateLimitError", "ServiceUnavailableError"})
_SDK = _STATUS | {"APIConnectionError", "APITimeoutError", "DeadlineExceededError", "OverloadedError"}
_HTTP = frozenset({"TimeoutException", "NetworkError", "RemoteProtocolError", "ProxyError"})

OUTAGES = {
    "openai": _SDK,
    "anthropic": _SDK,
    "litellm": _SDK | {"Timeout", "BadGatewayError"},
    "groq": _SDK,
    "httpx": _HTTP,
    "httpx2": _HTTP,
    "httpcore": _HTTP,
    "httpcore2": _HTTP,
    "requests": frozenset({"ConnectionError", "Timeout"}),
    "google": frozenset({"ServerError", "TooManyRequests", "RetryError"}),
    "botocore": frozenset({"ConnectionError", "HTTPClientError", "ThrottlingException"}),
}
"""By a client's top package, the exception classes that say that the provider could not be reached, was overloaded or
failed; the classes below them are meant too. A wrong key, a refused request or a malformed address is none of these.
"""


def is_outage(error: BaseException) -> bool:
    """Whether an exception, or one that led to it, is a provider's outage. A ConnectionError or TimeoutError of Python
    alone is not: it may come from anything that the agent does.
    """
    return any(kind is OutageError or _is_listed(kind) for one in with_causes(error) for kind in type(one).__mro__)


def _is_listed(kind: type) -> bool:
    return kind.__name__ in OUTAGES.get(kind.__module__.partition(".")[0], ())
