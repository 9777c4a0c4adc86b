"""The store: runs, plans, episodes, scores and labels, on SQLite or PostgreSQL. Credentials never reach it."""
