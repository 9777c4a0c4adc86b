"""The one model client: agents, simulated users and judges ask their models through it."""
