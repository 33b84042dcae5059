"""What a visitor of the dashboard does in every story: create an account, drop a part, look at the canvas."""

from __future__ import annotations

import io
import re
import uuid
from pathlib import Path

import httpx
import numpy as np
from PIL import Image

from fettle.app.access import accounts, sessions
from fettle.web.dashboard.session import COOKIE
from tests.browser import Visit
from tests.web.conftest import Running, wait_for

PASSWORD = "correct horse battery staple"


def sign_in(service: Running) -> tuple[str, str]:
    """E-mail and session of a new account, opened by the operator: the service brakes those who sign up often."""
    email = f"{uuid.uuid4().hex[:10]}@example.com"
    account = accounts.sign_up(service.store, email, PASSWORD)
    return email, sessions.open_session(service.store, account, days=1)


def sign_up(seen: Visit, service: Running) -> str:
    """The e-mail of a new account that is signed in and sees its analyses."""
    email, session = sign_in(service)
    seen.page.context.add_cookies([{"name": COOKIE, "value": session, "url": service.url}])
    seen.page.goto(f"{service.url}/dashboard/analyses")
    return email


def enter(client: httpx.Client, service: Running) -> str:
    """Sign a new account in at this client; its e-mail."""
    email, session = sign_in(service)
    client.cookies.set(COOKIE, session)
    return email


def analyzed(service: Running, email: str, part: bytes, name: str = "part.step") -> str:
    """The id of a finished analysis of this account."""
    with service.client(service.key(email=email)) as api:
        job_id: str = api.post("/dfm/analyze", files={"file": (name, part)}).json()["job_id"]
        assert wait_for(api, job_id)["status"] == "done"
    return job_id


def hidden_field(page: str, name: str) -> str:
    """Value of a hidden field of a page."""
    found = re.search(f'name="{name}" value="([^"]+)"', page)
    assert found is not None, name
    return found[1]


def drop(seen: Visit, url: str, part: Path) -> None:
    """The page of a part once its analysis is done and drawn."""
    seen.page.goto(f"{url}/dashboard/analyses")
    seen.page.set_input_files("#file", part)
    seen.page.wait_for_url("**/analyses/job_*")
    seen.wait_for_viewer()


def count_marked(seen: Visit) -> int:
    """Pixels in the color of marks, on the canvas as the visitor sees it, controls in front of it included."""
    seen.wait_until("!window.fettle.state().flying")
    seen.wait_for_frames()
    with Image.open(io.BytesIO(seen.page.locator(".canvas-holder canvas").first.screenshot())) as taken:
        red, green, blue = (taken.convert("RGB").getchannel(name) for name in "RGB")
    r, g, b = (np.asarray(channel, np.int16) for channel in (red, green, blue))
    return int(((r > 90) & (r - g > 60) & (b - g > 40) & (r > b)).sum())
