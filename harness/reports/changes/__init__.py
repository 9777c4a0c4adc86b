"""Two runs side by side, for people and for programs."""
