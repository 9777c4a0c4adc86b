"""What the two APIs that a model is asked through have in common."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from harness.llm.messages import Answer, Message
from tools_sandbox.schema import ToolSpec

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Request = dict[str, Any]
Body = dict[str, Any]

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class Dialect(Protocol):
    """One API. `path`: below the base URL; `own`: parts of a request that are made here, and no one else's to set."""

    path: str
    own: frozenset[str]

    def request(
        self,
        model: str,
        instructions: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        parameters: Mapping[str, Any],
    ) -> Request:
        """The request for an answer to the last of these messages."""
        ...

    async def streamed(self, client: AsyncOpenAI, request: Request) -> Body:
        """Ask for a stream, and give what it comes to: the body as it would have been without one.

        Raises ValueError if it ends early, and what the client raises.
        """
        ...

    def read(self, body: Any) -> Answer:
        """The answer that is in a body. Raises ValueError if there is none."""
        ...


async def posted(client: AsyncOpenAI, path: str, request: Request) -> Any:
    """The JSON that comes back. Raises ValueError if it is none, and what the client raises."""
    import httpx2

    response = await client.post(path, cast_to=httpx2.Response, body=request)
    return json.loads(response.content)


async def events(client: AsyncOpenAI, path: str, request: Request) -> AsyncIterator[dict[str, Any]]:
    """The JSON objects of a stream. Raises ValueError if one is none, and what the client raises."""
    from openai import AsyncStream

    body = {**request, "stream": True}
    stream = await client.post(path, cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object])
    async with stream:
        async for event in stream:
            if not isinstance(event, dict):
                raise ValueError("a stream of something else than JSON objects")
            yield event


def well_formed(request: Request) -> Request:
    """A request that can be sent as UTF-8: halves of a character that a tool or a model gave are replaced."""
    text = json.dumps(request, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        mended: Request = json.loads(text.encode("utf-8", "replace"))
        return mended
    return request


@contextmanager
def reading(body: Any) -> Iterator[None]:
    """What is read within is JSON of any shape: where it is not that of an answer, ValueError says so."""
    try:
        yield
    except (AttributeError, TypeError, LookupError):
        raise wrong_body(body) from None


def sendable_name(name: str) -> str:
    """A tool's name as an API takes it back in the history: with what else the model wrote replaced."""
    return _NOT_IN_NAMES.sub("_", name)[:64] or "unnamed"


def sendable_arguments(arguments: Any) -> str:
    """Arguments as an API takes them back: JSON of an object. Some servers refuse the whole conversation for a bad one,
    and the error result says what was wrong with it.
    """
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return "{}"
    if not isinstance(given, dict):
        return "{}"
    return arguments if isinstance(arguments, str) else json.dumps(given, ensure_ascii=False)


def wrong_body(body: Any) -> ValueError:
    """Why a body is no answer; some servers send an error with status 200."""
    error = body.get("error") if isinstance(body, dict) else None
    told = error.get("message") if isinstance(error, dict) else error
    return ValueError(f"an error: {told}" if told else f"something that is no answer: {json.dumps(body)[:200]}")
