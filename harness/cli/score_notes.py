"""What is to be said of observed conversations beside the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.drafts.workflow import reads
from harness.drafts.yaml_text import Flow, to_yaml
from harness.model.result import Decision
from harness.reports.printable import one_line
from harness.runs.observe import Seen, Sighting
from harness.runs.observed_place import UNASSIGNED
from harness.runs.unread import Unread

_SHOWN = 8


def notes(sighting: Sighting, bad: Unread) -> Iterator[str]:
    """A note each, the ones to act on last."""
    seen = sighting.seen
    if seen.conversations:
        yield (
            f"{_many(seen.conversations, 'conversation')} observed, none played: without state and trials, what needs "
            "them is not judged or skipped"
        )
        yield f"to see them all, and open one:\nturngate traces list --run {sighting.run.id}"
    if skipped := "; ".join(_skipped(sighting)):
        yield f"skipped: {skipped}"
    if seen.feedback:
        told = Counter({" ".join(filter(None, pair)): count for pair, count in seen.feedback.items()})
        yield f"feedback that came with the traces: {_listed(told)}"
    yield from _warnings(seen.warnings)
    for name, count in seen.unsliced.items():
        yield f"{_many(count, 'conversation')} without the attribute of --slice {name}"
    if len(seen.agents) > 1:
        yield (f"several agents are taken together: {_listed(seen.agents)}; score them apart where that matters")
    if seen.doubles:
        yield f"left out: {_many(seen.doubles, 'conversation')} with the id, or the trace, of one that was scored"
    for text in seen.strangers[:_SHOWN]:
        yield f"left out: {one_line(text, 400)}"
    for text in bad.first[:_SHOWN]:
        yield f"not read: {one_line(text, 400)}"
    if bad.count > _SHOWN:
        yield f"not read: {bad.count - _SHOWN:,} more"
    if sighting.results and sighting.run.plan["unassigned"]:
        yield (
            f"the conversations stand under `{UNASSIGNED}`: --family NAME, or `source: [production]` in one row of "
            "the workflow's scenario_map, puts them elsewhere"
        )
    if seen.unmarked:
        yield _unmarked(seen)


def _skipped(sighting: Sighting) -> Iterator[str]:
    """The rules that none of the conversations falls under, with why."""
    for rule in sighting.verdict.rules:
        if rule.decision is Decision.SKIPPED and not rule.planned:
            scores = [result.scores.get(rule.metric or "") for result in sighting.results]
            reasons = Counter(score.reason for score in scores if score is not None and score.reason)
            family = rule.cell.get("family")
            there = family is None or any(result.family == family for result in sighting.results)
            why = max(reasons, key=reasons.__getitem__) if reasons and there else rule.reason
            yield f"{one_line(rule.rule, 80)}{f' in {family}' if family else ''} ({one_line(why, 200)})"


def _unmarked(seen: Seen) -> str:
    """The YAML that makes the tools known: kinds are guesses by name, marks are for people."""
    tools = {name: Flow(kind="reads" if reads(name) else "writes") for name in seen.unmarked}
    text = to_yaml({"tools": tools})
    return (
        f"the workflow does not know {_many(len(tools), 'tool')}. To paste into it, once looked over (kinds are "
        f"guessed from names; add needs: [identity, consent], proves: FIELD, retrieves: true, ends: OUTCOME):\n"
        f"{text.rstrip()}"
    )


def _warnings(warnings: Counter[str]) -> Iterator[str]:
    for text, count in warnings.most_common(_SHOWN):
        where = f" ({_many(count, 'conversation')})" if count > 1 else ""
        yield f"{one_line(text, 400)}{where}"
    if len(warnings) > _SHOWN:
        yield f"{len(warnings) - _SHOWN} more warnings: each is in its conversation"


def _listed(counts: Counter[str]) -> str:
    shown = [f"{one_line(name, 120)} {count}" for name, count in counts.most_common(_SHOWN)]
    return ", ".join([*shown, *([f"{len(counts) - _SHOWN} more"] if len(counts) > _SHOWN else [])])


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
