"""Model calls, each once, with the histories that they were given."""
