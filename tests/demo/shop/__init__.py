"""A team's project: an agent of its own, and how it is rehearsed before it ships."""
