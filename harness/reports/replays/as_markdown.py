"""A replay as Markdown for a comment on a pull request: the verdict first, then the recordings that are worse.

Every text that is not turngate's own stands in code, so that it can neither link, mention, format nor break a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.model.replay import ReplayResult, Verdict
from harness.reports.markdown_text import cell, code, row, table_head
from harness.reports.replays.view import ReplayView, divergence_text, first_unfit, opening, reasons, words
from harness.reports.wording import verdict_words

_EVIDENCE = 4


def replay_markdown(view: ReplayView) -> str:
    """The document."""
    return "\n".join([*_head(view), *_counts(view), *_reasons(view), *_rules(view), *_told(view)]) + "\n"


def _head(view: ReplayView) -> Iterator[str]:
    record, said = view.record, verdict_words(view.verdict)
    told = f"{said.words}{said.why}" if record.verdict is not None else f"not done ({record.status})"
    yield f"### {code(record.workflow, 80)}: {told}"
    yield ""
    against = f" against {code(record.against.label)}" if record.against is not None else ""
    yield f"- {code(record.agent.label)}{against}, {view.summary.recordings} recordings at level {record.level.value}"
    yield f"- replay {code(record.id)}"
    yield from (f"- note: {code(note, 400)}" for note in view.notes)


def _counts(view: ReplayView) -> Iterator[str]:
    summary = view.summary
    yield ""
    yield from table_head(["", *(words(verdict) for verdict in Verdict), "turns compared"])
    rows = [("against the record", summary.verdicts, summary.compared, summary.turns)]
    if view.old is not None:
        rows.append(("the other version", view.old.verdicts, view.old.compared, view.old.turns))
    if summary.paired is not None:
        rows.append(("against the other version", summary.paired, summary.paired_turns, summary.turns))
    for name, verdicts, compared, turns in rows:
        yield row([name, *(str(verdicts[verdict]) for verdict in Verdict), f"{compared}/{turns}"])


def _reasons(view: ReplayView) -> Iterator[str]:
    found = reasons(view.summary)
    if found:
        yield ""
        yield "worse by: " + ", ".join(f"{code(why, 80)} {count}" for why, count in found)


def _rules(view: ReplayView) -> Iterator[str]:
    if not view.verdict.rules:
        return
    yield ""
    yield from table_head(["rule", "decision", "limit", "why"])
    for rule in view.verdict.rules:
        yield row([cell(rule.rule), rule.decision.value, rule.bound, cell(rule.reason, 300)])


def _told(view: ReplayView) -> Iterator[str]:
    for verdict in (Verdict.WORSE, Verdict.NOT_COMPARABLE, Verdict.BETTER):
        found = [result for result in view.told if result.decisive.verdict is verdict]
        if not found:
            continue
        yield from ("", f"**{words(verdict)}**", "")
        for result in found:
            yield from _result(result)
        if verdict in view.more:
            yield f"- and {view.more[verdict]} more"


def _result(result: ReplayResult) -> Iterator[str]:
    finding = result.decisive
    first = f": {code(divergence_text(finding.first), 300)}" if finding.first is not None else ""
    said = f" {code(opening(result), 100)}" if opening(result) else ""
    yield f"- {code(result.recording)}{said}, {result.compared} of {result.recorded_turns} turns compared{first}"
    yield from (f"  - {code(text, 300)}" for text in finding.evidence[:_EVIDENCE])
    if (unfit := first_unfit(result)) is not None:
        yield f"  - turn {unfit.turn} does not fit: {code(unfit.fit.why)} {code(unfit.fit.quote)}"
