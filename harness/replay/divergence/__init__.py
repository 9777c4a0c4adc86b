"""How two trajectories differ, and what a difference means. Pure: calls and judgements in, named differences out."""
