"""Turns, out of the histories of model calls and out of what no message tells."""
