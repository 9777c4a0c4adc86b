"""Recordings in the terminal."""
