"""Whether `kill -9` loses or doubles an episode: a small run is killed at random moments and gone on with to its end.

Run it with `python tests/bench/kills.py [KILLS]`. Each round begins a run of 40 episodes in two workers, waits
for a random time, and kills the supervisor or one of the workers; if it was the supervisor, the run is gone on with. In
the end every planned episode must be stored once, and what was stored before the kill must be as it was.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from harness.store.store import Store
from tests.harness.desk import command, environment, scenario, write

EPISODES = 40
LONGEST = 4.0
"""Seconds until the kill, at most: about as long as a run takes."""
AGENT = """
import asyncio

async def agent(message):
    await asyncio.sleep(0.05)
    return "Hello."
"""


def kept(folder: Path) -> dict[str, str]:
    """A digest of every stored episode, by its id; refuses one that is there twice."""
    file = folder / ".turngate" / "turngate.db"
    if not file.exists():
        return {}
    with Store.open(file) as store:
        run = store.latest()
        found = (
            [(each.key.id, hashlib.sha256(repr(each).encode()).hexdigest()) for each in store.episodes(run.id)]
            if run
            else []
        )
    if len(dict(found)) != len(found):
        raise SystemExit(f"an episode is there twice: {found}")
    return dict(found)


def run(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    """A run in two workers."""
    return subprocess.Popen(
        command("run", "-w", "2", "-j", "4", *more), cwd=folder, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def killed(random_: random.Random) -> str:
    """One round; gives who was killed."""
    with tempfile.TemporaryDirectory() as place:
        folder = write(
            Path(place), agent=AGENT,
            scenarios="".join(scenario("Hi.", id=f"s{number}") for number in range(EPISODES // 2)),
        )  # fmt: skip
        running = run(folder)
        time.sleep(random_.uniform(0, LONGEST))
        workers = psutil.Process(running.pid).children() if running.poll() is None else []
        victims = [("supervisor", psutil.Process(running.pid))] if running.poll() is None else []
        victims += [("worker", worker) for worker in workers]
        who, victim = random_.choice(victims) if victims else ("nobody: it had ended", None)
        if victim is not None:
            victim.kill()
        if who == "supervisor":
            running.wait()
            before = kept(folder)
            running = run(folder, *(["--resume", "latest"] if before or planned(folder) else []))
        else:
            before = {}
        _, errors = running.communicate(timeout=120)
        after = kept(folder)
        if running.returncode != 0 or len(after) != EPISODES or not before.items() <= after.items():
            raise SystemExit(f"{who}: exit {running.returncode}, {len(after)} episodes\n{errors.decode()}")
        return who


def planned(folder: Path) -> bool:
    """Whether there is a run to go on with."""
    file = folder / ".turngate" / "turngate.db"
    if not file.exists():
        return False
    with Store.open(file) as store:
        return store.latest() is not None


def main() -> None:
    """Print who was killed how often."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random_ = random.Random(given.seed)
    counts: dict[str, int] = {}
    for number in range(given.kills):
        who = killed(random_)
        counts[who] = counts.get(who, 0) + 1
        print(f"\r{number + 1} of {given.kills}", end="", file=sys.stderr, flush=True)
    told = ", ".join(f"{who} {count}" for who, count in sorted(counts.items()))
    print(f"\n{given.kills} rounds, no episode lost or doubled; killed: {told}")


if __name__ == "__main__":
    main()
