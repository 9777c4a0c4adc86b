"""How to talk to an agent, whatever kind it is; resolving the name of one."""
