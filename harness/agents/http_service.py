"""One service over HTTP: a request, its answer, and whose fault it is where there is none."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import ssl
from collections.abc import Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from harness import __version__
from harness.agents.http_answer import PATHS, Answer, NoReplyError, read_answer
from harness.agents.problem import AgentError, AgentProblem, OutageError
from harness.loops import PerLoop
from harness.model.remote import ENVIRONMENT, HttpAgent, place_of
from tools_sandbox.call import Json

MAX_BYTES = 4_000_000
"""The longest answer that is read."""

_SECRET_LENGTH = 8
"""What is shorter may well stand in an answer for another reason."""

_CONNECT_SECONDS = 10.0
_IDLE_SECONDS = 1.0
"""How long a connection is kept for the next request: less than servers keep it, lest it closes under a request."""

_RETRIES = (0.2, 0.6)
"""Seconds to wait before a connection that was refused, over which nothing was sent, is tried again."""

_JSON = re.compile(r"application/(?:[\w.-]+\+)?json", re.IGNORECASE)

_BUSY = frozenset({408, 429, 502, 503, 504})
"""What gateways and limiters say: the agent has not failed, it was not reached."""


class Service:
    """A service that answers. All episodes of a process share its connections, and no cookie: a conversation is told by
    its id alone.

    Until it has given one usable answer, what shows that another service or key was meant is a mistake of whoever named
    it (AgentProblem). Later it is a failure of the agent (AgentError), or an outage (OutageError).
    """

    def __init__(self, spec: HttpAgent) -> None:
        self.place = place_of(spec.url)
        try:
            self._url = httpx.URL(spec.url)
        except httpx.InvalidURL as error:
            raise AgentProblem(f"`{self.place}` is no address: {error}") from None
        self._paths = PATHS if spec.reply is None else spec.reply.written
        self._secrets: list[str] = []
        self._headers = {name: self._filled(name, value) for name, value in spec.headers.items()}
        self._heard = False
        self._connections = PerLoop(_connections)

    async def connections(self) -> httpx.AsyncClient:
        """Those of the running loop, which closes them when it ends. The first time they take a while to be made."""
        return await self._connections.get()

    async def ask(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send one request, and read its answer. It is sent again only where nothing of it was sent."""
        document = self._document(await self._post(body, headers))
        try:
            answer = read_answer(document, self._paths)
        except NoReplyError as error:
            raise self._wrong(f"{self.place}: {error}; `reply:` says where to look") from None
        self._heard = True
        return answer

    def _filled(self, name: str, value: str) -> str:
        """A header's value with the variables that it names."""
        for variable in ENVIRONMENT.findall(value):
            secret = os.environ.get(variable, "")
            if not secret:
                raise AgentProblem(f"agent {self.place}: `{name}` needs the variable {variable}, which is not set")
            if not (secret.isascii() and secret.isprintable()):
                raise AgentProblem(f"agent {self.place}: the variable {variable} can't be sent in the header `{name}`")
            self._secrets += [secret] if len(secret) >= _SECRET_LENGTH else []
        return ENVIRONMENT.sub(lambda found: os.environ[found[1]], value)

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> httpx.Response:
        waits = iter(_RETRIES)
        while True:
            try:
                return await self._send(body, headers)
            except httpx.ConnectError as error:
                self._hold_connected(error)
                if (wait := next(waits, None)) is None:
                    raise OutageError(f"nothing answers at {self.place}: {_reason(error)}") from None
                await asyncio.sleep(wait)
            except httpx.ConnectTimeout:
                raise OutageError(f"{self.place} can't be reached within {_CONNECT_SECONDS:g} s") from None
            except httpx.ProxyError as error:
                raise OutageError(f"{self.place} can't be reached through the proxy: {_reason(error)}") from None
            except httpx.HTTPError as error:
                # It has had the request. Whether it acted on it nobody knows, so that it must not get it twice.
                raise AgentError(f"{self.place} broke off instead of answering: {_reason(error)}") from None

    async def _send(self, body: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """The response, with as much of its content as may be read."""
        client = await self.connections()
        async with client.stream("POST", self._url, content=body, headers={**self._headers, **headers}) as response:
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > MAX_BYTES:
                    raise AgentError(f"{self.place} gave an answer of more than {MAX_BYTES:,} bytes")
        for secret in self._secrets:
            content = content.replace(secret.encode(), b"[masked]")
        read = httpx.Response(response.status_code, content=bytes(content))
        read.headers.update({name: response.headers.get(name, "") for name in ("content-type", "location")})
        return read

    def _hold_connected(self, error: httpx.ConnectError) -> None:
        """Raise what won't change when it is tried again: a name that nobody has, a certificate that doesn't hold."""
        cause = _root(error)
        if isinstance(cause, socket.gaierror):
            raise self._wrong(f"{self.place}: there is no such host: {_reason(error)}", OutageError) from None
        if isinstance(cause, ssl.SSLError):
            raise self._wrong(f"{self.place} gives no secure connection: {_reason(error)}", OutageError) from None

    def _document(self, response: httpx.Response) -> Json:
        """The JSON of a response. Raises what its status means, or that it is no JSON."""
        if not 200 <= response.status_code < 300:
            raise self._refusal(response)
        kind = response.headers["content-type"].partition(";")[0].strip()
        if not _JSON.fullmatch(kind):
            kind = kind or "without a content type"
            raise AgentError(f"{self.place} answered {kind}, not application/json: {_excerpt(response)}")
        try:
            return json.loads(response.content, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise AgentError(f"{self.place} gave an answer that is not JSON ({error}): {_excerpt(response)}") from None

    def _refusal(self, response: httpx.Response) -> Exception:
        status = response.status_code
        said = f"{self.place} answered {status} {response.reason_phrase}".rstrip()
        if status in _BUSY:
            return OutageError(f"{said}: {_excerpt(response)}")
        if status >= 500:
            return AgentError(f"{said}: {_excerpt(response)}")
        if status < 400:
            where = response.headers["location"].partition("?")[0]
            return self._wrong(f"{said}, to {where or 'nowhere'}: redirects are not followed, name that address")
        if status in (401, 403):
            said += "; credentials are sent as `headers: {Authorization: env:NAME}`"
        # A key that was taken before has run out: that is not the agent's doing.
        later = OutageError if status in (401, 407) else AgentError
        return self._wrong(f"{said}: {_excerpt(response)}", later)

    def _wrong(self, text: str, later: type[Exception] = AgentError) -> Exception:
        return later(text) if self._heard else AgentProblem(f"agent {text}")


def _connections() -> httpx.AsyncClient:
    return httpx.AsyncClient(
        headers={"user-agent": f"turngate/{__version__}", "accept": "application/json"},
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
        limits=httpx.Limits(keepalive_expiry=_IDLE_SECONDS),
    )


def _root(error: BaseException) -> BaseException:
    """What it began with, at the bottom of libraries that hide it."""
    while (below := error.__cause__ or error.__context__) is not None:
        error = below
    return error


def _reason(error: Exception) -> str:
    root = _root(error)
    if isinstance(root, ssl.SSLError):
        return getattr(root, "verify_message", None) or root.reason or str(root)
    if isinstance(root, ConnectionError) and root.errno:
        return os.strerror(root.errno).lower()
    return getattr(root, "strerror", None) or str(root) or type(root).__name__


def _excerpt(response: httpx.Response) -> str:
    text = " ".join(response.content[:1000].decode("utf-8", "replace").split())
    return text[:200] or "(empty)"


def _no_number(text: str) -> Json:
    raise ValueError(f"{text} is no number in JSON")
