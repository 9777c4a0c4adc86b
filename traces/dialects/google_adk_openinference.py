"""Google ADK by way of OpenInference, which writes what it sees onto the kit's own spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from traces.dialects.content.exchange import history
from traces.dialects.content.values import is_record
from traces.dialects.facts import Facts, Message
from traces.dialects.google_adk import GOOGLE_ADK, own, unwrapped
from traces.dialects.google_adk import SCOPE as KIT
from traces.dialects.openinference import KIND, OPENINFERENCE
from traces.log_record import LogRecord
from traces.span import Span

SCOPE = "openinference.instrumentation.google_adk"


class GoogleADKOpenInference:
    """OpenInference's attributes tell what was said. A span that the kit makes for all model calls of a run holds the
    last of them, and of the one before what its own reply did not write over.
    """

    name = OPENINFERENCE.name

    def knows(self, span: Span, logs: Sequence[LogRecord]) -> bool:
        """A span made for the kit, or the kit's own that OpenInference says the kind of."""
        return span.scope == SCOPE or (span.scope == KIT and KIND in span.attributes)

    def read(self, span: Span, logs: Sequence[LogRecord]) -> Facts:
        """The facts as OpenInference has them, without what the kit put around them."""
        if KIND not in span.attributes:
            return GOOGLE_ADK.read(span, logs)
        facts = OPENINFERENCE.read(span, logs)
        if is_record(facts.result) and {"name", "response"} <= facts.result.keys():
            facts.result = unwrapped(facts.result["response"])
        if facts.input is not None:
            asked = history(span.attributes.get("input.value"))  # flattened, one answer may stand in another's place
            facts.input = own(asked or facts.input)
            facts.output = _new(facts.output or (), facts.input)
        return facts


GOOGLE_ADK_OPENINFERENCE = GoogleADKOpenInference()


def _new(output: Sequence[Message], told: Sequence[Message]) -> tuple[Message, ...]:
    """The output without the calls that its history tells already."""
    asked = {call.id for message in told for call in message.calls}
    return tuple(
        replace(message, calls=tuple(call for call in message.calls if call.id is None or call.id not in asked))
        for message in output
    )
