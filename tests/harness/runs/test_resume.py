from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from harness.model.episode import AgentVersion, EpisodeKey
from harness.model.status import not_judged
from harness.runs.plan import this_process
from harness.runs.resume import CantResume, left, same_agent, still_played
from harness.store.store import Store
from tests.harness.store import build

VERSION = AgentVersion(
    "desk",
    "1",
    "digest",
    "prompt",
    "small-1",
    {"stop": ("a", "b"), "api_key": "hunter2!x", "note": "sk-live-abcdefgh12345678", "temperature": 0},
)


@pytest.fixture
def run(tmp_path):
    with Store.open(tmp_path / "store.db") as store:
        store.create_run(replace(build.run(), agents=(VERSION,)))
        return store.run("r-1")


def test_an_agent_is_the_same_whatever_storing_it_made_of_its_parameters(run):
    assert run.agents != (VERSION,)  # a tuple came back as a list, secrets as what stands for them
    same_agent(run, VERSION)


@pytest.mark.parametrize(
    "changed",
    [
        {"version": "2"},
        {"source_digest": "other"},
        {"prompt_digest": None},
        {"parameters": {**VERSION.parameters, "temperature": 1}},
        {"parameters": {**VERSION.parameters, "stop": ("a",)}},
    ],
)
def test_another_agent_goes_on_with_no_run(run, changed):
    with pytest.raises(CantResume, match="begun with desk@1"):
        same_agent(run, replace(VERSION, **changed))


@dataclass(frozen=True)
class Planned:
    """Of a task, what decides whether it is still to be played."""

    key: EpisodeKey
    attempt: int = 1


@pytest.mark.parametrize("purged", [False, True])
def test_a_disturbed_episode_is_played_again_as_a_further_attempt_also_where_its_words_were_purged(
    run, tmp_path, purged
):
    with Store.open(tmp_path / "store.db") as store:
        store.plan([build.planned(), build.planned(trial=2)])
        outage = replace(build.scored(), verdict=not_judged("outage"), primary=replace(build.FINDING, code="X2"))
        store.save(build.episode(), outage)
        store.save(build.episode(trial=2, conversation_id="other"), build.scored())
        if purged:
            store.retention.purge(list(store.retention.held()))
        again = list(left(store, run, [Planned(build.key()), Planned(build.key(trial=2))]))
    assert again == [Planned(build.key(), 2)]


@pytest.mark.parametrize(
    ("status", "number", "shift", "is_played"),
    [
        ("running", None, 0, True),
        ("running", None, 1.0, True),
        ("running", None, -3600, False),
        ("running", 2**22 + 1, 0, False),
        ("interrupted", None, 0, False),
    ],
)
def test_a_run_is_still_played_while_its_process_lives_however_the_clock_was_set(status, number, shift, is_played):
    ours, since = this_process()
    record = build.run(status=status, options={"process": [number or ours, since + shift]})
    assert still_played(record) is is_played
