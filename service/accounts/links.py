"""Links: addresses of pictures that open without a key, because the link secret of a key has signed them."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from ..errors import Detail

PATH = "/m"
MARK = "sk_link_"
ID_LENGTH = 12
# 256 bits in base64url without padding.
_MAC_LENGTH = 43
SECRET = re.compile(rf"{MARK}([A-Za-z0-9_-]{{{ID_LENGTH}}})[A-Za-z0-9_-]{{{_MAC_LENGTH}}}")
_SIGNATURE = re.compile(rf"[A-Za-z0-9_-]{{{ID_LENGTH + _MAC_LENGTH}}}")
_TEXT = re.compile(r"[A-Za-z0-9_-]+")
_FILE = re.compile(r"([A-Za-z0-9_-]+)\.([a-z]+)")
# Seconds since 1970; ten digits last until the year 2286.
_QUERY = re.compile(r"expires=([1-9][0-9]{0,9})")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

SLICED = Detail("settings.canvas.slices", "expected 1, because a link is one picture")


@dataclass(frozen=True, slots=True)
class Link:
    """A link's content: `settings` as JSON or a project's id, a screenshot's URL, a format and an end."""

    settings: bytes | str
    source: str
    format: str
    expires: int | None = None

    @property
    def signed(self) -> str:
        """The part of the address that is signed: everything after the signature."""
        settings = self.settings if isinstance(self.settings, str) else encoded(self.settings)
        end = "" if self.expires is None else f"?expires={self.expires}"
        return f"{settings}/{encoded(self.source.encode())}.{self.format}{end}"

    @property
    def project(self) -> str | None:
        """The id of the link's project."""
        return self.settings if isinstance(self.settings, str) else None

    @property
    def ends_at(self) -> datetime | None:
        """When the link expires."""
        return None if self.expires is None else datetime.fromtimestamp(self.expires, UTC)

    @classmethod
    def parse(cls, settings: str, file: str, query: str) -> Self:
        """Read the parts of an address; raises ValueError with the expected form."""
        found, end = _FILE.fullmatch(file), _QUERY.fullmatch(query)
        if not found:
            raise ValueError("expected the screenshot's URL in base64url, a dot and a format, such as .png")
        if query and not end:
            raise ValueError("expected no query but expires=SECONDS")
        try:
            source = decoded(found[1]).decode()
        except ValueError:
            raise ValueError("expected the screenshot's URL in base64url") from None
        chosen: bytes | str = settings
        if not _UUID.fullmatch(settings):
            try:
                chosen = decoded(settings)
            except ValueError:
                raise ValueError("expected settings as JSON in base64url, or a project's id") from None
        return cls(chosen, source, found[2], int(end[1]) if end else None)


def new_id() -> str:
    """An id for a link secret."""
    return secrets.token_urlsafe(ID_LENGTH * 3 // 4)


def secret_of(server_secret: str, link_id: str) -> str:
    """The link secret of an id. It is derived from the server's own secret, so no database contains it."""
    mac = hmac.digest(server_secret.encode(), f"link secret {link_id}".encode(), "sha256")
    return f"{MARK}{link_id}{encoded(mac)}"


def signature(secret: str, signed: str) -> str:
    """The signature of the rest of an address; raises ValueError for a malformed secret."""
    found = SECRET.fullmatch(secret)
    if not found:
        raise ValueError(f"a link secret is {MARK} and {ID_LENGTH + _MAC_LENGTH} more characters")
    return found[1] + encoded(hmac.digest(secret.encode(), signed.encode(), "sha256"))


def address(secret: str, link: Link) -> str:
    """The path and query of a link; raises ValueError for a malformed secret."""
    return f"{PATH}/{signature(secret, link.signed)}/{link.signed}"


def signer(text: str) -> str | None:
    """The id of the secret that a signature names; None if it is malformed."""
    return text[:ID_LENGTH] if _SIGNATURE.fullmatch(text) else None


def encoded(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of base64url without padding; raises ValueError for any other text."""
    if not _TEXT.fullmatch(text):
        raise ValueError("not base64url")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError("not base64url") from error
    if encoded(data) != text:
        raise ValueError("not base64url")
    return data
