"""`turngate record lint`: what is broken in recordings, and what will limit a replay of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from harness.cli.exits import Exit
from harness.cli.out import console
from harness.cli.record_names import chosen
from harness.replay.recordings.lint import limits
from harness.reports.printable import one_line
from harness.reports.traces.words import many
from harness.store.places import open_store


def lint_recordings(names: Sequence[str], workflow: Path | None, where: Sequence[str], place: str | None) -> int:
    """Print it, what many have in common once at the end; gives the exit code: 2 if one can't be replayed at all."""
    tools = None if workflow is None else _tools(workflow)
    out = console()
    common: Counter[str] = Counter()
    count = fatal = 0
    with open_store(place, must_exist=True) as store:
        for recording in store.recordings.read(told.id for told in chosen(store, names, where)):
            count += 1
            for limit in limits(recording, tools):
                fatal += limit.fatal
                if limit.place or limit.fatal or limit.what in recording.flaws:
                    style = "red" if limit.fatal else "yellow"
                    out.print(f"{recording.id}: {one_line(str(limit), 400)}", style=style, soft_wrap=True)
                else:
                    common[limit.what] += 1
    for what, number in common.most_common():
        out.print(f"{many(number, 'recording')}: {what}", soft_wrap=True)
    out.print(f"{many(count, 'recording')}" + (f", {fatal} of which can't be replayed" if fatal else ""))
    return Exit.WRONG if fatal else Exit.PASSED


def _tools(workflow: Path) -> Collection[str]:
    from harness.runs.prepare import load_bundle

    bundle = load_bundle(workflow, played=False)
    return {tool.name for tool in bundle.start.tools} | set(bundle.workflow.passthrough)
