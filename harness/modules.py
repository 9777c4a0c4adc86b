"""Loading a user's Python file by its path: every folder is one package of its own, under a name nothing else has."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def load_module(path: Path) -> ModuleType:
    """The module of a Python file, imported once a process. Its siblings are reached by relative import, and, as if it
    were run by `python FILE`, by plain import too.

    Raises FileNotFoundError, and whatever the module raises on import.
    """
    path = path.resolve()
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    package = _package(path.parent)
    name = f"{package}.{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        # Last, so that a user's `json.py` hides nothing; for good, since modules are also imported within functions.
        sys.path.append(str(path.parent))
    importlib.invalidate_caches()
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    setattr(sys.modules[package], path.stem, module)
    return module


def _package(folder: Path) -> str:
    """The name of the package that stands for a folder; it is made if need be."""
    name = f"turngate_bundle_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
