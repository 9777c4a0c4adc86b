"""How much of what spans repeat is remembered, lest it be read again and again.

What is remembered is never changed, and outlives the conversation that it is of: so it is small.
"""

LONG = 4_000
"""Characters of a text. A longer one is read anew each time: that takes hardly longer than to look it up."""

MANY = 1_000
"""Attributes of a span. The names of more are looked through each time."""
