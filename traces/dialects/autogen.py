"""AutoGen's own spans: the GenAI conventions without any content, and the team in the id of an agent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from traces.dialects.facts import Facts
from traces.dialects.otel_genai import OTEL_GENAI
from traces.log_record import LogRecord
from traces.span import Span

_ID = "gen_ai.agent.id"
_TEAM = re.compile(r".+_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/\1", re.DOTALL)
"""The id of an agent in a team: its name, and twice the team's."""


class AutoGen:
    """A team is a conversation: it goes on with every run, each agent in a trace of its own."""

    name = "autogen"

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span of its scope that tells of an agent by its id."""
        return span.scope.startswith("autogen") and _ID in span.attributes and OTEL_GENAI.knows(span, logs)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts as the conventions have them, with the team's id."""
        facts = OTEL_GENAI.read(span, logs)
        facts.dialect = self.name
        team = _TEAM.fullmatch(str(span.attributes[_ID]))
        if team is not None and facts.conversation is None:
            facts.conversation = team[1], _ID
        return facts


AUTOGEN = AutoGen()
