"""One attempt to get an answer, and what came of it in our own words.

The client's exceptions are never passed on: their texts and causes may repeat the key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from harness.llm.access import Endpoint
from harness.llm.problem import ModelProblem, RequestRefusedError, TransientError
from harness.llm.retry import retry_after

if TYPE_CHECKING:
    from openai import APIError, APIStatusError

T = TypeVar("T")

_PASSING = frozenset({408, 409, 429})
_TOO_MANY = "rate_limit_exceeded"
_NO_MONEY = "insufficient_quota"


async def attempted(ask: Callable[[], Awaitable[T]], endpoint: Endpoint, model: str, seconds: float) -> T:
    """What `ask` gives, if it does so within this time.

    Raises TransientError, RequestRefusedError, and ModelProblem where the key or the model is not accepted.
    """
    import httpx2
    from openai import APIError

    try:
        async with asyncio.timeout(seconds):
            return await ask()
    except TimeoutError:
        problem: Exception = TransientError(f"no answer from {endpoint.shown} within {seconds:g} s")
    except APIError as error:
        problem = _told(error, endpoint, model)
    except httpx2.HTTPError as error:
        problem = TransientError(f"the connection to {endpoint.shown} failed: {type(error).__name__}")
    except ValueError as error:
        problem = TransientError(endpoint.without_key(f"{endpoint.shown} answered with {_body(error)}"))
    raise problem


def _told(error: APIError, endpoint: Endpoint, model: str) -> Exception:
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    said = endpoint.without_key(message_of(error))
    if isinstance(error, APITimeoutError):
        return TransientError(f"no answer from {endpoint.shown}")
    if isinstance(error, APIConnectionError):
        cause = error.__cause__
        return TransientError(f"{endpoint.shown} can't be reached: {cause or said}")
    if isinstance(error, APIStatusError):
        return _told_by_status(error, said, endpoint, model)
    return TransientError(f"{endpoint.shown}: {said}", limited=error.code == _TOO_MANY)


def message_of(error: APIError) -> str:
    """What the provider says, without the client's words around it; of a page, its beginning."""
    told = error.body.get("message") if isinstance(error.body, dict) else None
    return str(told or error.message)[:500]


def _told_by_status(error: APIStatusError, said: str, endpoint: Endpoint, model: str) -> Exception:
    status, where = error.status_code, endpoint.shown
    if status == 401:
        return ModelProblem(f"{where} does not accept the key in OPENAI_API_KEY (401): {said}")
    if status == 403:
        return ModelProblem(f"{where} does not let this key use the model `{model}` (403): {said}")
    if status == 404:
        return ModelProblem(f"{where} has no model `{model}`, or is no address of this API (404): {said}")
    if error.code == _NO_MONEY:
        return ModelProblem(f"{where}: the account of this key has no money left ({status}): {said}")
    if status in _PASSING or status >= 500:
        after = retry_after(error.response.headers)
        return TransientError(f"{where} answered with status {status}: {said}", limited=status == 429, after=after)
    return RequestRefusedError(f"{where} refuses the request ({status}): {said}")


def _body(error: ValueError) -> str:
    """What was there instead of an answer: a ValueError of our own says it, one of the JSON reader does not."""
    import json

    return f"what is no JSON ({error})" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
