"""Files that were made up: nothing of them comes in, and no command breaks on them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from harness.agents.resolve import resolve
from harness.runs.arriving import import_run
from harness.runs.inline import Inline
from harness.runs.plan import Settings
from harness.runs.prepare import load_bundle
from harness.runs.rehearse import rehearse
from harness.store.portable_file import write_run
from harness.store.portable_records import Attempt, Text
from harness.store.problem import StoreProblem
from harness.store.records import Planned, RunRecord
from harness.store.store import Store
from tests.harness.desk import write


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The records of a real run."""
    folder = tmp_path_factory.mktemp("desk")
    bundle = load_bundle(write(folder / "desk"))
    with Store.open(folder / "store.db") as store:
        executor = Inline(resolve(bundle.workflow.agent, folder / "desk"))
        finished = asyncio.run(rehearse(bundle, executor, store, Settings()))
        return list(store.portable.records(finished.run.id))


def put(tmp_path, some):
    write_run(tmp_path / "made.turngate", some, {})
    with Store.open(tmp_path / "store.db") as store:
        try:
            return import_run(store, tmp_path / "made.turngate")
        finally:
            assert [len(list(store.results(run.id))) for run in store.runs()] in ([], [2])


def changed(records, kind, change):
    return [change(record) if isinstance(record, kind) else record for record in records]


def with_scores(change):
    def changed_attempt(attempt):
        (scoring,) = attempt.scorings
        return replace(attempt, scorings=(change(scoring),))

    return changed_attempt


def test_a_real_run_comes_in(records, tmp_path):
    assert put(tmp_path, records).fate == "new"
    assert put(tmp_path, records).fate == "unchanged"


@pytest.mark.parametrize("name", ["", "..", "a/b", "r 1", "\x1b[31m", "x" * 101, "é"])
def test_an_id_that_is_none_of_a_run(records, tmp_path, name):
    def named(record):
        if isinstance(record, RunRecord):
            return replace(record, id=name)
        return record if isinstance(record, Text) else replace(record, key=replace(record.key, run=name))

    with pytest.raises(StoreProblem, match="is no id of a run"):
        put(tmp_path, map(named, records))


def odd(score):
    metric, version, _, *rest = score
    return (metric, version, "odd", *rest)


@pytest.mark.parametrize(
    ("kind", "change", "text"),
    [
        (RunRecord, lambda run: replace(run, options={}), "is not what a run tells"),
        (RunRecord, lambda run: replace(run, options={"partial": 3}), "is not what a run tells"),
        (RunRecord, lambda run: replace(run, options={"kind": "observed", "partial": None}), "not what a run tells"),
        (RunRecord, lambda run: replace(run, options={**run.options, "revision": {}}), "is not what a run tells"),
        (Planned, lambda planned: replace(planned, key=replace(planned.key, trial=10**30)), "is no number of a trial"),
        (Attempt, lambda attempt: replace(attempt, attempt=0), "0 is no number of an attempt"),
        (Text, lambda text: replace(text, content="[1]"), "the text with digest .* is another one"),
        (Text, lambda text: replace(text, digest="0" * 64), "the text with digest .* is another one"),
        (
            Planned,
            lambda planned: replace(planned, digests=replace(planned.digests, workflow="x")),
            "has no workflow",
        ),
        (
            Planned,
            lambda planned: replace(planned, digests=replace(planned.digests, prices=f"x{planned.key.trial}")),
            "not that of its other trials",
        ),
        (
            Planned,
            lambda planned: replace(planned, digests=replace(planned.digests, prices="x")),
            "what .* is scored against is not there",
        ),
        (Attempt, with_scores(lambda scoring: replace(scoring, verdict="great")), "a scoring of .* can't be read"),
        (Attempt, with_scores(lambda scoring: replace(scoring, scores=scoring.scores[:-1])), "can't be read"),
        (
            Attempt,
            with_scores(
                lambda scoring: replace(scoring, scores=(("m", "1", "odd", None, None, ""),) * len(scoring.scores))
            ),
            "can't be read",
        ),
    ],
)
def test_what_is_made_up_is_refused(records, tmp_path, kind, change, text):
    with pytest.raises(StoreProblem, match=text):
        put(tmp_path, changed(records, kind, change))
