"""`demo`: a demo account, a curl command to try it with, and the studio in the browser."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import webbrowser
from html import escape

from ..accounts import private_files
from ..accounts.errors import AccountError
from ..accounts.store import Accounts, User
from ..config import Config
from ..shipped import FRAMES
from .server_url import reachable

EMAIL = "demo@example.com"
SAMPLE = FRAMES / "samples" / "screenshot.png"


def prepare(config: Config) -> str:
    """Create the demo account if necessary and return its key, which is kept in `demo.key`."""
    file = config.data_dir / "demo.key"
    with Accounts(config) as accounts:
        accounts.upgrade()
        user = _user(accounts)
        if not user.pro:
            accounts.users.subscribe(user.id, "pro")
        key = private_files.read_or_create(file, lambda: accounts.keys.issue(user.id))
        caller = accounts.authenticate(key)
        # The key was revoked, or issued with another database or secret.
        if caller is None or caller.user_id != user.id:
            key = accounts.keys.issue(user.id)
            private_files.replace(file, key)
    return key


def greet(config: Config, key: str, url: str, *, browser: bool) -> None:
    """Print how to use the key, and open the studio if a `browser` is wanted and there is a display."""
    print(message(key, url), flush=True)
    if browser and _displayed():
        page = (config.data_dir / "demo.html").resolve()
        private_files.replace(page, _leading_to(studio(key, url)))
        # Opened in a thread, since the call may last until the browser has started.
        threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()


def studio(key: str, url: str) -> str:
    """The address of the studio, with the key in it."""
    return f"{reachable(url)}/#key={key}"


def message(key: str, url: str) -> str:
    """The text to print: the key, the URLs of the studio and the reference page, and a curl command."""
    url = reachable(url)
    file = shlex.quote(f'screenshot=@"{SAMPLE}"')
    curl = (
        f"curl -sS --fail-with-body -o mockup.png -H 'Authorization: Bearer {key}' -F {file} "
        f"'{url}/api/v1/mockup?output=raw' || {{ cat mockup.png; rm mockup.png; false; }}"
    )
    return (
        f"Studio       {studio(key, url)}\n"
        f"Demo key     {key}\n"
        f"Reference    {url}/docs\n"
        f"Try it       paste this line; it writes mockup.png\n\n{curl}\n"
    )


def _displayed() -> bool:
    """Whether a browser would open a window; one in the terminal would take it from the server."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))


def _leading_to(address: str) -> str:
    """A page that redirects to an address. The browser gets the page, because every user of the machine could
    read an address in its command line."""
    return f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">'


def _user(accounts: Accounts) -> User:
    try:
        return accounts.users.add(EMAIL, "pro")
    except AccountError:
        return accounts.users.find(EMAIL)
