"""Spans: captured while an episode is played, kept as plain data."""
