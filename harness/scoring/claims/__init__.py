"""Checkable claims in text: typed facts and finished deeds, and what supports them."""
