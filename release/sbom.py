"""The bill of materials of a release, CycloneDX 1.6: `python -m release.sbom > fettle.cdx.json`."""

from __future__ import annotations

import json
import sys
from typing import Any

from fettle import __version__
from release.licenses import license_of
from release.lock import Pin, read_lock, run_time


def bill_of_materials() -> dict[str, Any]:
    """What runs with Fettle, by the lock; the same lock gives the same document."""
    pins = run_time(read_lock())
    needs = {pin.name: [f"pkg:pypi/{one.name}@{one.version}" for one in pins if pin.name in one.via] for pin in pins}
    own = f"pkg:pypi/fettle@{__version__}"
    direct = [f"pkg:pypi/{pin.name}@{pin.version}" for pin in pins if any(via.startswith("fettle ") for via in pin.via)]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "fettle",
                "version": __version__,
                "purl": own,
                "licenses": [{"expression": "Apache-2.0"}],
            }
        },
        "components": [_component(pin) for pin in pins],
        "dependencies": [
            {"ref": own, "dependsOn": direct},
            *({"ref": f"pkg:pypi/{pin.name}@{pin.version}", "dependsOn": needs[pin.name]} for pin in pins),
        ],
    }


def _component(pin: Pin) -> dict[str, Any]:
    purl = f"pkg:pypi/{pin.name}@{pin.version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": pin.name,
        "version": pin.version,
        "purl": purl,
        "licenses": [{"expression": license_of(pin.name)}],
        # the lock has a hash per file of a version: which one is installed depends on the platform
        "properties": [{"name": "fettle:lock:sha256", "value": digest} for digest in pin.sha256],
    }


if __name__ == "__main__":
    json.dump(bill_of_materials(), sys.stdout, indent=1)
