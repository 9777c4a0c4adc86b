"""When to ask a model again after an attempt that failed, and for how long to wait."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import Random

from harness.llm.problem import TransientError


@dataclass(frozen=True, slots=True)
class Patience:
    """`attempts`: at most, for one request; not counted are those that the provider only asked to put off. `seconds`:
    that waiting for one request may take in all. `first` and `most`: seconds of the first and the longest wait.
    """

    attempts: int = 5
    seconds: float = 90.0
    first: float = 0.5
    most: float = 20.0

    def wait(self, attempt: int, error: TransientError, random: Random) -> float:
        """Seconds to wait after the attempt of that number, from 1: what the provider asks for (but longer each time,
        if that is next to nothing), or twice as long each time; with up to a quarter more, so that those who wait
        together don't come back together.
        """
        if error.after is not None:
            wait = max(error.after, self.first * min(attempt - 1, 10))
        else:
            wait = min(self.most, self.first * 2.0 ** min(attempt - 1, 30))
        return wait + random.uniform(0.0, min(wait / 4, 5.0))


PATIENCE = Patience()


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The seconds that the headers of an answer ask to wait: a number, or until a date (RFC 9110, 10.2.3); None if
    they say nothing that can be understood. `now`: seconds since the epoch.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        until = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, OverflowError):
        return None
    return max(0.0, until - (time.time() if now is None else now))
