"""Writing for people what they would else have to type: scenario drafts, gold paths, a first workflow."""
