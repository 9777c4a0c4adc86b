"""R0, `rescore`: nothing runs; the stored episode is scored again, by the metrics and rules that there are now."""

from __future__ import annotations

from dataclasses import replace

from harness.model.episode import AgentVersion, Episode
from harness.model.material import Material
from harness.model.recording import Recording
from harness.model.replay import Finding, Fit, Level, ReplayedTurn, ReplayResult, Side, Verdict
from harness.model.score import Scored
from harness.model.workflow import Workflow
from harness.replay.divergence.sides import side_of
from harness.replay.divergence.verdict import judge
from harness.scoring.score import score
from harness.store.problem import StoreProblem
from harness.store.store import Store

SCORED = AgentVersion("recordings", "scored", "")
"""Stands where other levels have the agent that was replayed."""


def rescore(recording: Recording, store: Store, workflow: Workflow) -> ReplayResult:
    """New metrics on old evidence. `workflow`: with its rules as they are now."""
    try:
        episode, before, material = _stored(recording, store)
    except LookupError as error:
        return _result(recording, (), Finding(Verdict.NOT_COMPARABLE, (str(error),)))
    after = score(episode, replace(material, workflow=workflow))
    then, now = (
        side_of(episode, {name: one.value for name, one in scored.scores.items()}) for scored in (before, after)
    )
    finding = judge(then, now, (), material.schema)
    turns = tuple(
        ReplayedTurn(message.turn, message.text, Fit(message.turn, fits=True), _side(episode, message.turn), None)
        for message in episode.messages
        if message.role == "user"
    )
    return _result(recording, turns, finding)


def _stored(recording: Recording, store: Store) -> tuple[Episode, Scored, Material]:
    """The episode, its scores and what it was scored against. Raises LookupError where there is none."""
    if recording.source.kind != "episode":
        raise LookupError("it comes from no stored episode, so there are no scores to hold new ones against")
    try:
        episode = store.episode(recording.source.id)
        material = store.material(episode.key.run, episode.key.item)
    except StoreProblem as problem:
        raise LookupError(str(problem)) from None
    scored = store.scored_episode(episode.key)
    if scored is None:
        raise LookupError(f"the episode {episode.key.id} has no scores")
    return episode, scored, material


def _side(episode: Episode, turn: int) -> Side:
    replies = tuple((turn, message.text) for message in episode.agent_messages(turn))
    return Side(tuple(call for call in episode.calls if call.turn == turn), replies)


def _result(recording: Recording, turns: tuple[ReplayedTurn, ...], finding: Finding) -> ReplayResult:
    return ReplayResult(recording.id, recording.workflow, Level.RESCORE, SCORED, turns, finding)
