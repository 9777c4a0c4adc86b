"""One conversation: `play` takes a task and gives an Episode."""
