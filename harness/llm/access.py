"""How models are asked in a run: where, with which key, and what is recorded, given again or limited."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

from harness.llm.problem import ModelProblem

OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Plain data, the same in every process of a run; JSON both ways. `record` and `replay`: a cassette's path, at most
    one of them. `max_cost`: US dollars, as text, after which no model is asked. `ledger`: the path of the file that the
    processes share; None where there is but one. `measured`: the run itself keeps to `max_cost` as well, by what its
    episodes have cost, so that an agent may ask models by code of its own.
    """

    record: str | None = None
    replay: str | None = None
    max_cost: str | None = None
    ledger: str | None = None
    measured: bool = False

    def __post_init__(self) -> None:
        if self.record and self.replay:
            raise ModelProblem("--record-model and --replay-model: a run does one or the other")

    @property
    def options(self) -> list[str]:
        """The options of a command that ask for something that only this client can do."""
        limit = None if self.measured else self.max_cost
        given = {"--record-model": self.record, "--replay-model": self.replay, "--max-cost": limit}
        return [name for name, value in given.items() if value is not None]

    @property
    def limit(self) -> Decimal | None:
        """The most that may be spent, in US dollars."""
        return None if self.max_cost is None else Decimal(self.max_cost)


@contextmanager
def shared_access(
    record: Path | None = None, replay: Path | None = None, max_cost: float | None = None
) -> Iterator[ModelAccess]:
    """For all processes and agents of one run or of several, which share a pause, a limit on money (US dollars) and the
    recorded answers. Raises ModelProblem for what can't be meant.
    """
    if max_cost is not None and not math.isfinite(max_cost):
        raise ModelProblem(f"--max-cost {max_cost}: give a number of US dollars")
    with TemporaryDirectory(prefix="turngate-", ignore_cleanup_errors=True) as folder:
        yield ModelAccess(
            record=None if record is None else str(record.absolute()),
            replay=None if replay is None else str(replay.absolute()),
            max_cost=None if max_cost is None else str(max_cost),
            ledger=str(Path(folder) / "models.db"),
        )


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where models are asked. `repr` does not tell the key."""

    url: str
    _key: str

    @classmethod
    def of_environment(cls) -> Endpoint:
        """From OPENAI_BASE_URL and OPENAI_API_KEY. Raises ModelProblem for what can't be meant."""
        url = os.environ.get("OPENAI_BASE_URL", "").strip() or OPENAI
        try:
            parts = urlsplit(url)
            right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            raise ModelProblem("OPENAI_BASE_URL is no address: is its host or port right?") from None
        if not right:
            raise ModelProblem(f"OPENAI_BASE_URL is `{without_user(url)}`; an address begins with http:// or https://")
        key = os.environ.get("OPENAI_API_KEY", "").strip()
        if not key and url.rstrip("/") == OPENAI:
            raise ModelProblem(
                "no key: set OPENAI_API_KEY, and OPENAI_BASE_URL as well if the model is not at OpenAI "
                "(a server of your own may need no key)"
            )
        if not key.isascii() or not key.isprintable():
            raise ModelProblem("OPENAI_API_KEY has a character in it that no key has; was it copied whole?")
        return cls(url, key or "none")

    def __repr__(self) -> str:
        return f"Endpoint({self.shown!r})"

    @property
    def key(self) -> str:
        """The secret."""
        return self._key

    @property
    def shown(self) -> str:
        """The address as it may be told and stored."""
        return without_user(self.url)

    def without_key(self, text: str) -> str:
        """A text that came from there, which may repeat the key."""
        return text.replace(self._key, "[key]") if len(self._key) > 4 else text


def without_user(url: str) -> str:
    """An address without name, password and query in it."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
