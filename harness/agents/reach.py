"""What an agent's code can reach: the tools, tool nodes, graphs and models it holds, found before it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from langchain_core.language_models import BaseLanguageModel
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.pregel import Pregel
from langgraph.pregel.remote import RemoteGraph

from harness.agents.usercode import is_user_module

_MOST_OBJECTS = 20_000
_MOST_ITEMS = 1_000


@dataclass(slots=True)
class Reach:
    """What was found. `code_nodes`: nodes of graphs that are functions of the user's; `remote`: graphs that run
    elsewhere; both by name.
    """

    tools: list[BaseTool] = field(default_factory=list)
    tool_nodes: list[ToolNode] = field(default_factory=list)
    code_nodes: list[str] = field(default_factory=list)
    remote: list[str] = field(default_factory=list)
    models: list[BaseLanguageModel[Any]] = field(default_factory=list)


def reach(target: Any) -> Reach:
    """What a graph, a function or an object reaches: through nodes, subgraphs, runnables, closures, containers, and the
    globals and attributes of the user's own code. What is only made while it runs can't be seen.
    """
    found = Reach()
    seen: dict[int, Any] = {}
    waiting = [target]
    while waiting and len(seen) < _MOST_OBJECTS:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing  # kept alive, so that no id is used twice
        waiting += _next(thing, found)
    return found


def _next(thing: Any, found: Reach) -> Iterator[Any]:
    """Notes what `thing` is, and gives what it holds."""
    if isinstance(thing, Pregel):
        yield from _nodes(thing, found)
    elif isinstance(thing, RemoteGraph):
        found.remote.append(thing.name or "without a name")
    elif isinstance(thing, BaseTool):
        found.tools.append(thing)
    elif isinstance(thing, BaseLanguageModel):
        found.models.append(thing)
    elif isinstance(thing, str | bytes | int | float | type):
        return
    elif isinstance(thing, FunctionType):
        yield from _function(thing)
    elif isinstance(thing, MethodType):
        yield from (thing.__func__, thing.__self__)
    elif isinstance(thing, partial):
        yield from (thing.func, *thing.args, *thing.keywords.values())
    elif isinstance(thing, Mapping):
        yield from islice(thing.values(), _MOST_ITEMS)
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from islice(thing, _MOST_ITEMS)
    elif isinstance(thing, Runnable):
        if isinstance(thing, ToolNode):
            found.tool_nodes.append(thing)
        yield from list(vars(thing).values())
    elif not isinstance(thing, ModuleType) and is_user_module(type(thing).__module__):
        yield from list(getattr(thing, "__dict__", {}).values())
        kinds = [kind for kind in type(thing).__mro__ if is_user_module(kind.__module__)]
        yield from [value for kind in kinds for name, value in vars(kind).items() if not name.startswith("__pydantic")]


def _nodes(graph: Pregel[Any, Any, Any, Any], found: Reach) -> Iterator[Any]:
    for name, node in graph.nodes.items():
        yield node.bound
        yield node.subgraphs
        function = getattr(node.bound, "func", None) or getattr(node.bound, "afunc", None)
        if function is not None and not isinstance(node.bound, ToolNode) and is_user_module(_module_of(function)):
            found.code_nodes.append(name)
    branches = getattr(getattr(graph, "builder", None), "branches", {})
    yield from [branch.path for named in branches.values() for branch in named.values()]


def _function(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue  # not filled yet
    yield getattr(function, "__wrapped__", None)
    yield function.__defaults__
    if is_user_module(function.__module__ or ""):
        names = set(_names(function.__code__))
        for name in names & function.__globals__.keys():
            value = function.__globals__[name]
            if isinstance(value, ModuleType):
                yield from [
                    getattr(value, each) for each in names if is_user_module(value.__name__) and hasattr(value, each)
                ]
            else:
                yield value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _module_of(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__module__", None) or type(function).__module__
