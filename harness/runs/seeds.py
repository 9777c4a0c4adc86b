"""Seeds of episodes."""

from __future__ import annotations

import hashlib


def seed_of(workflow: str, item: str, trial: int, condition: str) -> int:
    """The seed of an episode, 0 to 2**63 - 1: never from run or agent, so that two versions meet the same trial."""
    text = "\x1f".join((workflow, item, str(trial), condition))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
