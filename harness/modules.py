"""Loading a user's Python file by its path: every folder is one package of its own, under a name nothing else has."""

from __future__ import annotations

import hashlib
import importlib
import sys
from pathlib import Path
from types import ModuleType


def load_module(path: Path) -> ModuleType:
    """The module of a Python file, imported once a process.

    Its siblings are reached by relative import; so are its parents where its folder is a package (has `__init__.py`).
    Plain import finds what is beside the file, or beside the outermost package, as if it were run by `python`.

    Raises FileNotFoundError, and whatever the module raises on import.
    """
    path = path.resolve()
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    if "." in path.stem:
        raise ImportError(f"{path.name} can't be imported with a dot in its name; rename it")
    top, names = path.parent, [path.stem]
    while (top / "__init__.py").is_file():
        top, names = top.parent, [top.name, *names]
    if str(top) not in sys.path:
        # Last, so that a user's `json.py` hides nothing; for good, since modules are also imported within functions.
        sys.path.append(str(top))
    importlib.invalidate_caches()
    return importlib.import_module(".".join((_package(top), *names)))


def _package(folder: Path) -> str:
    """The name of the package that stands for a folder; it is made if need be."""
    name = f"turngate_bundle_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
