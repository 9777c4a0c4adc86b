"""Finding the files of a bundle."""

from __future__ import annotations

from pathlib import Path

from harness.model.source import Where
from harness.workflow.problems import Problem, Problems

WORKFLOW = "workflow.yaml"
SCENARIOS = "scenarios"


def find_workflow(path: Path) -> Path:
    """The workflow file that a path means: the file itself, or the `workflow.yaml` of a folder or of the folder above;
    of a scenario file, that of its bundle.

    Raises Problems, which name the workflows further down if there are any.
    """
    full = path.resolve()
    if not full.exists():
        raise Problems([Problem(Where(shown(path), 1), "there is no such file or folder")])
    if full.is_file() and full.parent.name != SCENARIOS:
        return full
    folder = full if full.is_dir() else full.parent
    for candidate in (folder / WORKFLOW, folder.parent / WORKFLOW):
        if candidate.is_file():
            return candidate
    below = [shown(each.parent) for depth in ("*", "*/*") for each in sorted(folder.glob(f"{depth}/{WORKFLOW}"))]
    advice = f"name one of: {', '.join(below)}" if below else "`turngate init` writes one"
    raise Problems([Problem(Where(shown(path), 1), f"there is no {WORKFLOW} here or in the folder above", do=advice)])


def scenario_files(root: Path) -> list[Path]:
    """The scenario files of a bundle, in order of their paths."""
    return sorted(path for path in (root / SCENARIOS).rglob("*") if path.suffix in (".yaml", ".yml") and path.is_file())


def shown(path: Path) -> str:
    """A path as a person wants to see it: from the current folder if it lies below, else in full."""
    full, here = path.resolve(), Path.cwd()
    return full.relative_to(here).as_posix() if full.is_relative_to(here) else full.as_posix()
