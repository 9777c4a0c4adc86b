"""What an agent is known to hold before it runs: its tools, to be held against the sandbox, its models, and what is to
be said of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from langchain_core.tools import BaseTool
from langgraph.pregel import Pregel

from harness.agents.lacking import lacking
from harness.agents.models import model_name, parameters_of
from harness.agents.reach import reach


class Held:
    """The `tools` of a graph, a function or an object, by name. `notes`: what of it is not redirected; `model`: the
    names of the models it holds, and `parameters` what they are set to.
    """

    def __init__(self, target: Any) -> None:
        found = reach(target)
        self.tools: Mapping[str, BaseTool] = {tool.name: tool for tool in found.tools}
        self.model = ", ".join(sorted({name for model in found.models if (name := model_name(model))})) or None
        self.parameters = parameters_of(found.models)
        self.notes: list[str] = []
        if found.code_nodes:
            named = ", ".join(sorted(set(found.code_nodes)))
            self.notes.append(f"the code in node {named} runs as it is: only LangChain tools in it are redirected")
        if found.tools and not isinstance(target, Pregel):
            named = getattr(target, "__name__", type(target).__name__)
            self.notes.append(
                f"the code in {named} runs as it is: a call of a LangChain tool's own `.func` really runs it"
            )
        if found.remote:
            named = ", ".join(sorted(set(found.remote)))
            self.notes.append(f"the remote graph {named} calls its own tools: nothing there is redirected")

    def check(self, sandbox: Collection[str], passthrough: Collection[str]) -> None:
        """Raise AgentProblem for a tool that neither the sandbox has nor `passthrough` names. One that is not found
        here is refused when it is run.
        """
        if missing := sorted(self.tools.keys() - set(sandbox) - set(passthrough)):
            raise lacking(missing, sandbox)
