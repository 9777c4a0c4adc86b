"""Personal data out of recordings: found, and replaced by stand-ins of the same shape."""
