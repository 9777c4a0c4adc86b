"""Hooks in the classes that run LangChain's tools, in place before any code of an agent runs.

LangChain is never imported for it. Classes that are loaded are hooked at once; those that an agent imports later,
perhaps within a turn, as soon as their module has been executed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_HOOKS = {
    "langchain_core.tools.base": ("BaseTool", "harness.agents.redirect"),
    "langgraph.prebuilt.tool_node": ("ToolNode", "harness.agents.tool_nodes"),
}
"""By module: the class to hook, and the module whose `hook(class)` does it (done twice, it does nothing)."""


def install() -> None:
    """Hook what there is, and watch for what is still to come. Cheap to call again."""
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    for name in _HOOKS:
        if (module := sys.modules.get(name)) is not None:
            _hook(module)


def _hook(module: ModuleType) -> None:
    kind, by = _HOOKS[module.__name__]
    if kind in vars(module):  # else another thread is just importing it, through the finder
        import_module(by).hook(vars(module)[kind])


class _Finder(MetaPathFinder):
    """Finds these modules as the other finders do, and hooks them once they have been executed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of another finder, for a module that is to be hooked; None for any other."""
        if fullname not in _HOOKS:
            return None
        others = (finder.find_spec(fullname, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((found for found in others if found is not None), None)
        if spec is not None and spec.loader is not None:
            _hook_after(spec.loader)
        return spec


def _hook_after(loader: Loader) -> None:
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        _hook(module)

    vars(loader)["exec_module"] = exec_module  # all else that a loader can do stays as it is


_FINDER = _Finder()
