"""What values, messages and tool envelopes hold, in whatever forms libraries write them."""
