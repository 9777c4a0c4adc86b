"""What the results of a run depend on, and what of it has changed between two runs: item by item, in words."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from harness.model.episode import Digests
from harness.model.source import without_places
from harness.store.problem import StoreProblem
from harness.store.store import Store
from harness.workflow.bundle import Bundle

_PRICED = "cost_usd"
_NAMED = 5
"""How many names of what has changed are written out."""
_SCORED_BY = ("rules", "may_change", "passthrough", "clock")
"""Parts of the workflow file, but for those with digests of their own, that playing and scoring go by."""


@dataclass(frozen=True, slots=True)
class MadeOf:
    """`digests` by scenario; `scored_by`: versions of the scorer and their configurations by metric; `texts`: those of
    workflows, policies, sandbox schemas behind the digests, so far as they are kept; `families`: that of each scenario.
    """

    digests: Mapping[str, Digests]
    scored_by: Mapping[str, set[tuple[str, str]]]
    texts: Mapping[str, str]
    families: Mapping[str, str]

    @classmethod
    def of(cls, store: Store, run: str) -> MadeOf:
        """That of a stored run. Raises StoreProblem."""
        digests = store.digests(run)
        families = {result.key.item: result.family for result in store.results(run)}
        wanted = {digest for each in digests.values() for digest in (each.workflow, each.knowledge, each.schema)}
        return cls(digests, store.baselines.scored_by(run), _texts(store, wanted), families)

    @classmethod
    def now(cls, bundle: Bundle) -> MadeOf:
        """What a run of a bundle as it is would be made of; nothing is scored yet."""
        scenarios = bundle.scenarios
        digests = {item: bundle.digests(scenario) for item, scenario in scenarios.items()}
        return cls(digests, {}, bundle.sources(), {item: scenario.family for item, scenario in scenarios.items()})

    def changed_items(self, before: MadeOf) -> dict[str, str]:
        """The scenarios that are in both and no longer the same, by id, with what has changed since: their own text, or
        what they are played with.
        """
        shared: dict[tuple[Any, ...], list[str]] = {}
        found = {}
        for item, now in self.digests.items():
            if (then := before.digests.get(item)) is None or then == now:
                continue
            family = self.families.get(item, "")
            pair = (*astuple(then)[1:], *astuple(now)[1:], family)
            if pair not in shared:
                shared[pair] = list(self._changed(before, then, now, family))
            if what := [*(["the scenario"] if then.scenario != now.scenario else []), *shared[pair]]:
                found[item] = f"{', '.join(what)} changed"
        return found

    def lacking(self, before: MadeOf) -> list[str]:
        """In words, which scenarios are not in the other, and which are no longer what they were there."""
        new = [item for item in self.digests if item not in before.digests]
        by_reason: defaultdict[str, list[str]] = defaultdict(list)
        for item, reason in self.changed_items(before).items():
            by_reason[reason].append(item)
        said = [f"{len(new)} not played{_names(new)}"] if new else []
        return [*said, *(f"{reason} since{_names(items)}" for reason, items in by_reason.items())]

    def changed_metrics(self, before: MadeOf) -> dict[str, str]:
        """The metrics that are in both and scored otherwise now, with how."""
        found = {}
        for metric, now in self.scored_by.items():
            then = before.scored_by.get(metric)
            if then is not None and then != now:
                found[metric] = f"scorer version {_versions(then)} -> {_versions(now)}"
        prices = [{each.prices for each in made.digests.values()} for made in (before, self)]
        if prices[0] != prices[1] and _PRICED in self.scored_by:
            found.setdefault(_PRICED, "the price table changed")
        return found

    def _changed(self, before: MadeOf, then: Digests, now: Digests, family: str) -> Iterable[str]:
        """What two scenarios of a family don't share any more, besides their own text."""
        if then.knowledge != now.knowledge:
            yield "the policy" + _names(_documents(before.texts.get(then.knowledge), self.texts.get(now.knowledge)))
        if then.schema != now.schema:
            yield "the tools" + _names(_tools(before.texts.get(then.schema), self.texts.get(now.schema)))
        if then.start_state != now.start_state:
            yield "the start state"
        if then.workflow != now.workflow:
            parts = _parts(before.texts.get(then.workflow), self.texts.get(now.workflow), family)
            yield from (f"`{part}` of the workflow" if part else "the workflow" for part in parts)


def _texts(store: Store, digests: Iterable[str]) -> dict[str, str]:
    found = {}
    for digest in digests:
        try:
            found[digest] = store.text(digest)
        except StoreProblem:  # purged with the words
            continue
    return found


def _versions(scored_by: set[tuple[str, str]]) -> str:
    return " and ".join(f"{version} ({config})" if config else version for version, config in sorted(scored_by))


def _names(names: Sequence[str]) -> str:
    some = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return f" ({some})" if names else ""


def _documents(before: str | None, after: str | None) -> list[str]:
    one, other = (
        {each["source"]: each["text"] for each in json.loads(text)} if text is not None else None
        for text in (before, after)
    )
    return _different(one, other)


def _tools(before: str | None, after: str | None) -> list[str]:
    one, other = (json.loads(text) if text is not None else None for text in (before, after))
    if one is None or other is None:
        return []
    names = (name for part in ("tools", "sources") for name in _different(one.get(part, {}), other.get(part, {})))
    tables = ["its tables"] if one.get("tables") != other.get("tables") else []
    return [*dict.fromkeys(names), *tables]


def _parts(before: str | None, after: str | None, family: str) -> list[str]:
    """The parts of a workflow file that differ; an empty name where that can't be told."""
    if before is None or after is None:
        return [""]
    one, other = (_judging(json.loads(text), family) for text in (before, after))
    return _different(one, other)


def _judging(workflow: dict[str, Any], family: str) -> dict[str, Any]:
    measures = workflow.get("scenario_map", {}).get(family, {}).get("measures")
    parts = {name: workflow[name] for name in _SCORED_BY if workflow.get(name)}
    found: dict[str, Any] = without_places({**parts, "measures": measures})
    return found


def _different(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> list[str]:
    if one is None or other is None:
        return []
    return [name for name in dict.fromkeys([*one, *other]) if one.get(name) != other.get(name)]
