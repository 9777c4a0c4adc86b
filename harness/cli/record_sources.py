"""Where recordings come from on the command line: files, and what the store has of runs, episodes and traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePath

from harness.cli.exits import UserError
from harness.cli.names import find_episode, matching_runs
from harness.model.episode import Episode, Feedback
from harness.model.recording import Recording, SourceKind
from harness.replay.recordings import Unread, of_conversation, of_episode, read
from harness.store.ambiguous import ambiguous
from harness.store.conversation_records import Imported
from harness.store.problem import StoreProblem
from harness.store.store import Store
from traces.reading import conversation


def recordings_of(
    store: Store, names: Sequence[str], form: SourceKind | None, bad: Callable[[Unread], object]
) -> Iterator[Recording]:
    """The recordings that names stand for: files, runs, episodes, imported traces. `bad` is told what of a file could
    not be read. Raises UserError for a name of nothing, before anything is read.
    """
    files = [name for name in names if Path(name).exists()]
    stored = [_stored(store, name) for name in names if name not in files]
    return chain(read(*files, form=form, bad=bad), *stored)


def _stored(store: Store, name: str) -> Iterator[Recording]:
    runs = matching_runs(store, name) if store.latest() is not None else []
    if len(runs) == 1:
        return map(partial(_of_stored, store), store.episodes(runs[0].id))
    traces = store.conversations.matching(name)
    if len(traces) == 1:
        return map(partial(of_trace, store), traces)
    if len(runs) > 1 or traces:
        raise UserError(ambiguous(name, [*(run.id for run in runs), *(trace.id for trace in traces)]))
    try:
        episode = find_episode(store, name)
    except StoreProblem as problem:
        why = "" if store.latest() is None else f" ({problem})"
        raise UserError(f"{name}: there is no such file, run, episode or imported trace{why}") from None
    return iter([_of_stored(store, episode)])


def _of_stored(store: Store, episode: Episode) -> Recording:
    """The recording of an episode, with what it came to and what people said of it."""
    recording = of_episode(episode, store.material(episode.key.run, episode.key.item))
    scored = store.scored_episode(episode.key)
    verdict = {} if scored is None else {"verdict": scored.verdict.status.value}
    said = [Feedback(each.who, label=each.label, explanation=each.note or None) for each in store.labels(episode.key)]
    return replace(recording, labels={**verdict, **recording.labels}, feedback=[*recording.feedback, *said])


def of_trace(store: Store, imported: Imported) -> Recording:
    """The recording of an imported trace."""
    told = store.conversations.telemetry(imported.id)
    where = next((PurePath(source.name).name for source in imported.sources), "store")
    return of_conversation(conversation(told.spans, told.logs), where)
