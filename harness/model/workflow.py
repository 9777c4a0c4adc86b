"""A workflow: the team's table of families, sources, metrics, failure types, gate and review, as it is written."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from harness.model.exemption import Quarantine, Waiver
from harness.model.expect import ArgumentPattern, Code, Match, Outcome, WordsList
from harness.model.limits import MAX_TRIALS
from harness.model.remote import HttpAgent
from harness.model.replay_policy import ReplayPolicy
from harness.model.scenario import Phrases, Tier
from harness.model.source import Flag, Free, Item, Mapping, Number, Raw, Text, Whole, kind_of, place

Kind = Annotated[Literal["reads", "writes"], Raw]
NeedName = Annotated[Literal["identity", "consent"], Raw]


class Rule(Item):
    """What holds in every conversation of a workflow. One of: `before` with `need`; `when` with `need`; `limit`;
    `never_says`; `never`. `need` is a tool or `consent`.
    """

    id: Text
    clause: Text | None = None
    code: Code | None = None
    before: Phrases = []
    when: dict[Annotated[Literal["user_says"], Raw], WordsList] | None = None
    need: Text | None = None
    limit: dict[str, Match] = {}
    never_says: WordsList = []
    never: Phrases = []

    @model_validator(mode="after")
    def _one_form(self) -> Rule:
        forms = [bool(self.before), self.when is not None, bool(self.limit), bool(self.never_says), bool(self.never)]
        if sum(forms) != 1:
            raise ValueError("a rule has exactly one of: before, when, limit, never_says, never")
        if (self.need is not None) != (bool(self.before) or self.when is not None):
            raise ValueError("`need` goes with `before` and with `when`, and they need it")
        return self


class Review(Item):
    """Which episodes a person looks at: always those, and this share of the passes."""

    always: list[Annotated[Literal["critical_failure", "judge_unsure"], Raw]] = []
    sample_passes: Number = Field(default=0, ge=0, le=1, validate_default=True)


HAT = "pass^"
STATS = ("mean", "p50", "p90", "p95", "p99", "max")


def _stat(value: Any) -> Any:
    text = str(value)
    if text not in STATS and not re.fullmatch(r"pass\^[1-9]\d{0,4}", text):
        raise ValueError(f"{kind_of(text)} is none of {', '.join(STATS)}, pass^2, pass^3 …")
    return text


Stat = Annotated[
    str,
    BeforeValidator(_stat),
    WithJsonSchema({"type": "string", "pattern": rf"^({'|'.join(STATS)}|pass\^[1-9][0-9]{{0,4}})$"}),
]
"""A statistic of a measure, or pass^k of what passes or fails."""


class GateRule(Item):
    """One row of a gate. Which kind it is follows from its keys; `harness.gates` documents them."""

    rule: Text
    metric: Text | None = None
    tier: Tier | None = None
    every: Annotated[Literal["trial"], Raw] | None = None
    each: Phrases = []
    at_least: Number | None = None
    at_most: Number | None = None
    failures: Whole | None = Field(None, ge=0)
    status: Annotated[Literal["not_judged"], Raw] | None = None
    coverage: Annotated[Literal["families", "clauses"], Raw] | None = None
    per: Annotated[Literal["episode", "success", "turn", "scenario"], Raw] | None = None
    of: Whole | None = Field(None, ge=1, le=MAX_TRIALS)
    stat: Stat | None = None
    min_n: Whole | None = Field(None, ge=1)
    confidence: Number | None = Field(None, gt=0, lt=1)
    generalise: Flag = False
    against: Text | None = None
    max_drop: Number | None = Field(None, ge=0, le=1)
    max_rise: Number | None = Field(None, ge=0)
    required: Flag = False
    level: Annotated[Literal["turns", "forward"], Raw] | None = None
    worse: Whole | None = Field(None, ge=0)
    compared: Number | None = Field(None, gt=0, le=1)

    @property
    def pass_hat(self) -> int | None:
        """The k of `stat: pass^k`."""
        return int(self.stat.removeprefix(HAT)) if self.stat and self.stat.startswith(HAT) else None

    @property
    def held(self) -> str | None:
        """The metric that it sets a limit; a share not judged, or a drop from a baseline, is none."""
        return self.metric if self.status is None and self.against is None else None


class Family(Item):
    """One row of the scenario map."""

    about: Text
    source: list[Text] = Field(min_length=1)
    measures: list[Text] = Field(min_length=1)
    failures: list[Code] = Field(min_length=1)
    gate: list[GateRule] = Field(min_length=1)
    review: Review


class StubReturn(Item):
    """What a tool of the file gives back: a fixed value, or the row or field at a state path with `{argument}` filled
    in.
    """

    short_forms = ({},)

    value: Free = None
    from_: Text | None = Field(None, alias="from")

    @model_validator(mode="before")
    @classmethod
    def _sugar(cls, node: Any) -> Any:
        stored = not isinstance(node, Mapping)
        if isinstance(node, dict) and (node.keys() == {"from"} or (stored and node.keys() <= {"from", "value", "$at"})):
            return node
        return {**place(node), "value": node}


class StubCase(Item):
    """One case of a tool: the first whose `when` fits the arguments answers."""

    when: dict[str, ArgumentPattern] = {}
    set: dict[str, Free] = {}
    return_: StubReturn | None = Field(None, alias="return")
    error: Text | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> StubCase:
        if self.error is not None and (self.return_ is not None or self.set):
            raise ValueError("a case that is an `error` neither returns nor sets anything")
        return self


class Tool(Item):
    """A tool in the file: with `args` and an answer it is simulated; without an answer it gives marks to a tool that
    lives elsewhere.
    """

    kind: Kind
    about: Text = ""
    args: dict[
        str,
        Annotated[
            Literal[
                "text",
                "integer",
                "number",
                "decimal",
                "boolean",
                "date",
                "datetime",
                "any",
                "text?",
                "integer?",
                "number?",
                "decimal?",
                "boolean?",
                "date?",
                "datetime?",
                "any?",
            ],
            Raw,
        ],
    ] = {}
    return_: StubReturn | None = Field(None, alias="return")
    set: dict[str, Free] = {}
    cases: list[StubCase] = []
    proves: Text | None = None
    needs: list[NeedName] = []
    ends: Outcome | None = None
    retrieves: Flag = False

    @model_validator(mode="after")
    def _one_answer(self) -> Tool:
        if self.cases and (self.return_ is not None or self.set):
            raise ValueError("a tool answers by `cases`, or always the same by `return` and `set`, not both")
        return self


def _agent_form(node: Any) -> str:
    return "$service" if isinstance(node, dict | HttpAgent) else "$name"


AgentEntry = Annotated[
    Annotated[Text, Tag("$name")] | Annotated[HttpAgent, Tag("$service")], Discriminator(_agent_form)
]
"""What plays: named in one line, or a service with how it is asked."""


class Workflow(Item):
    """The workflow file, resolved: `defaults` are filled into every family."""

    workflow: Text
    about: Text = ""
    agent: AgentEntry | None = None
    sandbox: Text | None = None
    state: dict[str, dict[str, dict[str, Free]]] = {}
    private: dict[str, dict[str, Text]] = {}
    tools: dict[str, Tool] = {}
    knowledge: Phrases = []
    clock: Text | None = None
    trials: Whole = Field(1, ge=1, le=MAX_TRIALS)
    may_change: Phrases = []
    passthrough: Phrases = []
    prices: Text | None = None
    rules: list[Rule] = []
    scenario_map: dict[str, Family] = Field(min_length=1)
    gate: list[GateRule] = []
    waivers: list[Waiver] = []
    quarantine: list[Quarantine] = []
    baselines: dict[str, Text] = {}
    replay: ReplayPolicy = ReplayPolicy.model_validate({})
