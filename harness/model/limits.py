"""How large a plan may be: beyond it a number is a slip, and no run would come to its end."""

MAX_TRIALS = 10_000
"""Trials of a scenario."""
MAX_EPISODES = 200_000
"""Episodes of a run: scenarios by trials."""


def excess(scenarios: int, trials: int) -> str | None:
    """In words, by how much a plan is too large; None if it is not."""
    if scenarios * trials <= MAX_EPISODES:
        return None
    return (
        f"{trials} trials of each of {scenarios} scenarios are {scenarios * trials} episodes, and a run has at most "
        f"{MAX_EPISODES}"
    )
