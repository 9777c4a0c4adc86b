"""Who talks to the agent, and how what the agent asks is recognised."""
