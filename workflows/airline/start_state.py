"""What every conversation starts from: the flights, users and reservations of the τ-bench airline."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "start_state.json.gz"


def start_state() -> dict[str, dict[str, Any]]:
    """300 flights on 30 days, 500 users, 2,000 reservations, by key. All of the customers are invented."""
    with gzip.open(_FILE) as file:
        return {**json.load(file), "systems": {"airline": {"edition": "tau"}}}
