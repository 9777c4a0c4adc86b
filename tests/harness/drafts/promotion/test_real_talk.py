"""Real conversations and those of the reference agent as scenarios of the bundled workflows."""

from __future__ import annotations

import asyncio
import shutil
from itertools import islice
from pathlib import Path

import pytest

from harness.agents.resolve import resolve
from harness.cli.replaying import setting_of
from harness.drafts.promotion.ending import ended_badly
from harness.drafts.promotion.promote import promote
from harness.drafts.promotion.trial import trial_in
from harness.episodes.play import play
from harness.episodes.task import Task
from harness.model.episode import EpisodeKey
from harness.replay.recordings import of_episode, read
from harness.runs.prepare import load_bundle, stages
from harness.scoring.score import score
from harness.workflow.bundle import Bundle, load
from tests.harness.desk import ROOT
from traces.capture import Tracing

WORKFLOWS = ROOT / "workflows"
AIRLINE = WORKFLOWS / "airline"


class Promoter:
    """Promotes recordings into one workflow."""

    def __init__(self, bundle: Bundle, family: str) -> None:
        self.bundle, self.family = bundle, family
        self._setting, self._trial = setting_of(bundle), trial_in(bundle, Tracing())

    def __call__(self, recording):
        assert self.bundle.clock is not None
        return promote(recording, recording.id, self.family, self._setting, self.bundle.clock, self._trial)


@pytest.fixture(scope="module")
def airline():
    return Promoter(load_bundle(AIRLINE), "changes")


def recorded(name):
    return read(AIRLINE / "recordings" / f"{name}.jsonl.gz")


def test_what_went_well_with_a_real_model_passes_here_or_broke_a_rule(airline):
    well = [each for each in recorded("gpt-4o") if each.labels["reward"] == 1]
    promoted = [airline(recording) for recording in islice(well, 0, 40, 5)]
    rules = tuple(rule.id for rule in airline.bundle.workflow.rules)
    failing = [each.fails for each in promoted if each.fails]
    assert len(failing) <= 2
    assert all(reason.startswith(rules) for reason in failing)
    assert all(each.missing == () and each.badly == "" for each in promoted)


@pytest.mark.parametrize("name", ["gpt-4.1", "claude-sonnet-4-5", "gpt-oss-120b"])
def test_an_agent_that_speaks_first(airline, name):
    for recording in islice(recorded(name), 3):
        promoted = airline(recording)
        assert recording.messages[0].role == "agent"
        assert recording.messages[0].text not in promoted.text
        assert promoted.badly == (ended_badly(recording) or "")
        assert ("\n  gold:\n" in promoted.text) == (not promoted.badly and not promoted.fails)


def test_what_ended_badly_keeps_what_happened_and_no_gold_path(airline):
    bad = next(each for each in recorded("gpt-4o") if each.labels["reward"] == 0)
    promoted = airline(bad)
    assert promoted.badly == "reward 0"
    assert "\n  gold:" not in promoted.text
    assert "\n  tier: explore\n" in promoted.text
    assert "# This is what happened, and no example, since it ended badly: reward 0." in promoted.text


def test_the_reference_agents_own_conversations_pass_again(tmp_path):
    bundle = load_bundle(WORKFLOWS / "customer_service")
    source = resolve(bundle.workflow.agent, bundle.root)
    prepared = stages(bundle, bundle.scenarios.values())
    texts = []
    for name, stage in prepared.items():
        episode = asyncio.run(play(Task(EpisodeKey("r", "a", name, 1), stage, seed=1), source, Tracing()))
        recording = of_episode(episode, bundle.material(name))
        promoted = Promoter(bundle, stage.scenario.family)(recording)
        assert (promoted.fails, promoted.badly, promoted.missing) == ("", "", ())
        texts.append(promoted.text)
    again = _beside(bundle.root, tmp_path, "\n".join(texts))
    for name, stage in stages(again, again.scenarios.values()).items():
        episode = asyncio.run(play(Task(EpisodeKey("r", "a", name, 1), stage, seed=1), source, Tracing()))
        assert score(episode, again.material(name)).verdict.status.value == "passed"


def _beside(root: Path, folder: Path, scenarios: str) -> Bundle:
    """The workflow with these scenarios instead of its own."""
    copy = folder / root.name
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("scenarios", "__pycache__"))
    (copy / "scenarios").mkdir()
    (copy / "scenarios" / "promoted.yaml").write_text(scenarios, "utf-8")
    return load(copy)
