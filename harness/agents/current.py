"""The session whose agent is running here: what is called deep inside an agent's code finds its episode by it."""

from __future__ import annotations

from contextvars import ContextVar

from harness.model.agent import Session

SESSION: ContextVar[Session | None] = ContextVar("turngate_session", default=None)
"""None outside an episode. Tasks, and threads that are given the context, inherit it."""
