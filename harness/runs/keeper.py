"""Scoring and storing episodes: those that end at about the same time are written in one transaction."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping

import orjson

from harness.model.episode import Episode, EpisodeKey
from harness.model.failure import DISTURBANCES
from harness.model.material import Material
from harness.model.score import Scored
from harness.runs.executor import Played, Told
from harness.scoring.score import score
from harness.store.store import Store

PATIENCE = 0.005
"""Seconds that an episode waits for others: far less than one takes against a real model."""


class Keeper:
    """Scores episodes and writes them to the store, on the running event loop; `told` hears of each that is stored.

    A group is written as soon as `most` episodes wait (as many as are played at a time: where each player waits for
    its own, no other can come then), or when the first has waited for `patience` seconds.
    """

    def __init__(
        self, store: Store, materials: Mapping[str, Material], told: Told, most: int, patience: float = PATIENCE
    ) -> None:
        self._store = store
        self._materials = materials
        self._told = told
        self._most = most
        self._patience = patience
        self._records: dict[EpisodeKey, bytes] = {}
        self._waiting: list[Episode] = []
        self._kept: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None

    def keep(self, episode: Episode, record: bytes | None = None) -> asyncio.Future[None]:
        """Take an episode; `record`: as it came over the wire, if it did.

        The future is done when it is stored, or gets the StoreProblem; if it is cancelled, the episode is left to the
        group or to `flush`.
        """
        loop = asyncio.get_running_loop()
        kept = loop.create_future()
        self._waiting.append(episode)
        if record is not None:
            self._records[episode.key] = record
        self._kept.append(kept)
        if len(self._waiting) >= self._most:
            self.write()
        elif self._timer is None:
            self._timer = loop.call_later(self._patience, self.write)
        return kept

    def flush(self) -> None:
        """Store what waits, for nobody will: the run was interrupted. Raises StoreProblem."""
        group, self._waiting = self._waiting, []
        records, self._records = self._records, {}
        self._kept.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if group:
            scored = [(episode, score(episode, self._materials[episode.key.item])) for episode in group]
            self._store.save_many(scored, records=records)
            for each in scored:
                self._told(played(*each))

    def write(self) -> None:
        """Store what waits now, and tell those who wait for it how that went."""
        everyone = [kept for kept in self._kept if not kept.done()]
        try:
            self.flush()
        except Exception as error:  # noqa: BLE001  it is handed on to those who wait
            for kept in everyone:
                kept.set_exception(error)
        else:
            for kept in everyone:
                kept.set_result(None)


def played(episode: Episode, scored: Scored) -> Played:
    """What an executor tells of an episode."""
    disturbed = scored.primary is not None and scored.primary.code in DISTURBANCES
    return Played(episode.key, scored.verdict.status, None if disturbed else _course(episode))


def _course(episode: Episode) -> str:
    messages = [(message.role, message.text) for message in episode.messages]
    calls = [(call.turn, call.tool, call.arguments, call.result, call.error is None) for call in episode.calls]
    way = [messages, calls, episode.end.kind]
    try:
        text = orjson.dumps(way, default=str, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # lone surrogates and numbers beyond 64 bits
        text = json.dumps(way, default=str, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()
