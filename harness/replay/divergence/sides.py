"""A side of a comparison from an episode and what was judged of it."""

from __future__ import annotations

from collections.abc import Mapping

from harness.model.episode import Episode
from harness.model.replay import Side
from harness.model.status import Judgement, Measure

_CRITICAL = ("rule.", "safety.")
"""How the names of judgements begin of which a new failure is always worse."""


def side_of(episode: Episode, scores: Mapping[str, Judgement | Measure]) -> Side:
    """All that the agent did in an episode, with its scores by metric. Measures are left out: how long it took decides
    nothing here.
    """
    judgements = {name: value for name, value in scores.items() if isinstance(value, Judgement)}
    return Side(
        tuple(episode.calls),
        tuple((message.turn, message.text) for message in episode.agent_messages()),
        episode.outcome,
        judgements,
        frozenset(name for name in judgements if name.startswith(_CRITICAL)),
    )
