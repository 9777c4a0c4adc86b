"""How property tests are run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples each time, so that what fails is what was changed; a slow machine is no failure. New examples are
# looked for on purpose: `pytest --hypothesis-profile search`.
_SLOW = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, **_SLOW)
settings.register_profile("search", max_examples=1000, **_SLOW)
settings.load_profile("same")

# A project with tests of its own, which test_demo.py runs in a copy; and workflows that are read, not played.
collect_ignore = ["demo", "harness/workflow/data"]
