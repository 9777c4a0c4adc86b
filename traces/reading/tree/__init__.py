"""Spans as trees, and what log records alone tell of them."""
