"""Advisories about a lock: asked of a server with the interface of osv.dev, kept, and honest where it is away."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from release.advisories import NothingKnown, check

LOCK = """jinja2==3.1.2 \\
    --hash=sha256:{0}
    # via fettle (pyproject.toml)
numpy==2.4.6 \\
    --hash=sha256:{0}
    # via fettle (pyproject.toml)
""".format("0" * 64)
KNOWN = {("jinja2", "3.1.2"): ["GHSA-h5c8-rqwp-cpp9"]}
"""Cross-site scripting by xmlattr, mended in 3.1.3."""


class Osv(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        assert {query["package"]["ecosystem"] for query in asked} == {"PyPI"}
        found = [KNOWN.get((query["package"]["name"], query["version"]), []) for query in asked]
        body = json.dumps({"results": [{"vulns": [{"id": one} for one in ids]} if ids else {} for ids in found]})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Keep the test quiet."""


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Osv)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_an_answer_is_kept_for_the_lock_it_is_about(url: str, tmp_path: Path) -> None:
    lock, kept = tmp_path / "lock", tmp_path / "kept.json"
    lock.write_text(LOCK)
    found, source = check(lock, kept, url)
    assert (found.packages, found.found, source) == (2, {"jinja2==3.1.2": ["GHSA-h5c8-rqwp-cpp9"]}, url)
    away = "http://127.0.0.1:9/"
    again, source = check(lock, kept, away)
    assert again == found
    assert f"{away} cannot be reached" in source
    lock.write_text(LOCK.replace("3.1.2", "3.1.3"))
    with pytest.raises(NothingKnown, match=r"kept\.json is not about this lock"):
        check(lock, kept, away)
    mended, _ = check(lock, kept, url)
    assert mended.found == {}
