"""Whether what a recorded user said fits what another agent says."""
