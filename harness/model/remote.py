"""An agent that is a service behind an address, as it is written: how it is asked, and where its answer stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

from pydantic import model_validator

from harness.model.source import Flag, Free, Item, Text
from tools_sandbox.nearest import hint

FIELDS = (
    "message",
    "conversation_id",
    "turn",
    "history",
    "tools",
    "tool_results",
    "openai_messages",
    "openai_tools",
    "clock",
    "seed",
    "otlp_endpoint",
)
"""What `{names}` of a body stand for."""

OTLP_ENDPOINT = "x-otlp-endpoint"
"""The header that tells a service where its spans may be sent."""

OWN_HEADERS = ("traceparent", "x-conversation-id", OTLP_ENDPOINT, "content-type", "content-length", "accept")
"""Headers that every request has, and nobody may set."""

REQUESTS = "turngate.http"
"""Scope of the spans of the requests that a service gets."""

FIELD = re.compile(r"\{([a-z_]+)\}")
ENVIRONMENT = re.compile(r"\benv:([A-Za-z_][A-Za-z0-9_]*)")
"""Stands for a variable's value, anywhere in the text of a header."""

_SECRET = re.compile(
    r"authorization|cookie|token|secret|passw|credential|signature|^(?:key|code|sig)$"
    r"|(?:api|access|auth|private|subscription|functions?)[-_]?key$",
    re.IGNORECASE,
)
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


class ReplyPaths(Item):
    """Where in an answer what stands: dotted paths, a number for a member of a list, `*` for each of its members."""

    text: Text | None = None
    messages: Text | None = None
    outcome: Text | None = None
    confidence: Text | None = None
    usage: Text | None = None
    model: Text | None = None
    tool_calls: Text | None = None
    called: Text | None = None

    @model_validator(mode="after")
    def _one_text(self) -> ReplyPaths:
        if (self.text is None) == (self.messages is None):
            raise ValueError("a reply has either `text` or `messages`")
        return self

    @property
    def written(self) -> dict[str, str]:
        """The paths by what is there."""
        return {name: path for name in PARTS if (path := getattr(self, name)) is not None}


PARTS = ReplyPaths.keys()
"""What may stand in an answer."""


class HttpAgent(Item):
    """A service. Without `body` and `reply` it speaks turngate's own form. `version`: what runs there, as its owner
    names it, for it can't be told from outside. A header's `env:NAME` stands for the variable's value. `spans`: whether
    it sends spans to the endpoint that it is told.
    """

    url: Text
    version: Text | None = None
    headers: dict[str, Text] = {}
    body: Free = None
    reply: ReplyPaths | None = None
    spans: Flag | None = None


def mistakes(agent: HttpAgent) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong with it: the path of keys to the place, and the text."""
    if wrong := _wrong_address(agent.url):
        yield ("url",), wrong
    for name, value in agent.headers.items():
        if wrong := _wrong_header(name, value):
            yield ("headers", name), wrong
    for wrong in _wrong_fields(agent.body):
        yield ("body",), wrong


def _wrong_address(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname is not None and parts.port != 0
    except ValueError:
        known = False
    if not known or re.search(r"[\s\x00-\x1f\x7f]", url):
        return f"`{_bare(url)}` is no address such as https://host/path"
    if parts.username is not None or parts.password is not None:
        return "an address holds no user and password: send them in a header, `Authorization: env:NAME`"
    secret = next((name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if _SECRET.search(name)), None)
    if secret is not None:
        return f"`{secret}` in an address looks like a secret: send it in a header, as `env:NAME`"
    return None


def _bare(url: str) -> str:
    """An address without what may be secret in it."""
    return re.sub(r"//[^/@]*@", "//…@", url).partition("?")[0]


def _wrong_header(name: str, value: str) -> str | None:
    if not _HEADER.fullmatch(name):
        return f"`{name}` is no name of a header"
    if name.lower() in OWN_HEADERS:
        return f"`{name}` is set by turngate itself"
    if re.search(r"[\x00-\x1f\x7f]", value):
        return f"the value of `{name}` has a line break or another control character"
    if _SECRET.search(name) and not ENVIRONMENT.search(value):
        return f"`{name}` looks like a secret, and a file is no place for one: write `env:NAME`, and set that variable"
    return None


def _wrong_fields(body: Any) -> Iterator[str]:
    if isinstance(body, dict):
        if len(body) == 1 and (name := next(iter(body))) in FIELDS and body[name] is None:
            yield f'YAML takes {{{name}}} for a mapping: quote it, "{{{name}}}"'
        for member in body.values():
            yield from _wrong_fields(member)
    elif isinstance(body, list):
        for member in body:
            yield from _wrong_fields(member)
    elif isinstance(body, str):
        unknown = (name for name in FIELD.findall(body) if name not in FIELDS)
        yield from (f"there is no field `{{{name}}}`; {hint(name, FIELDS)}" for name in unknown)


def place_of(url: str) -> str:
    """`host:port/path`: how a service is called, without what may be secret in its address."""
    parts: SplitResult = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
