"""`turngate compare`: a run beside an earlier one, or one episode of both."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.names import find_run
from harness.cli.out import console
from harness.cli.outputs import checked
from harness.cli.places import elsewhere
from harness.gates.changes import changes
from harness.model.baseline import baseline_file
from harness.model.episode import Episode
from harness.model.replay import Side
from harness.replay.divergence.comparison import compare as compare_sides
from harness.replay.divergence.sides import side_of
from harness.replay.divergence.verdict import judge
from harness.reports.changes.as_json import changes_json
from harness.reports.changes.as_markdown import changes_markdown
from harness.reports.changes.page import changes_page, run_line
from harness.reports.changes.trajectories import finding_lines, trajectories_page
from harness.reports.changes.view import ChangesView
from harness.reports.files import Target
from harness.reports.printable import short
from harness.runs.arriving import import_run
from harness.runs.baselines import stored_baseline
from harness.runs.made_of import MadeOf
from harness.store.places import open_store
from harness.store.portable_file import SUFFIX, is_run_file
from harness.store.records import RunRecord
from harness.store.store import Store
from tools_sandbox.nearest import hint

_FORMATS = (".json", ".md")


@dataclass(frozen=True, slots=True)
class _Stored:
    """A run and the store that it is in: that of a file is there only as long as the command runs."""

    store: Store
    run: RunRecord


def compare(first: str, second: str, episode: str | None, files: tuple[Path, ...], place: str | None) -> int:
    """Print how the second run differs from the first; that it does is no failure. UNDECIDED if no two of their
    episodes can be compared.
    """
    targets = [checked(path, lambda path: Target.to(path, _FORMATS)) for path in files]
    if episode is not None and targets:
        raise UserError("-o writes how two runs differ: leave it out with --episode")
    with _found(second, place) as other, _found(_baseline(first, other), place) as one:
        if one.run.workflow != other.run.workflow:
            raise UserError(
                f"run {one.run.id} is of the workflow {one.run.workflow}, run {other.run.id} of {other.run.workflow}: "
                "only runs of one workflow have the same scenarios"
            )
        if episode is not None:
            return _episodes(one, other, episode)
        return _runs(one, other, targets, elsewhere(place))


def _runs(one: _Stored, other: _Stored, targets: list[Target], notes: list[str]) -> int:
    baseline = stored_baseline(one.store, one.run.id, one.run).against(MadeOf.of(other.store, other.run.id))
    results = tuple(other.store.results(other.run.id))
    view = ChangesView(one.run, other.run, changes(baseline, results, deterministic=other.run.deterministic))
    out = console()
    for piece in changes_page(view):
        out.print(piece)
    for note in notes:
        out.print(note, style="yellow")
    for target in targets:
        if target.end == ".json":
            target.write([json.dumps(changes_json(view), ensure_ascii=True, indent=2), "\n"])
        else:
            target.write([changes_markdown(view)])
    return Exit.PASSED if view.changes.twins else Exit.UNDECIDED


def _episodes(one: _Stored, other: _Stored, name: str) -> int:
    first, second = _episode(one, name), _episode(other, name)
    material = other.store.material(other.run.id, second.key.item)
    before, now = _side(one.store, first), _side(other.store, second)
    found = compare_sides(before, now, material.schema)
    finding = judge(before, now, found.divergences, material.schema, material.workflow.may_change)
    out = console()
    for mark, style, stored, each in (("- ", "red", one, first), ("+ ", "green", other, second)):
        out.print(run_line(mark, style, stored.run, short(each.key.id)))
    for line in (*trajectories_page(before, now, found, material.schema), *finding_lines(finding)):
        out.print(line)
    return Exit.PASSED


def _side(store: Store, episode: Episode) -> Side:
    scored = store.scored_episode(episode.key)
    return side_of(episode, {} if scored is None else {name: score.value for name, score in scored.scores.items()})


def _episode(stored: _Stored, name: str) -> Episode:
    """Of `SCENARIO[/TRIAL]`. Raises UserError where the run has not played it."""
    item, _, trial = name.rpartition("/") if "/" in name else (name, "", "1")
    played: dict[str, None] = {}
    for result in stored.store.results(stored.run.id):
        if (result.key.item, str(result.key.trial)) == (item, trial) and result.key.condition == "clean":
            if result.state != "played":
                what = "spared, since those before it agreed" if result.state == "spared" else "not played"
                raise UserError(f"--episode {name}: in run {stored.run.id} that trial was {what}: take another one")
            return stored.store.episode(result.key.id)
        played[result.key.item] = None
    if item in played:
        raise UserError(f"--episode {name}: run {stored.run.id} has no trial {trial} of {item}")
    raise UserError(f"--episode {name}: run {stored.run.id} has no scenario {item}; {hint(item, played)}")


def _baseline(name: str, stored: _Stored) -> str:
    """The file that the workflow of a run names for a baseline of that name; the name itself if it names none."""
    file = baseline_file(stored.store.workflow(stored.run.id), name)
    if file is not None and not file.exists():
        raise UserError(f"{name}: the workflow names {file} for this baseline, and there is no such file")
    return name if file is None else str(file)


@contextmanager
def _found(name: str, place: str | None) -> Iterator[_Stored]:
    """The run that a file holds, that a baseline of the store is, or that is named as everywhere else."""
    if is_run_file(name):
        with tempfile.TemporaryDirectory(prefix="turngate-") as folder, Store.open(Path(folder) / "run.db") as apart:
            yield _Stored(apart, apart.run(import_run(apart, Path(name)).run))
        return
    if name.endswith(SUFFIX):
        raise UserError(f"{name}: there is no such file")
    if Path(name).suffix and Path(name).is_file():
        raise UserError(
            f"{name}: this is no run: `turngate export RUN` writes one into a file whose name ends in {SUFFIX}"
        )
    with open_store(place, must_exist=True) as store:
        named = [each for each in store.baselines.all() if each.name == name]
        if len(named) > 1:
            workflows = ", ".join(each.workflow for each in named)
            raise UserError(f"{name} is a baseline of several workflows, {workflows}: name its run instead")
        yield _Stored(store, store.run(named[0].run) if named else find_run(store, name))
