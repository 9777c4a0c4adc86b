"""The evaluation engine of turngate."""
