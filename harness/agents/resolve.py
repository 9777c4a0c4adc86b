"""From what a person writes after `--agent` to an agent that can be rehearsed."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from harness.agents.fingerprint import fingerprint
from harness.agents.output import captured_output
from harness.agents.problem import AgentProblem
from harness.agents.source import AgentSource, Kind, kind_of, may_be_agent
from harness.agents.usercode import is_user_file, is_user_module
from harness.model.episode import AgentVersion
from harness.model.remote import HttpAgent
from harness.modules import load_module
from tools_sandbox.nearest import nearest

if TYPE_CHECKING:
    from harness.agents.openai_agent import Briefing

_FORMS = "write file.py:name, module:name, openai:MODEL, or an http(s):// address"


def resolve(spec: str | object, base: Path, briefing: Briefing | None = None) -> AgentSource:
    """The agent that `spec` names: `file.py:name` or `module:name`, looked for from `base`; a model, `openai:MODEL`; a
    service, by its address or by how it is written; or the agent itself.

    `briefing`: of a model, how it is asked and what it is told. Its module is imported; what it prints meanwhile goes
    to the notes. Raises AgentProblem if there is no such agent, its module can't be imported, or it is nothing that can
    be rehearsed.
    """
    if isinstance(spec, HttpAgent):
        return _service(spec)
    if not isinstance(spec, str):
        name = getattr(spec, "__qualname__", None) or type(spec).__qualname__
        kind = kind_of(spec, name)
        return AgentSource(_version(name, spec, _home(spec), base, kind), kind)
    if spec.startswith(("http://", "https://")):
        return _service(HttpAgent.model_validate({"url": spec}))
    if spec.startswith("openai:"):
        return _model(spec, base, briefing)
    place, _, name = spec.rpartition(":")
    if not place or not name:
        raise AgentProblem(f"agent `{spec}`: {_FORMS}")
    with captured_output() as output:
        module = _imported(spec, place, base)
        target = _named(spec, place, module, name)
    label = f"{Path(place).stem if place.endswith('.py') else place}:{name}"
    kind = kind_of(target, f"agent `{spec}`")
    version = _version(label, target, module, base, kind)
    return AgentSource(version, kind, (output.stdout + output.stderr).strip())


def _service(spec: HttpAgent) -> AgentSource:
    from harness.agents.http_agent import HttpKind

    kind = HttpKind(spec)
    return AgentSource(kind.version, kind)


def _model(spec: str, base: Path, briefing: Briefing | None) -> AgentSource:
    from harness.agents.openai_agent import Briefing, ModelKind

    kind = ModelKind(spec, base, briefing or Briefing.plain())
    return AgentSource(kind.version, kind)


def _version(name: str, target: Any, module: ModuleType | None, base: Path, kind: Kind) -> AgentVersion:
    version = fingerprint(name, target, module, base)
    return replace(version, model=version.model or kind.model, parameters=dict(kind.parameters))


def _imported(spec: str, place: str, base: Path) -> ModuleType:
    file = base / place if place.endswith(".py") else None
    if file is not None and not file.is_file():
        raise AgentProblem(f"agent `{spec}`: no such file: {file}")
    if str(base) not in sys.path:
        sys.path.append(str(base))
    try:
        return load_module(file) if file is not None else importlib.import_module(place)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if file is None and isinstance(error, ModuleNotFoundError) and _is_prefix(error.name, place):
            text = f"agent `{spec}`: no module `{error.name}` in {base} or in this Python's packages"
            raise AgentProblem(text) from error
        raise AgentProblem(f"agent `{spec}` can't be imported: {_blame(error, file)}") from error


def _is_prefix(name: str | None, place: str) -> bool:
    return name is not None and (place == name or place.startswith(f"{name}."))


def _blame(error: BaseException, file: Path | None) -> str:
    """`file:line: what was raised`, the line being the last one in the user's own code."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_user_file(frame.filename)]
    where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else f"{file}: " if file else ""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        text += f" (not installed for {sys.executable})"
    return where + text


def _named(spec: str, place: str, module: ModuleType, name: str) -> Any:
    if hasattr(module, name):
        return getattr(module, name)
    public = [key for key, value in vars(module).items() if not key.startswith("_") and not inspect.ismodule(value)]
    close = nearest(name, public)
    own = [key for key in public if getattr(getattr(module, key), "__module__", module.__name__) == module.__name__]
    agents = [key for key in public if may_be_agent(getattr(module, key), own=key in own)]
    there = ", ".join(dict.fromkeys([*agents, *own])) or "nothing public"
    hint = f"did you mean `{close}`? " if close else ""
    raise AgentProblem(f"agent `{spec}`: {place} has no `{name}`; {hint}it has: {there}")


def _home(target: Any) -> ModuleType | None:
    """The module of the user's that an object comes from: its own, its class's, or that of a graph's first node."""
    nodes = getattr(target, "nodes", None)
    functions = [getattr(getattr(node, "bound", None), "func", None) for node in nodes.values()] if nodes else []
    names = [getattr(each, "__module__", None) for each in (target, type(target), *functions)]
    return next((sys.modules[name] for name in names if name and is_user_module(name)), None)
