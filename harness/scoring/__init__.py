"""Scoring: one module a metric. A scorer is a function of an episode and what it is scored against."""
