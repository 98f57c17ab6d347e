"""`serve --demo`: a demo account, and a curl command to try it with."""

from __future__ import annotations

import shlex

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
        # Revoked, or issued by another database or secret.
        if caller is None or caller.user_id != user.id:
            key = accounts.keys.issue(user.id)
            private_files.replace(file, key)
    return key


def message(key: str, url: str) -> str:
    """The text to print: the key, the URLs of the studio and the reference page, and a curl command."""
    url = reachable(url)
    file = shlex.quote(f'screenshot=@"{SAMPLE}"')
    curl = (
        f"curl -sS --fail-with-body -o mockup.png -H 'Authorization: Bearer {key}' -F {file} "
        f"'{url}/api/v1/mockup?output=raw' || {{ cat mockup.png; rm mockup.png; false; }}"
    )
    return (
        f"Studio       {url}/#key={key}\n"
        f"Demo key     {key}\n"
        f"Reference    {url}/docs\n"
        f"Try it       paste this line; it writes mockup.png\n\n{curl}\n"
    )


def _user(accounts: Accounts) -> User:
    try:
        return accounts.users.add(EMAIL, "pro")
    except AccountError:
        return accounts.users.find(EMAIL)
