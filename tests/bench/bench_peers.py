"""How many episodes a second other tools play of the same workload, where their environments are on this machine.

Run it with `TURNGATE_PEERS=FOLDER python tests/bench/bench_peers.py`. FOLDER holds an environment for each peer
(`venv-inspect`, `venv-pydantic`, …); the scripts are in the reference data (`tests/reference.py`). One that is not
there is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.reference import data

PEERS = {
    "floor.py": (None, "floor.py --variant memory-manual", 2000),
    "pydantic-evals": ("venv-pydantic", "peer_pydantic_evals.py", 1000),
    "pydantic-evals, spans": ("venv-pydantic-otel", "peer_pydantic_evals.py --variant otel", 1000),
    "inspect-ai": ("venv-inspect", "peer_inspect.py", 100),
    "inspect-ai, lean logs": ("venv-inspect", "peer_inspect.py --variant lean", 100),
    "langwatch-scenario": ("venv-scenario", "peer_scenario.py", 100),
    "deepeval": ("venv-deepeval", "peer_deepeval.py", 100),
    "tau2": ("venv-tau2", "peer_tau2.py", 100),
}
"""By name: the environment (None: this one), the script and its options, and episodes enough for some seconds."""
CONCURRENCY = "8"


def played(python: Path, script: str, episodes: int) -> dict[str, float] | str:
    """What a peer says of its run, or why it did not get through one."""
    file, *options = script.split()
    with tempfile.TemporaryDirectory() as out:
        command = [str(python), str(data() / "bench" / file), *options]
        command += ["--n", str(episodes), "--concurrency", CONCURRENCY, "--out", out]
        home = {"HOME": out, "XDG_DATA_HOME": out}
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **home}, cwd=out)
    told = [line.removeprefix("BENCH ") for line in done.stdout.splitlines() if line.startswith("BENCH ")]
    figures: dict[str, float] = json.loads(told[-1]) if told else {}
    return figures or (done.stderr.strip().splitlines() or ["it said nothing"])[-1]


def main() -> None:
    """Print what there is."""
    folder = Path(os.environ.get("TURNGATE_PEERS", "peers"))
    if not (data() / "bench").exists():
        print("the peers' scripts are not here: TURNGATE_DATA names the folder of the reference data")
        return
    found = {
        name: Path(sys.executable) if env is None else folder / env / "bin" / "python"
        for name, (env, *_) in PEERS.items()
    }
    here = {name: python for name, python in found.items() if python.exists()}
    if len(here) < len(found):
        print(f"not in {folder} (TURNGATE_PEERS): {', '.join(sorted(found.keys() - here.keys()))}")
    print(f"{'':24}{'episodes':>9}{'episodes/s':>12}{'ms CPU each':>13}")
    for name, python in here.items():
        _, script, episodes = PEERS[name]
        figures = played(python, script, episodes)
        if isinstance(figures, str):
            print(f"{name:24}{episodes:9}  {figures}")
        else:
            cpu = figures["run_cpu_s"] / episodes * 1e3
            print(f"{name:24}{episodes:9}{episodes / figures['run_s']:12.0f}{cpu:13.2f}")


if __name__ == "__main__":
    main()
