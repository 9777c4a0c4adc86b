"""Pure data: what people write, what an episode was, what was found, what a gate says. No behaviour."""
