"""Evidence of a run: what its gate said and on what, in parts that are chained by hash. See docs/evidence.md."""
