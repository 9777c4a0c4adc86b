"""Words that several reports use."""

from __future__ import annotations

from harness.model.failure import Finding
from harness.reports.printable import one_line


def sides(finding: Finding) -> str:
    """`expected … · got …`, on one line; empty where the finding compares nothing."""
    if finding.expected is None and finding.actual is None:
        return ""
    expected, actual = (one_line(side or "nothing", 80) for side in (finding.expected, finding.actual))
    return f"expected {expected} · got {actual}"
