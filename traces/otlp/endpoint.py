"""Where telemetry is sent to: an OTLP endpoint, from an address or the standard environment variables.

https://opentelemetry.io/docs/specs/otel/protocol/exporter/; the time-out is in seconds, as in OpenTelemetry's Python.
"""

from __future__ import annotations

import math
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

Signal = Literal["traces", "logs"]
_PREFIX = "OTEL_EXPORTER_OTLP_"
_COMPRESSIONS = ("none", "gzip", "deflate")
_TIMEOUT = 10.0


class EndpointProblem(ValueError):
    """Where or how to send can't be meant; the text says what to set."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the records of one signal go, and how. `timeout`: seconds for one request."""

    url: str
    headers: dict[str, str] = field(default_factory=dict)
    timeout: float = _TIMEOUT
    compression: str = "none"
    certificate: str | None = None
    client_certificate: str | None = None
    client_key: str | None = None

    @classmethod
    def of(cls, signal: Signal, base: str | None, environment: Mapping[str, str]) -> Endpoint:
        """The endpoint of a signal. `base`: the address that was asked for, which goes before the variables."""

        def setting(name: str) -> str | None:
            own = environment.get(f"{_PREFIX}{signal.upper()}_{name}")
            return own or environment.get(f"{_PREFIX}{name}") or None

        compression = (setting("COMPRESSION") or "none").strip().lower()
        if compression not in _COMPRESSIONS:
            raise EndpointProblem(f"{_PREFIX}COMPRESSION={compression}: it may be {', '.join(_COMPRESSIONS)}")
        return cls(
            url=_url(signal, base, environment),
            headers=_headers(setting("HEADERS") or ""),
            timeout=_seconds(setting("TIMEOUT")),
            compression=compression,
            certificate=setting("CERTIFICATE"),
            client_certificate=setting("CLIENT_CERTIFICATE"),
            client_key=setting("CLIENT_KEY"),
        )

    def tls(self) -> ssl.SSLContext | bool:
        """What the server's certificate is held against. Raises EndpointProblem."""
        if self.certificate is None and self.client_certificate is None:
            return True
        try:
            context = ssl.create_default_context(cafile=self.certificate)
            if self.client_certificate is not None:
                context.load_cert_chain(self.client_certificate, self.client_key)
        except (OSError, ssl.SSLError) as error:
            raise EndpointProblem(f"{_PREFIX}CERTIFICATE, _CLIENT_CERTIFICATE or _CLIENT_KEY: {error}") from None
        return context


def named_in(environment: Mapping[str, str]) -> bool:
    """Whether the environment says where telemetry goes."""
    return bool(environment.get(f"{_PREFIX}ENDPOINT") or environment.get(f"{_PREFIX}TRACES_ENDPOINT"))


def _url(signal: Signal, base: str | None, environment: Mapping[str, str]) -> str:
    own = environment.get(f"{_PREFIX}{signal.upper()}_ENDPOINT")
    general = environment.get(f"{_PREFIX}ENDPOINT")
    traces = environment.get(f"{_PREFIX}TRACES_ENDPOINT")
    if base is None and own:
        return _checked(own)
    if base is None and general is None and signal == "logs" and traces and traces.endswith("/v1/traces"):
        base = traces.removesuffix("/v1/traces")
    address = _checked(base or general or "http://localhost:4318").rstrip("/")
    return f"{address.removesuffix('/v1/traces').removesuffix('/v1/logs')}/v1/{signal}"


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise EndpointProblem(f"{url}: an endpoint is an http:// or https:// address, as http://localhost:4318")
    return url


def _headers(text: str) -> dict[str, str]:
    """`name=value,name=value`, percent-encoded as in W3C baggage."""
    found = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise EndpointProblem(f"{_PREFIX}HEADERS: write name=value,name=value (a value's own comma is %2C)")
        found[unquote(name.strip()).lower()] = unquote(value.strip())
    return found


def _seconds(text: str | None) -> float:
    try:
        seconds = _TIMEOUT if text is None else float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise EndpointProblem(f"{_PREFIX}TIMEOUT={text}: write a number of seconds")
    return seconds
