"""Which traces and parts of traces make one conversation."""
