"""`users`, `subscription`, `keys` and `db`: who may use the service."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ..accounts.errors import AccountError, PastError
from ..errors import counted
from .environment import load_config, open_accounts, open_administration
from .listing import Json, show
from .options import Email

users = typer.Typer(no_args_is_help=True, help="Users.")
subscription = typer.Typer(no_args_is_help=True, help="Subscriptions.")
keys = typer.Typer(no_args_is_help=True, help="API keys.")
db = typer.Typer(no_args_is_help=True, help="The database.")


# The units of a duration, in seconds.
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
LONGEST = timedelta(days=3650)


class GivenTime(NamedTuple):
    """A point in time, and the text that it was given as."""

    text: str
    at: datetime


def moment(text: str) -> GivenTime:
    """Parse a date, which ends at midnight UTC, or a date and time, in UTC unless it has an offset."""
    try:
        time = datetime.fromisoformat(text)
        if len(text) <= len("2030-12-31"):
            time += timedelta(days=1)
        return GivenTime(text, time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC))
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(f"expected a date such as 2030-12-31, got {text!r}") from error


@contextmanager
def _until(end: GivenTime | None) -> Iterator[datetime | None]:
    """The point in time of an expiry; the error for a past one quotes it as it was given."""
    try:
        yield end and end.at
    except PastError as error:
        raise AccountError(f"{end.text if end else ''} is in the past; {error.instead}") from None


def duration(text: str | timedelta) -> timedelta:
    """Parse a duration such as 90s, 30m, 24h or 7d, of ten years at most."""
    if isinstance(text, timedelta):  # the default
        return text
    match = re.fullmatch(r"([0-9]{1,9})([smhd])", text)
    length = timedelta(seconds=int(match[1]) * UNITS[match[2]]) if match else None
    if length is None or length > LONGEST:
        raise typer.BadParameter(f"expected a duration such as 30m, 24h or 7d, got {text!r}")
    return length


Prefix = Annotated[str, typer.Argument(metavar="PREFIX", help="the key, or a unique prefix of it")]
Expires = Annotated[
    GivenTime | None,
    typer.Option(
        parser=moment, metavar="DATE", help="the key's last day, or a date and time; default: no end"
    ),
]


@users.command("add")
def add_user(
    email: Email,
    plan: Annotated[str, typer.Option(help="the user's plan: pro, free or one of MOCKUP_PLANS")] = "free",
) -> None:
    """Add a user."""
    with open_administration() as (_, administration):
        user = administration.add_user(email, plan)
    print(f"added {user.email} with the plan {user.plan}")


@users.command("list")
def list_users(json: Json = False) -> None:
    """List the users."""
    with open_accounts() as accounts:
        every_user = accounts.users.list()
    show(
        ("EMAIL", "PLAN", "UNTIL", "ACTIVE PRO", "CREATED", "ID"),
        ((u.email, u.plan, u.until, u.pro, u.created_at, u.id) for u in every_user),
        json=json,
    )


@users.command("remove")
def remove_user(
    email: Email, yes: Annotated[bool, typer.Option("--yes", help="do not ask for confirmation")] = False
) -> None:
    """Remove a user with their keys, projects and uploads; cannot be undone."""
    with open_administration() as (accounts, administration):
        user = accounts.users.find(email)
        if not yes:
            valid = sum(k.email == user.email and k.valid for k in accounts.keys.list())
            saved = len(accounts.projects.list(user.id))
            owned = f"{counted(valid, 'valid key')} and {counted(saved, 'project')}"
            _confirm(f"remove {user.email} with {owned}?")
        administration.remove_user(user.id)
    print(f"removed {user.email}")


def _confirm(question: str) -> None:
    # Not typer.confirm, which writes part of its prompt to stdout.
    print(f"{question} [y/N]", end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise AccountError("nothing was changed")


@subscription.command("set")
def set_subscription(
    email: Email,
    plan: Annotated[str, typer.Option(help="the new plan: pro, free or one of MOCKUP_PLANS")],
    until: Annotated[
        GivenTime | None,
        typer.Option(parser=moment, metavar="DATE", help="its last day, or a date and time; default: no end"),
    ] = None,
) -> None:
    """Set a user's plan."""
    with open_administration() as (accounts, administration), _until(until) as last:
        user = administration.subscribe(accounts.users.find(email).id, plan, last)
    end = f"until {user.until:%Y-%m-%d %H:%M:%S} UTC" if user.until else "without an end"
    print(f"{user.email} has the plan {user.plan} {end}")


@keys.command("issue")
def issue_key(
    email: Email,
    name: Annotated[str | None, typer.Option(help="what the key is for")] = None,
    expires: Expires = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="render, upload, projects or admin; repeatable; default: all"),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="a site whose pages may use it, with --scope render; repeatable"),
    ] = None,
    test: Annotated[
        bool, typer.Option("--test", help="a key for tests: no subscription, pictures with a watermark")
    ] = False,
) -> None:
    """Print a new API key and nothing else: it cannot be shown again."""
    from ..accounts.grants import grant

    given = grant(scope or (), origin or (), test=test)
    with open_administration() as (accounts, administration), _until(expires) as end:
        key, _ = administration.issue_key(accounts.users.find(email).id, name, end, given)
    print(key)


@keys.command("rotate")
def rotate_key(
    prefix: Prefix,
    overlap: Annotated[
        timedelta, typer.Option(parser=duration, metavar="TIME", help="how long the old key stays valid")
    ] = timedelta(days=1),
    expires: Expires = None,
) -> None:
    """Print a new API key in place of another, which stays valid for a while."""
    with open_administration() as (_, administration), _until(expires) as end:
        key, _, old = administration.rotate_key(prefix, overlap, end)
    print(key)
    print(
        f"{old.prefix} of {old.email} is valid until {old.expires_at:%Y-%m-%d %H:%M:%S} UTC", file=sys.stderr
    )


@keys.command("revoke")
def revoke_key(prefix: Prefix) -> None:
    """Revoke an API key immediately."""
    with open_administration() as (_, administration):
        key = administration.revoke_key(prefix)
    print(f"revoked {key.prefix} of {key.email}")


@keys.command("link")
def issue_link_secret(prefix: Prefix) -> None:
    """Print a new secret for signing a key's links; links signed with the previous secret stop working."""
    with open_administration() as (_, administration):
        secret, _ = administration.issue_link_secret(prefix)
    print(secret)


@keys.command("list")
def list_keys(json: Json = False) -> None:
    """List the API keys by prefix."""
    with open_accounts() as accounts:
        every_key = accounts.keys.list()
    show(
        ("PREFIX", "EMAIL", "CREATED", "EXPIRES", "REVOKED", "LAST USED", "SCOPES", "ORIGINS", "NAME"),
        (
            (
                *(k.prefix, k.email, k.created_at, k.expires_at, k.revoked_at, k.last_used_at),
                *(k.grant.columns["scopes"], k.grant.columns["origins"], k.name),
            )
            for k in every_key
        ),
        json=json,
    )


@db.command("upgrade")
def upgrade() -> None:
    """Upgrade the database's tables."""
    from ..accounts import migration
    from ..accounts.store import Accounts

    with Accounts(load_config()) as accounts:
        before = migration.revision(accounts.database)
        accounts.upgrade()
        after = migration.revision(accounts.database)
    print(
        f"the database is at version {after}"
        + (" already" if before == after else f", from {before or 'none'}")
    )


@db.command("backup")
def backup(
    folder: Annotated[Path, typer.Argument(help="a new folder, which can be used as MOCKUP_DATA_DIR")],
) -> None:
    """Copy the database and the key secret, also while the service runs."""
    from ..accounts.backup import back_up

    back_up(load_config(), folder)
    print(f"{folder} has the database and the key secret; keep it private")
