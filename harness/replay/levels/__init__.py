"""How much of a recording runs again: one module a level, each with a verdict of its own."""
