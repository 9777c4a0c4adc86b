"""turngate: rehearse an agent's conversations, score the traces, gate each workflow.

What an agent's code needs stands here; nothing is imported before it is asked for.
"""

from typing import TYPE_CHECKING

from tools_sandbox.lazy import lazily

if TYPE_CHECKING:
    from harness.agents.forms import http_tools, mcp_tools, openai_tools, result_text
    from harness.agents.langchain_tools import langchain_tools
    from harness.model.agent import Agent, Interrupted, Reply, Session

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Interrupted",
    "Reply",
    "Session",
    "http_tools",
    "langchain_tools",
    "mcp_tools",
    "openai_tools",
    "result_text",
]

__getattr__ = lazily(
    __name__,
    {
        "Agent": "model.agent",
        "Interrupted": "model.agent",
        "Reply": "model.agent",
        "Session": "model.agent",
        "http_tools": "agents.forms",
        "langchain_tools": "agents.langchain_tools",
        "mcp_tools": "agents.forms",
        "openai_tools": "agents.forms",
        "result_text": "agents.forms",
    },
)
