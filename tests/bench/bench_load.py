"""Whether a rehearsal keeps up with many slow models at once, and whether its memory stays flat over many episodes.

Run it with `python tests/bench/bench_load.py [EPISODES]`. First 500 episodes of the workload of `bench_episodes` at
concurrency 100, each model call answering after 50 ms, beside the floor's; at best that takes 2.5 s. Then the peak
memory of the calling process and of its worker for 1,000 to EPISODES (20,000 if not given) episodes of 500 scenarios.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from bench_episodes import rehearsed
from floor import run as floor

SLOW = 0.05
"""Seconds that a model call takes."""
ROUNDS = 3
SCENARIOS = 500
CROWD = 100
LOOK = 0.02


class Peaks:
    """The largest resident memory of this process and of its largest child within the `with`, in MiB."""

    def __enter__(self) -> Peaks:
        self.own = self.child = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        process = psutil.Process()
        while not self._over.wait(LOOK):
            self.own = max(self.own, process.memory_info().rss / 2**20)
            for child in process.children():
                try:
                    self.child = max(self.child, child.memory_info().rss / 2**20)
                except psutil.NoSuchProcess:
                    continue


def one(what: str, episodes: int) -> dict[str, float]:
    """The figures of one run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if what == "slow floor":
            began = time.perf_counter()
            floor(episodes, CROWD, folder, SLOW)
            return {"wall": time.perf_counter() - began}
        if what == "slow":
            return {"wall": rehearsed(episodes // 2, folder, workers=1, concurrency=CROWD, latency=SLOW).wall}
        with Peaks() as peaks:
            rehearsed(SCENARIOS, folder, workers=1, trials=episodes // SCENARIOS)
        return {"own": peaks.own, "child": peaks.child}


def in_process(what: str, episodes: int) -> dict[str, float]:
    """The same, in a process of its own."""
    command = [sys.executable, __file__, str(episodes), "--one", what]
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return figures


def main() -> None:
    """Print both tables, or with --one the figures of one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("episodes", nargs="?", type=int, default=20_000)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.one, given.episodes)))
        return
    walls = {what: [in_process(what, 500)["wall"] for _ in range(ROUNDS)] for what in ("slow floor", "slow")}
    floor_, ours = (statistics.median(each) for each in walls.values())
    print(f"500 episodes at concurrency {CROWD}, models that take {SLOW * 1e3:.0f} ms; medians of {ROUNDS} rounds")
    print(f"floor {floor_:.2f} s, one worker {ours:.2f} s: {ours / floor_:.3f} of it")
    print(f"{'episodes':>10}{'peak MiB':>10}{'worker':>8}")
    for episodes in sorted({1000, 5000, given.episodes}):
        peaks = in_process("memory", episodes)
        print(f"{episodes:10,}{peaks['own']:10.0f}{peaks['child']:8.0f}")


if __name__ == "__main__":
    main()
