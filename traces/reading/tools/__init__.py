"""Tool calls, out of what was asked for, what was answered and what spans show."""
