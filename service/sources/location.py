"""Parses screenshot URLs strictly, using the HTTP client's own parser."""

from __future__ import annotations

import re
import string
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote

from yarl import URL

from ..limits import URL_LENGTH

SCHEMES = ("http", "https")

_CONTROL = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]")
_AUTHORITY = re.compile(r"https?://([^/?#]*)", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LABELS = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_PRINTABLE = string.ascii_letters + string.digits + string.punctuation
# Last labels of names that are not in the public DNS: RFC 2606, 6761, 6762, 8375 and common practice.
_INNER = frozenset({"local", "localhost", "internal", "lan", "home", "corp", "arpa", "test", "invalid"})
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


class LocationError(ValueError):
    """A malformed URL; the message is for the caller."""


class NotationError(ValueError):
    """An IP address in a non-standard notation."""


def parse(text: str) -> URL:
    """Parse an absolute http or https URL; its host becomes ASCII, its path and query stay as given.

    Signed URLs must be sent as written, so nothing is quoted, unquoted or normalised; only non-ASCII
    characters are percent-encoded, and the fragment is dropped. Raises `LocationError` for anything else
    and for user names, passwords, spaces and control characters, and `NotationError` for IPv4 addresses in
    octal, hexadecimal, decimal or short form and IPv6 addresses with a zone.
    """
    if len(text) > URL_LENGTH:
        raise LocationError(f"is longer than {URL_LENGTH} characters")
    if _CONTROL.search(text):
        raise LocationError("contains spaces or control characters; percent-encode them")
    authority = _AUTHORITY.match(text)
    if authority is None:
        raise LocationError(_scheme_message(text))
    if "@" in authority[1]:
        raise LocationError("contains a user name or password")
    try:
        server = URL(authority[0])
        host, port = server.raw_host, server.port
    except ValueError:
        raise LocationError("is not a valid URL") from None
    if not host or not port or "\\" in authority[1]:
        raise LocationError("is not a valid URL")
    _check_host(host, bracketed="[" in authority[1])
    return _as_given(server, text[authority.end() :])


def public_host(text: str) -> str:
    """The host of a URL as people write it; empty for an address, or a name that only some networks know."""
    try:
        host = parse(text).host or ""
    except (LocationError, NotationError):
        return ""
    name = host.removesuffix(".")
    labels = name.split(".")
    known = len(labels) > 1 and labels[-1] not in _INNER and not labels[-1].isdigit() and ":" not in name
    return name if known else ""


def join(base: URL, target: str) -> URL:
    """Resolve a redirect from `base` to `target`; raises as `parse` does."""
    if not target:
        raise LocationError("is missing")
    if _AUTHORITY.match(target):
        return parse(target)
    try:
        start, way = URL(str(base), encoded=True), URL(target, encoded=True)
        if not way.scheme and way.raw_path[:1] not in ("", "/"):
            # The library would decode the folder's name.
            folder = start.raw_path.rpartition("/")[0]
            way = way.with_path(f"{folder}/{way.raw_path}", encoded=True, keep_query=True)
        joined = str(start.join(way))
    except ValueError:
        raise LocationError("is not a valid URL") from None
    # The library drops an empty query.
    bare = target.partition("#")[0].endswith("?") and "?" not in joined
    return parse(joined.partition("#")[0] + "?" * bare)


def _as_given(server: URL, rest: str) -> URL:
    """The URL of `server` and `rest`, the part after the authority, unchanged."""
    path, mark, query = quote(rest.partition("#")[0], safe=_PRINTABLE).partition("?")
    if mark and not query:
        # The library would drop a trailing question mark.
        path += mark
    return URL.build(
        scheme=server.scheme,
        authority=server.raw_authority,
        path=path if path.startswith("/") else f"/{path}",
        query_string=query,
        encoded=True,
    )


def _scheme_message(text: str) -> str:
    if text[:5].lower() == "data:":
        return 'looks like a data URI; use type "base64" for it'
    if text[:5].lower() == "file:":
        return "points to a file on your own machine; send the content of the file as base64"
    if _SCHEME.match(text) and text.split(":", 1)[0].lower() not in SCHEMES:
        return "has a scheme other than http and https"
    return "is not an absolute http or https URL"


def _check_host(host: str, *, bracketed: bool) -> None:
    if bracketed or ":" in host:
        _check_ipv6(host)
        return
    if len(host) > 253 or not _LABELS.fullmatch(host):
        raise LocationError("has no valid host name")
    # As in browsers, a numeric last label makes the whole host an IPv4 address.
    if _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
        try:
            IPv4Address(host)
        except AddressValueError:
            raise NotationError(f"not a dotted IPv4 address: {host}") from None


def _check_ipv6(host: str) -> None:
    try:
        scope = IPv6Address(host.replace("%25", "%")).scope_id
    except AddressValueError:
        raise LocationError("has no valid host name") from None
    if scope is not None:
        raise NotationError(f"IPv6 address with a zone: {host}")
