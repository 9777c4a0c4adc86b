"""The dialects that agents' spans are in: one module for each, all read into the same facts."""
