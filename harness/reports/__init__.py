"""What a run looks like: terminal and files. Agent and tool text is hostile and is made harmless here."""
