"""Traces for people to read: played episodes and imported conversations, one like the other."""
