"""The short ways in which people name runs and episodes."""

from __future__ import annotations

from harness.model.episode import Episode
from harness.store.problem import StoreProblem
from harness.store.records import RunRecord
from harness.store.store import Store
from tools_sandbox.nearest import hint

LATEST = "latest"
NO_RUN = "no run is stored yet: `turngate run` plays a workflow"


def find_run(store: Store, name: str | None) -> RunRecord:
    """The run of that id or with that beginning; `latest`, or without a name, the latest; `latest~1` the one before."""
    if name is not None and name.startswith(f"{LATEST}~") and name.removeprefix(f"{LATEST}~").isdecimal():
        return _before_latest(store, int(name.removeprefix(f"{LATEST}~")))
    if name is not None and name != LATEST:
        return store.run(name)
    latest = store.latest()
    if latest is None:
        raise StoreProblem(NO_RUN)
    return latest


def _before_latest(store: Store, back: int) -> RunRecord:
    runs = store.runs()
    if back >= len(runs):
        raise StoreProblem(f"{LATEST}~{back}: {len(runs)} run{'' if len(runs) == 1 else 's'} are stored")
    return runs[back]


def matching_runs(store: Store, name: str) -> list[RunRecord]:
    """The run of that id, or all whose ids begin so; `latest` is the latest."""
    if name == LATEST:
        return [find_run(store, None)]
    runs = [run for run in store.runs() if run.id.startswith(name)]
    return [run for run in runs if run.id == name] or runs


def find_episode(store: Store, name: str) -> Episode:
    """The episode of an id or its beginning, of RUN/SCENARIO[/TRIAL], or of SCENARIO[/TRIAL] in the latest run."""
    run, item, trial = _parts(store, name)
    if item is None:
        return store.episode(name)
    agents = store.run(run).agents
    if len(agents) == 1:
        return store.episode(f"{run}/{agents[0].label}/{item}/{trial}/clean")
    # Of several agents, whose conversations were observed, each had its own.
    ids = [result.key.id for result in store.results(run) if result.key.item == item and str(result.key.trial) == trial]
    return store.episode(ids[0] if len(ids) == 1 else name)


def _parts(store: Store, name: str) -> tuple[str, str | None, str]:
    parts = name.split("/")
    runs = matching_runs(store, parts[0])
    if len(runs) > 1:
        store.run(parts[0])  # says which ones there are
    if not runs:
        latest = find_run(store, None)
        played = {result.key.item for result in store.results(latest.id)}
        if parts[0] not in played:
            raise StoreProblem(
                f"there is no run {parts[0]}, and no scenario of that name in the latest run, {latest.id}; "
                f"{hint(parts[0], played)}"
            )
        return latest.id, parts[0], parts[1] if len(parts) > 1 else "1"
    run = runs[0]
    if len(parts) > 3 or len(parts) == 1 or (len(parts) > 1 and parts[1] in {agent.label for agent in run.agents}):
        return run.id, None, ""
    return run.id, parts[1], parts[2] if len(parts) > 2 else "1"
