"""Recordings out of whatever conversations were kept in."""
