"""`link`: addresses of pictures, signed with the link secret of a key."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import orjson

from ..accounts import links
from ..accounts.links import Link
from ..errors import Detail, invalid, refusal
from ..settings.formats import BY_NAME
from ..settings.merge import MergedSettings, merge
from . import settings_file

if TYPE_CHECKING:
    from ..config import Config
    from .accounts import GivenTime

SECRET, ADDRESS = "MOCKUP_LINK_SECRET", "MOCKUP_URL"


def secret() -> str:
    """The link secret in the environment; raises a 400 that says where it comes from."""
    given = os.environ.get(SECRET, "").strip()
    if not links.SECRET.fullmatch(given):
        said = "is not set" if not given else "is not a link secret"
        raise invalid(f"{SECRET} {said}; `mockup keys link PREFIX` prints one")
    return given


def settings(file: Path | None, changes: list[str], config: Config) -> tuple[bytes, str]:
    """The settings of a link as JSON, and their `export.format`; raises a 400 that names every mistake."""
    base, over = settings_file.read(file) if file else {}, settings_file.assigned(changes)
    given = MergedSettings(merge(base, over.settings))
    if faults := [*over.faults, *given.faults]:
        raise refusal(*faults)
    resolved = given.resolve(config.max_output_pixels)
    if resolved.canvas.slices > 1:
        raise refusal(links.SLICED)
    return orjson.dumps(given.canonical(), option=orjson.OPT_SORT_KEYS), resolved.export.format


def seconds(end: GivenTime | None) -> int | None:
    """The end of a link in seconds since 1970; raises a 400 for one in the past."""
    if end is None:
        return None
    if end.at <= datetime.now(UTC):
        raise invalid(f"--expires: {end.text} is in the past")
    return int(end.at.timestamp())


def address(base: str | None, secret: str, link: Link) -> str:
    """The whole address of a link; raises a 400 for content that no service would accept."""
    if urlsplit(link.source).scheme not in ("http", "https"):
        raise invalid(f"{link.source}: expected the screenshot's URL, beginning with http:// or https://")
    if link.format not in BY_NAME:
        raise invalid(f"--format: expected one of {', '.join(BY_NAME)}, got {link.format}")
    base = base or os.environ.get(ADDRESS, "")
    return base.rstrip("/") + links.address(secret, link)


def checked(address: str, secret: str) -> str:
    """The content of a link, as JSON; raises a 400 for a link that the secret has not signed."""
    parts = urlsplit(address)
    names = parts.path.rpartition(f"{links.PATH}/")[2].split("/")
    query = f"?{parts.query}" if parts.query else ""
    if len(names) != 3 or links.signature(secret, f"{names[1]}/{names[2]}{query}") != names[0]:
        raise invalid("the link was changed, or signed with another secret")
    try:
        link = Link.parse(names[1], names[2], parts.query)
        chosen = (
            {"settings": orjson.loads(link.settings)} if link.project is None else {"project": link.project}
        )
    except ValueError as error:
        raise refusal(Detail("link", str(error))) from None
    said = {"screenshot": link.source, **chosen, "format": link.format, "expires": link.ends_at}
    return orjson.dumps(said, option=orjson.OPT_INDENT_2).decode()
