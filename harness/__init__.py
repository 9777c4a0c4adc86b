"""The evaluation engine of turngate."""

__version__ = "0.1.0"
