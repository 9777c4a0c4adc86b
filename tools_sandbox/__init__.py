"""Stateful simulated tools."""
