"""The JavaScript client in Node.js, against the running service."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.clients.conftest import CLIENTS
from tests.support.live import Live
from tests.web import modules


def test_the_client(server: Live, key: str, site: str) -> None:
    shot = CLIENTS.parent / "frames" / "samples" / "screenshot.png"
    secret, _ = server.accounts.keys.issue_link_secret(key)
    given = {"MOCKUP_URL": server.address, "MOCKUP_API_KEY": key, "SHOT": str(shot)}
    given |= {"LINK_SECRET": secret, "SITE": site}
    done = subprocess.run(
        [modules.node(), "--test", str(Path(__file__).parent / "client.test.mjs")],
        env=os.environ | given,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
