"""Scenarios as tests of pytest. Documented in docs/pytest.md."""
