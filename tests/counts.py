"""How often the long tests repeat what they prove: few times in the suite, many times as a benchmark.

`python -m benchmarks drills` runs them with `FETTLE_FULL_COUNTS` set; what is asserted is the same.
"""

from __future__ import annotations

import os

FULL = "FETTLE_FULL_COUNTS" in os.environ
