"""How often gates are wrong, as the table in docs/statistics.md says: `python -m tests.bench.simulate_gates`.

Fixed seeds, so that the same numbers come out; some minutes. `tests/harness/gates/test_simulation.py` compares.
"""

from __future__ import annotations

from tests.harness.gates.simulation import CASES, table_row

if __name__ == "__main__":
    for case in CASES:
        print(table_row(case), flush=True)
