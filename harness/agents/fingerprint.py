"""Which agent this is: digests of its source files and of its prompts, and its model where it can be told."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.model.episode import AgentVersion
from harness.sources import local_sources

_MODEL_NAMES = ("MODEL", "MODEL_NAME", "DEFAULT_MODEL", "LLM_MODEL")


def fingerprint(name: str, target: Any, module: ModuleType | None, base: Path) -> AgentVersion:
    """The version of the agent `target`, found in `module` (None, or without a file: the digest is of its name alone).

    Version: the target's or its module's own `__version__`, else the first 8 digits of the source digest. Sources: the
    module's file and what it imports from its folder or from `base`. Prompts: text constants of those whose name has
    PROMPT in it.
    """
    home = getattr(module, "__file__", None)
    sources = local_sources(Path(home).resolve(), base.resolve()) if home else []
    parts = [(os.path.relpath(path, Path(home).parent), path.read_bytes()) for path in sources] if home else []
    digest = _digest(parts or [(name, b"")])
    modules = [module, *_loaded(sources)] if module is not None else []
    stated = getattr(target, "__version__", None) or getattr(module, "__version__", None)
    return AgentVersion(
        name=name,
        version=str(stated or digest[:8]),
        source_digest=digest,
        prompt_digest=_prompt_digest(modules),
        model=_model(modules),
    )


def _digest(parts: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, content in parts:
        for piece in (name.encode(), content):
            digest.update(len(piece).to_bytes(8, "big"))
            digest.update(piece)
    return digest.hexdigest()


def _loaded(sources: Iterable[Path]) -> list[ModuleType]:
    files = {str(path) for path in sources}
    return [module for module in list(sys.modules.values()) if getattr(module, "__file__", None) in files]


def _prompt_digest(modules: Iterable[ModuleType]) -> str | None:
    prompts = {
        (name, value)
        for module in modules
        for name, value in vars(module).items()
        if "PROMPT" in name.upper() and isinstance(value, str)
    }
    return (
        _digest((name, value.encode("utf-8", "surrogatepass")) for name, value in sorted(prompts)) if prompts else None
    )


def _model(modules: Iterable[ModuleType]) -> str | None:
    for module in modules:
        for name in _MODEL_NAMES:
            value = getattr(module, name, None)
            if isinstance(value, str):
                return value
    return None
