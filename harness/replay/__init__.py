"""Recorded conversations: read, replayed against another version of the agent, and compared."""
