"""turngate: rehearse an agent's conversations, score the traces, gate each workflow.

What an agent's code needs stands here, and what runs a workflow from Python. Nothing is imported before it is asked
for.
"""

from typing import TYPE_CHECKING

from tools_sandbox.lazy import lazily

if TYPE_CHECKING:
    from harness.agents.forms import http_tools, mcp_tools, openai_tools, result_text
    from harness.agents.langchain_tools import langchain_tools
    from harness.agents.problem import AgentProblem
    from harness.api import RunOutcome, run, run_async
    from harness.llm.problem import ModelProblem
    from harness.model.agent import Agent, Interrupted, Reply, Session
    from harness.runs.selection import NothingSelectedError, TooManyEpisodesError
    from harness.store.problem import StoreProblem
    from harness.workflow.problems import Problems

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AgentProblem",
    "Interrupted",
    "ModelProblem",
    "NothingSelectedError",
    "Problems",
    "Reply",
    "RunOutcome",
    "Session",
    "StoreProblem",
    "TooManyEpisodesError",
    "http_tools",
    "langchain_tools",
    "mcp_tools",
    "openai_tools",
    "result_text",
    "run",
    "run_async",
]

__getattr__ = lazily(
    __name__,
    {
        "Agent": "model.agent",
        "AgentProblem": "agents.problem",
        "Interrupted": "model.agent",
        "ModelProblem": "llm.problem",
        "NothingSelectedError": "runs.selection",
        "Problems": "workflow.problems",
        "Reply": "model.agent",
        "RunOutcome": "api",
        "Session": "model.agent",
        "StoreProblem": "store.problem",
        "TooManyEpisodesError": "runs.selection",
        "http_tools": "agents.forms",
        "langchain_tools": "agents.langchain_tools",
        "mcp_tools": "agents.forms",
        "openai_tools": "agents.forms",
        "result_text": "agents.forms",
        "run": "api",
        "run_async": "api",
    },
)
