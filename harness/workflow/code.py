"""Loading what a workflow file names (`backend.py:Shop`); what goes wrong is told with its place in the code."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from harness.model.source import Scalar, Where
from harness.modules import load_module
from harness.workflow.problems import Problem, Problems
from tools_sandbox.nearest import hint
from tools_sandbox.problem import SandboxProblem

T = TypeVar("T")


def load_object(spec: Scalar, base: Path, shown: str) -> Any:
    """What `file.py:name` (relative to `base`, which problems call `shown`) or `module:name` names.

    Raises Problems, whatever the code raises. What it prints when it is imported goes to stderr.
    """
    source, _, name = spec.raw.rpartition(":")
    if not source or not name.isidentifier():
        what = f"`{spec.raw}` names no object"
        raise Problems([Problem(spec.at, what, do="write `file.py:name` or `module:name`")])
    if not source.endswith(".py"):
        module: ModuleType = guarded(lambda: importlib.import_module(source), spec.at, base, shown)
    elif os.path.isfile(base / source):
        module = guarded(lambda: load_module(base / source), spec.at, base, shown)
    else:
        raise Problems([Problem(spec.at, f"there is no file `{source}`", do="paths are relative to this file")])
    if not hasattr(module, name):
        public = [each for each in vars(module) if not each.startswith("_")]
        raise Problems([Problem(spec.at, f"`{source}` has no `{name}`", do=hint(name, public))])
    return getattr(module, name)


def guarded(run: Callable[[], T], at: Where, base: Path, shown: str) -> T:
    """The result of running a user's code. Raises Problems with the last place within `base` that the code got to, or
    else `at`.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return run()
    except KeyboardInterrupt:
        raise
    except SandboxProblem as error:
        where = _place(error, base.resolve(), shown) or at
        raise Problems([Problem(where, each) for each in error.problems]) from error
    except BaseException as error:
        raise Problems([_told(error, at, base.resolve(), shown)]) from error


def _told(error: BaseException, at: Where, base: Path, shown: str) -> Problem:
    where = _place(error, base, shown) or at
    if isinstance(error, SyntaxError):
        return Problem(where, f"Python can't read this: {error.msg}")
    if isinstance(error, SystemExit):
        return Problem(where, "the code ends the process", do="move that under `if __name__ == '__main__':`")
    if isinstance(error, ModuleNotFoundError):
        sibling = os.path.isfile(base / f"{error.name}.py")
        advice = f"write `from .{error.name} import …` for a file beside this one" if sibling else "is it installed?"
        return Problem(where, f"there is no module `{error.name}`", do=advice)
    text = (str(error).strip().split("\n") or [""])[0]
    return Problem(where, f"the code raises {type(error).__name__}{': ' if text else ''}{text}")


def _place(error: BaseException, base: Path, shown: str) -> Where | None:
    """The last place within `base` that a traceback goes through, or where the syntax error is."""
    places = [(frame.filename, frame.lineno, 1) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno, error.offset or 1))
    for file, line, column in reversed(places):
        if Path(file).is_relative_to(base):
            return Where(f"{shown}/{Path(file).relative_to(base).as_posix()}", line or 1, max(column, 1))
    return None
