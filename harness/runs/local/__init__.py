"""The `local` executor: episodes in spawned processes, so that no agent can take the run down with it."""
