"""What saving and reading episodes costs. Run it: `python -m tests.bench.bench_store`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from harness.store.codec import encode
from harness.store.store import Store
from tests.harness.scoring import build as shop
from tests.harness.store.build import begun, episode, key, planned, scored
from traces.span import Span

COUNT = 1000


def _large(trial: int) -> object:
    """Five turns, five tool calls, twenty spans with their attributes: some 30 kB."""
    events: list[object] = []
    for turn in range(5):
        events += [f"Line {turn} of the user.", shop.verify(), shop.said("I have looked at your order. " * 10)]
    attributes = {f"gen_ai.attribute.{n}": "a value of some length " * 4 for n in range(10)}
    spans = [Span("0" * 32, f"{n:016x}", None, "execute_tool", "internal", n, n + 1, attributes) for n in range(20)]
    return episode("large", trial, events=tuple(events), spans=spans)


def _timed(what: str, count: int, work: Callable[[], object]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what:<44} {cpu / count * 1e6:8.0f} µs CPU {wall / count * 1e6:8.0f} µs wall")


def main() -> None:
    """Print the figures."""
    small = [(episode("small", trial), scored()) for trial in range(COUNT)]
    large = [(_large(trial), scored()) for trial in range(COUNT)]
    single = [(episode("single", trial), scored()) for trial in range(COUNT)]
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "turngate.db") as store:
        begun(store, *(planned(item, trial) for item in ("small", "large", "single") for trial in range(COUNT)))
        print(f"a small episode is {len(encode(small[0][0]))} bytes as stored, a large one {len(encode(large[0][0]))}")
        _timed("save, one by one", COUNT, lambda: [store.save(*each) for each in single])
        batches = range(0, COUNT, 100)
        _timed("save_many, 100 at a time", COUNT, lambda: [store.save_many(small[n : n + 100]) for n in batches])
        _timed("save_many, large ones", COUNT, lambda: [store.save_many(large[n : n + 100]) for n in batches])
        _timed("encode a small one", COUNT, lambda: [encode(each) for each, _ in small])
        _timed("encode a large one", COUNT, lambda: [encode(each) for each, _ in large])
        _timed("episodes", 3 * COUNT, lambda: sum(1 for _ in store.episodes("r-1")))
        _timed("results", 3 * COUNT, lambda: sum(1 for _ in store.results("r-1")))
        _timed("one episode by its id", 1, lambda: store.episode(key("large", 7).id))


if __name__ == "__main__":
    main()
