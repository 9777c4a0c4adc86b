"""Scoring without running: conversations that telemetry shows become the episodes of a run, and its gate is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, islice
from types import MappingProxyType

from harness import __version__
from harness.episodes.observed import Frame, observe
from harness.episodes.observed.lacks import unmarked_tools
from harness.gates.coverage import Clauses
from harness.gates.decide import decide
from harness.model.episode import AgentVersion, Episode, EpisodeKey
from harness.model.material import Ground, Material
from harness.model.result import Decision, GateVerdict, Result, RuleResult
from harness.model.scenario import Scenario
from harness.model.score import Scored
from harness.model.workflow import Workflow
from harness.runs.clauses import clauses_in
from harness.runs.observed_place import Aim, agent_of, attribute_of, placed, scenario_of
from harness.runs.revision import revision_of
from harness.runs.unread import Unread
from harness.scoring.score import score
from harness.store.conversation_rows import id_of
from harness.store.records import OBSERVED, Planned, RunRecord, new_run_id
from harness.store.store import Store
from harness.workflow import digests
from harness.workflow.bundle import Bundle
from traces.conversation import Conversation

_AT_A_TIME = 50
"""Conversations that are stored in one transaction."""


@dataclass(slots=True)
class Seen:
    """What came by, for what is to be said of it in the end."""

    conversations: int = 0
    unmarked: Counter[str] = field(default_factory=Counter)
    agents: Counter[str] = field(default_factory=Counter)
    feedback: Counter[tuple[str, str]] = field(default_factory=Counter)
    unsliced: Counter[str] = field(default_factory=Counter)
    doubles: int = 0
    """Conversations left out, since another of their id was scored before them."""
    strangers: list[str] = field(default_factory=list)
    """Of telemetry that tells of no turn, what is in it."""
    warnings: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A run of observed conversations that came to its end. `workflow`: the one that it was scored by."""

    run: RunRecord
    workflow: Workflow
    verdict: GateVerdict
    results: tuple[Result, ...]
    seen: Seen


def score_conversations(
    bundle: Bundle, conversations: Iterable[Conversation], store: Store, aim: Aim, unread: Unread | None = None
) -> Sighting:
    """Score conversations, store them as a run, and decide its gate over them. `unread`: what could not be read of the
    telemetry, complete when the first conversation comes; with such a hole no gate passes.

    Raises CantObserve, and StoreProblem.
    """
    scenario = scenario_of(bundle, aim)
    workflow, stand_in = placed(bundle, scenario, aim)
    waiting = iter(conversations)
    first = next(waiting, None)
    record = RunRecord(
        id=new_run_id(datetime.now(UTC)),
        workflow=workflow.workflow,
        created=datetime.now(UTC),
        agents=(agent_of(first, aim.agent),),
        plan={
            "scenario": aim.scenario,
            "family": stand_in.family,
            "unassigned": stand_in.family not in bundle.workflow.scenario_map,
        },
        options={
            "kind": OBSERVED,
            "partial": None,
            "unread": asdict(unread or Unread()),
            "revision": revision_of(bundle.root),
        },
        harness_version=__version__,
    )
    watch = _Watch(bundle, workflow, stand_in, scenario is not None, store, record, aim)
    watch.begin()
    try:
        for batch in _batches(waiting if first is None else chain((first,), waiting)):
            watch.keep(batch)
    except BaseException:
        store.finish(record.id, "interrupted", agents=watch.agents)
        raise
    store.finish(record.id, "done", agents=watch.agents)
    record = store.run(record.id)
    results = tuple(store.results(record.id))
    verdict = decide_observed(workflow, results, record, clauses_in(store, workflow, results))
    return Sighting(record, workflow, verdict, results, watch.seen)


def decide_observed(
    workflow: Workflow, results: Sequence[Result], run: RunRecord, clauses: Clauses = MappingProxyType({})
) -> GateVerdict:
    """The gate over observed conversations. `clauses`: as `decide` takes them."""
    if not results:
        nothing = "no conversation: nothing that arrived tells of one"
        row = RuleResult("conversations arrived", Decision.UNDECIDED, nothing, implicit=True)
        return GateVerdict(Decision.UNDECIDED, (row,))
    verdict = decide(workflow, results, observed=True, day=run.day, clauses=clauses)
    unread = Unread(**run.options["unread"])
    if not unread.count:
        return verdict
    some = "; ".join(unread.first[:3]) + (" …" if unread.count > 3 else "")
    reason = f"{unread.count:,} could not be: {some}"
    row = RuleResult("all telemetry was read", Decision.UNDECIDED, reason, implicit=True)
    decision = Decision.UNDECIDED if verdict.decision is Decision.PASSED else verdict.decision
    return replace(verdict, decision=decision, rules=(row, *verdict.rules))


class _Watch:
    """Conversations on their way into the store."""

    def __init__(
        self,
        bundle: Bundle,
        workflow: Workflow,
        scenario: Scenario,
        expected: bool,
        store: Store,
        record: RunRecord,
        aim: Aim,
    ) -> None:
        self.seen = Seen()
        self._store = store
        self._record = record
        self._aim = aim
        self._scenario = scenario
        self._items: set[str] = set()
        self._agents: dict[str, AgentVersion] = {}
        ground = Ground(bundle.schema, {}, bundle.knowledge)
        self._material = Material(
            workflow, scenario, bundle.schema, ground.start, bundle.knowledge, bundle.prices, ground=ground
        )
        self._workflow_entry = digests.item_entry(workflow)
        self._state_entry = digests.entry(digests.state_text({}))
        self._digests = replace(
            bundle.digests(scenario), workflow=self._workflow_entry[0], start_state=self._state_entry[0]
        )
        needed = set(asdict(self._digests).values())
        texts = [*bundle.sources().items(), self._workflow_entry, self._state_entry, digests.item_entry(scenario)]
        self._texts = {digest: text for digest, text in texts if digest in needed}
        self._frame = Frame.of(
            bundle.schema,
            self._digests,
            tuple(workflow.may_change),
            scenario if expected else None,
        )

    @property
    def agents(self) -> tuple[AgentVersion, ...]:
        """Those that the conversations were had with, in the order in which they came; until one came, the run's."""
        return tuple(self._agents.values()) or self._record.agents

    def begin(self) -> None:
        """Write down that the run begins."""
        self._store.create_run(self._record)

    def keep(self, batch: Iterable[Conversation]) -> None:
        """Score and store some. What is there already is no second trial."""
        planned: list[Planned] = []
        scored: list[tuple[Episode, Scored]] = []
        for conversation in batch:
            item = id_of(conversation)
            if not conversation.turns:
                judged = f"of the conversation {conversation.id or item}, only judgements arrived"
                self.seen.strangers += [judged] if conversation.feedback else conversation.warnings
                continue
            if item in self._items:
                self.seen.doubles += 1
                continue
            self._items.add(item)
            agent = agent_of(conversation, self._aim.agent)
            agent = self._agents.setdefault(agent.label, agent)
            key = EpisodeKey(self._record.id, agent.label, item, 1)
            episode = observe(conversation, key, agent, self._frame)
            scored.append((episode, score(episode, self._material)))
            slices = self._slices(conversation)
            planned.append(Planned(key, self._scenario.family, self._scenario.tier, slices, self._digests))
            self._note(conversation, episode)
        self._store.plan(planned, self._texts)
        self._store.save_many(scored)

    def _slices(self, conversation: Conversation) -> dict[str, str]:
        found = dict(self._scenario.slices)
        for name, attribute in self._aim.slices:
            value = attribute_of(conversation.spans, attribute)
            if value is None:
                self.seen.unsliced[name] += 1
            else:
                found[name] = value
        return found

    def _note(self, conversation: Conversation, episode: Episode) -> None:
        seen = self.seen
        seen.conversations += 1
        seen.unmarked.update(unmarked_tools(episode.calls))
        seen.agents[agent_of(conversation, None).label] += 1
        seen.warnings.update(conversation.warnings)
        for one in conversation.feedback:
            told = one.label if one.label is not None else "" if one.value is None else f"{one.value:g}"
            seen.feedback[one.name, told] += 1


def _batches(conversations: Iterator[Conversation]) -> Iterator[list[Conversation]]:
    while batch := list(islice(conversations, _AT_A_TIME)):
        yield batch
