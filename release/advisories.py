"""Known advisories about what the lock pins: `python -m release.advisories` asks osv.dev, where pip-audit looks too.

The answer is kept in `release/advisories.json` with its date and the hash of the lock it is about. Where osv.dev cannot
be reached the kept answer is shown, if it is about this lock; if it is not, nothing is known, and the exit code is 2.
Exit code 1: a package that runs with Fettle, or a tool of ours, has an advisory.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from release.lock import LOCK, ROOT, Pin, read_lock

OSV = "https://api.osv.dev/v1/querybatch"
KEPT = ROOT / "release" / "advisories.json"
TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Checked:
    """What was known about a lock. `found`: advisories (as GHSA-... or PYSEC-...) by package and version."""

    date: str
    lock_sha256: str
    packages: int
    found: dict[str, list[str]]


class NothingKnown(Exception):
    """osv.dev was not reached, and no kept answer is about this lock."""


def check(lock: Path = LOCK, kept: Path = KEPT, url: str = OSV) -> tuple[Checked, str]:
    """What is known about a lock, and where it comes from."""
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()
    pins = read_lock(lock)
    try:
        found = ask(pins, url)
    except httpx.HTTPError as error:
        if kept.exists():
            last = Checked(**json.loads(kept.read_text(encoding="utf-8")))
            if last.lock_sha256 == digest:
                return last, f"{url} cannot be reached ({error}); kept answer of {last.date}"
        raise NothingKnown(f"{url} cannot be reached ({error}), and {kept.name} is not about this lock") from error
    now = Checked(datetime.now(UTC).date().isoformat(), digest, len(pins), found)
    kept.write_text(json.dumps(asdict(now), indent=1) + "\n", encoding="utf-8")
    return now, url


def ask(pins: Sequence[Pin], url: str = OSV) -> dict[str, list[str]]:
    """Ids of the advisories by `package==version`, of packages that have any."""
    queries = [{"package": {"name": pin.name, "ecosystem": "PyPI"}, "version": pin.version} for pin in pins]
    answer = httpx.post(url, json={"queries": queries}, timeout=TIMEOUT_S).raise_for_status()
    results = answer.json()["results"]
    return {
        f"{pin.name}=={pin.version}": [one["id"] for one in result["vulns"]]
        for pin, result in zip(pins, results, strict=True)
        if result.get("vulns")
    }


def main() -> int:
    try:
        checked, source = check()
    except NothingKnown as unknown:
        print(f"Nothing is known: {unknown}.")
        return 2
    print(f"{checked.packages} packages, {len(checked.found)} with advisories ({source})")
    for package, ids in checked.found.items():
        print(f"  {package}: {', '.join(ids)}")
    return 1 if checked.found else 0


if __name__ == "__main__":
    sys.exit(main())
