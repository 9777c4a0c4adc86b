"""The shards of one run, played apart, put together into the run that they are parts of."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from heapq import merge as merge_sorted

from harness.model.episode import EpisodeKey
from harness.runs.selection import Shard
from harness.store.portable_records import Attempt, Record, Text
from harness.store.records import Planned, RunRecord
from harness.store.store import Store

_LATE = 24
"""Hours after which a shard is late."""
_SHARED = ("trials", "limits")
"""What of their plans shards have in common, besides the whole list of scenarios."""


class CantMerge(Exception):
    """These are not the shards of one run; the text says why, all reasons at once."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run that is said to be a shard. `name`: as it was typed; `store`: where it is."""

    name: str
    store: Store
    run: RunRecord

    @property
    def shard(self) -> Shard:
        """Which it is. Raises CantMerge for a run that is no shard."""
        match self.run.options.get("shard"):
            case {"number": int(number), "of": int(of), "scenarios": [*_], "files": _, "partial": _}:
                if 1 <= number <= of and all(isinstance(item, str) for item in self.whole):
                    return Shard(number, of)
        raise CantMerge(f"{self.name} is no shard: only runs of `turngate run --shard I/N` can be merged")

    @property
    def whole(self) -> list[str]:
        """The scenarios of the run that it is a part of."""
        return list(self.run.options["shard"]["scenarios"])

    @property
    def shared(self) -> dict[str, tuple[object, str]]:
        """What all shards of a run have in common, each with how it is told."""
        run = self.run
        digests = next(iter(self.store.digests(run.id).values()), None)
        found: dict[str, tuple[object, str]] = {
            "the workflow": (run.workflow, run.workflow),
            "the agent": (run.agents, ", ".join(agent.label for agent in run.agents)),
            "turngate": (run.harness_version, run.harness_version),
            "the number of shards": (self.shard.of, str(self.shard.of)),
            "the scenarios": (self.whole, f"{len(self.whole)} of them"),
            "the selection": (run.options["shard"]["partial"], run.options["shard"]["partial"] or "all"),
            **{name: (run.plan.get(name), str(run.plan.get(name))) for name in _SHARED},
        }
        if digests is not None:
            for name, digest in asdict(replace(digests, scenario="")).items():
                found[f"the digest of {name.replace('_', ' ')}"] = (digest, f"{digest[:12]}…")
        files = run.options["shard"]["files"]
        return {**found, "the digest of all scenarios and files": (files, f"{str(files)[:12]}…")}


@dataclass(frozen=True, slots=True)
class Merged:
    """The run that shards were merged into, and what is to be said of them. `known`: it was merged before."""

    run: str
    known: bool
    notes: tuple[str, ...]


def merge(store: Store, parts: Sequence[Part]) -> Merged:
    """Put the shards of one run together in a store, all or nothing. The same shards make the same run.

    Raises CantMerge: where a shard is missing, doubled, unfinished, or made of something else; and StoreProblem.
    """
    in_order = _refused_or_sorted(parts)
    run = _whole(in_order)
    came = store.portable.put(_records(run, in_order))
    return Merged(run.id, came.fate != "new", tuple(_told(in_order)))


def _refused_or_sorted(parts: Sequence[Part]) -> list[Part]:
    by_number: defaultdict[int, list[Part]] = defaultdict(list)
    for part in parts:
        by_number[part.shard.number].append(part)
    wrong = [
        f"shard {same[0].shard} is there twice: {' and '.join(part.name for part in same)}"
        for same in by_number.values()
        if len(same) > 1
    ]
    of = parts[0].shard.of
    wrong += [f"shard {Shard(number, of)} is missing" for number in range(1, of + 1) if number not in by_number]
    for part in parts:
        if part.run.status != "done":
            wrong.append(
                f"shard {part.shard} ({part.name}) was interrupted: turngate run --resume {part.run.id}, where it was "
                "played, goes on with it"
            )
    wrong += _differences(parts)
    if wrong:
        raise CantMerge("; ".join(wrong))
    return [by_number[number][0] for number in range(1, of + 1)]


def _differences(parts: Sequence[Part]) -> Iterator[str]:
    """What shards don't have in common, against the first one."""
    first = parts[0]
    expected = first.shared
    for part in parts:
        if set(part.store.digests(part.run.id)) != set(part.shard.part(part.whole)):
            yield f"{part.name} has not the scenarios of shard {part.shard}"
    for part in parts[1:]:
        for what, (value, told) in part.shared.items():
            if what in expected and value != expected[what][0]:
                yield (
                    f"{what}: {told} in shard {part.shard} ({part.name}), {expected[what][1]} in shard {first.shard} "
                    f"({first.name})"
                )


def _whole(parts: Sequence[Part]) -> RunRecord:
    first = min((part.run for part in parts), key=lambda run: (run.created, run.id))
    names = "\n".join(sorted(part.run.id for part in parts))
    made = {"merged": [{"run": part.run.id, "shard": str(part.shard)} for part in parts]}
    options = {name: value for name, value in first.options.items() if name not in ("shard", "process")}
    held_against = {name: run for part in parts for name, run in part.run.options.get("baselines", {}).items()}
    return replace(
        first,
        id=f"r-{first.created:%Y%m%d-%H%M%S}-{hashlib.sha256(names.encode()).hexdigest()[:6]}",
        plan={**first.plan, "scenarios": list(parts[0].whole)},
        options={
            **options,
            **({"baselines": held_against} if held_against else {}),
            "partial": parts[0].run.options["shard"]["partial"],
            **made,
        },
        status="done",
        deterministic=all(part.run.deterministic for part in parts),
    )


def _records(run: RunRecord, parts: Sequence[Part]) -> Iterator[Record]:
    """The records of the whole run, in the order in which it would have been planned."""
    place = {item: number for number, item in enumerate(parts[0].whole)}

    def order(record: Planned | Attempt) -> tuple[int, int]:
        return record.key.trial, place[record.key.item]

    yield run
    texts: dict[str, Text] = {}
    plan: list[Planned] = []
    for part in parts:
        for record in part.store.portable.records(part.run.id):
            if isinstance(record, Text):
                texts.setdefault(record.digest, record)
            elif isinstance(record, Planned):
                plan.append(record)
            elif isinstance(record, Attempt):
                break
    yield from (texts[digest] for digest in sorted(texts))
    yield from (replace(planned, key=_in(run, planned.key)) for planned in sorted(plan, key=order))
    for attempt in merge_sorted(*map(_attempts, parts), key=order):
        key = _in(run, attempt.key)
        yield replace(attempt, key=key, episode=attempt.episode and replace(attempt.episode, key=key))


def _attempts(part: Part) -> Iterator[Attempt]:
    return (record for record in part.store.portable.records(part.run.id) if isinstance(record, Attempt))


def _in(run: RunRecord, key: EpisodeKey) -> EpisodeKey:
    return replace(key, run=run.id)


def _told(parts: Sequence[Part]) -> Iterator[str]:
    first = min(part.run.created for part in parts)
    for part in parts:
        if (hours := (part.run.created - first) // timedelta(hours=1)) >= _LATE:
            yield f"shard {part.shard} ({part.name}) was begun {hours} hours after the first"
    if len({str(part.run.plan.get("clock")) for part in parts}) > 1:
        yield "each shard was played at its own time: a `clock:` in the workflow gives all of them the same"
    commits = {part.run.commit for part in parts}
    if len(commits) > 1:
        yield f"the shards were played at different commits: {', '.join(sorted(str(each) for each in commits))}"
