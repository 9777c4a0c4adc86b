"""What came of replayed recordings, for people and for programs."""
