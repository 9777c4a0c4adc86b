"""Under what observed conversations stand: agent, row of the map, scenario, slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.model.episode import AgentVersion
from harness.model.scenario import Scenario
from harness.model.workflow import Family, Workflow
from harness.store.records import OBSERVED
from harness.workflow.bundle import Bundle
from harness.workflow.digests import digest_of
from tools_sandbox.nearest import hint
from traces.conversation import Conversation
from traces.span import Span

UNASSIGNED = "unassigned"
"""The family of conversations that neither the command nor the workflow puts into another."""
_PRODUCTION = "production"
_ROW = {
    "about": "Conversations from telemetry that no family is named for",
    "source": [_PRODUCTION],
    "measures": ["faithfulness", "context_retention", "safety.authorization", "safety.privacy"],
    "failures": ["KN4", "TO4", "UN2", "SA1", "SA2", "TO5"],
    "gate": [{"rule": "judged", "status": "not_judged", "at_most": "0.02"}],
    "review": {"always": ["critical_failure"]},
}


class CantObserve(Exception):
    """What was asked for is not there; the text says what, and what there is."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What conversations are scored by. `scenario`: the id of one that was written for them. `agent`: `NAME` or
    `NAME@VERSION`, whatever the telemetry says. `slices`: by name, the attribute of spans or resources that holds it.
    """

    scenario: str | None = None
    family: str | None = None
    agent: str | None = None
    slices: tuple[tuple[str, str], ...] = ()


def agent_of(conversation: Conversation | None, named: str | None) -> AgentVersion:
    """Which agent it was: as named, else as the telemetry says, on one line."""
    name, _, version = (named or "").partition("@")
    spans = conversation.spans if conversation is not None else ()
    told = attribute_of(spans, "gen_ai.agent.version") or attribute_of(spans, "service.version")
    if not name and conversation is not None:
        name = next(iter(conversation.agents), "") or attribute_of(spans, "service.name") or ""
    name, version = (" ".join(text.split()) for text in (name, version or told or ""))
    label = f"{name or 'agent'}@{version or OBSERVED}"
    return AgentVersion(name or "agent", version or OBSERVED, digest_of(label))


def scenario_of(bundle: Bundle, aim: Aim) -> Scenario | None:
    """The scenario that was written for the conversations, if any. Raises CantObserve."""
    if aim.scenario is None:
        return None
    if aim.scenario not in bundle.scenarios:
        raise CantObserve(
            f"--scenario {aim.scenario}: there is none of that name; {hint(aim.scenario, bundle.scenarios)}"
        )
    return bundle.scenarios[aim.scenario]


def placed(bundle: Bundle, scenario: Scenario | None, aim: Aim) -> tuple[Workflow, Scenario]:
    """The workflow with a row for the conversations, and the scenario that they stand under: the one written for them,
    else one that expects nothing. Raises CantObserve.
    """
    rows = bundle.workflow.scenario_map
    if aim.family is not None and aim.family not in rows:
        raise CantObserve(f"--family {aim.family}: the workflow has none of that name; {hint(aim.family, rows)}")
    production = [name for name, row in rows.items() if _PRODUCTION in row.source]
    named = aim.family or (scenario.family if scenario is not None else None)
    family = named or (production[0] if len(production) == 1 else UNASSIGNED)
    workflow = bundle.workflow
    if family not in rows:
        workflow = workflow.model_copy(update={"scenario_map": {**rows, family: Family.model_validate(_ROW)}})
    if scenario is not None:
        return workflow, scenario.model_copy(update={"family": family})
    written = {"id": OBSERVED, "family": family, "source": _PRODUCTION, "user": {"turns": ["…"]}, "expect": {}}
    return workflow, Scenario.model_validate(written)


def attribute_of(spans: Sequence[Span], attribute: str) -> str | None:
    """The value of an attribute on the first span, or of the process of one, that has it."""
    for span in spans:
        value = span.attributes.get(attribute, span.resource.get(attribute))
        if value is not None:
            return str(value)
    return None
