"""A run: the plan, the ways of calling `play`, and what follows from the episodes."""
