"""`serve --demo`: an account to try the service with, and a line to paste."""

from __future__ import annotations

import shlex

from service.accounts import private_files
from service.accounts.errors import AccountError
from service.accounts.store import Accounts, User
from service.commands.server_url import reachable
from service.config import Config
from service.models.devices import FRAMES

EMAIL = "demo@example.com"
SAMPLE = FRAMES / "samples" / "screenshot.png"


def prepare(config: Config) -> str:
    """The demo account's key, the same for every run as long as it is valid; kept in `demo.key`."""
    file = config.data_dir / "demo.key"
    with Accounts(config) as accounts:
        accounts.upgrade()
        user = _user(accounts)
        if not user.pro:
            accounts.users.subscribe(EMAIL, "pro")
        key = private_files.read_or_create(file, lambda: accounts.keys.issue(user.id))
        caller = accounts.authenticate(key)
        # Revoked, or from a database or a secret that is no more.
        if caller is None or caller.user_id != user.id:
            key = accounts.keys.issue(user.id)
            private_files.replace(file, key)
    return key


def message(key: str, url: str) -> str:
    """What is printed: the key, the reference page's address, and a line for curl that makes `mockup.png`."""
    url = reachable(url)
    # Through a pipe: a screenshot is longer than an argument may be.
    body = (
        """{ printf '{"type":"screenshot","screenshot":{"type":"base64","src":"'; """
        f"base64 -w0 {shlex.quote(str(SAMPLE))}; printf '\"}}}}'; }}"
    )
    curl = (
        f"curl -fsS -o mockup.png -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' "
        f"--data-binary @- '{url}/api/v1/mockup?output=raw'"
    )
    return (
        f"Demo key     {key}\n"
        f"Reference    {url}/docs\n"
        f"Try it       paste this line; it writes mockup.png\n\n{body} | {curl}\n"
    )


def _user(accounts: Accounts) -> User:
    try:
        return accounts.users.add(EMAIL, "pro")
    except AccountError:
        return accounts.users.find(EMAIL)
