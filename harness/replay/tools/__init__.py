"""What answers the tool calls of a replayed conversation: the sandbox, or what was recorded. Never a real tool."""
