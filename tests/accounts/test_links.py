"""Addresses of links: their parts, and their signatures."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from service.accounts import links
from service.accounts.links import Link

SOURCE = "https://example.com/ä.png?a=1&b=2"
SECRET = links.secret_of("the server's own", "A" * links.ID_LENGTH)


@pytest.mark.parametrize("settings", [b'{"device":"auto"}', str(uuid.UUID(int=1 << 100))])
@pytest.mark.parametrize("expires", [None, 1, 9_999_999_999])
def test_an_address_is_read_as_it_was_written(settings: bytes | str, expires: int | None) -> None:
    link = Link(settings, SOURCE, "webp", expires)
    address = links.address(SECRET, link)
    path, _, query = address.partition("?")
    beginning, mark, signed, content, file = path.split("/")
    assert (beginning, f"/{mark}") == ("", links.PATH)
    assert signed == links.signature(SECRET, link.signed)
    read = Link.parse(content, file, query)
    assert read == link
    assert read.project == (settings if isinstance(settings, str) else None)


def test_links_end_at_a_time() -> None:
    assert Link(b"{}", SOURCE, "png").ends_at is None
    assert Link(b"{}", SOURCE, "png", 86_400).ends_at == datetime(1970, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("settings", "file", "query", "said"),
    [
        ("e30", "no-dot", "", "a dot and a format"),
        ("e30", "eA.PNG", "", "a dot and a format"),
        ("e30", "eA.png", "expires=0", "no query but expires=SECONDS"),
        ("e30", "eA.png", "expires=12345678901", "no query but expires=SECONDS"),
        ("e30", "eA.png", "expires=1&more=2", "no query but expires=SECONDS"),
        ("e30", "_w.png", "", "expected the screenshot's URL in base64url"),
        ("e30", "eB.png", "", "expected the screenshot's URL in base64url"),
        ("e31", "eA.png", "", "settings as JSON in base64url, or a project's id"),
        ("e", "eA.png", "", "settings as JSON in base64url, or a project's id"),
        ("e30=", "eA.png", "", "settings as JSON in base64url, or a project's id"),
    ],
)
def test_malformed_addresses_are_refused(settings: str, file: str, query: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Link.parse(settings, file, query)


def test_a_signature_names_its_secret_and_fits_one_text_only() -> None:
    made = links.signature(SECRET, "a")
    assert links.signer(made) == "A" * links.ID_LENGTH
    other = links.secret_of("the server's own", "B" * links.ID_LENGTH)
    elsewhere = links.secret_of("another server's", "A" * links.ID_LENGTH)
    assert (
        len({made, links.signature(SECRET, "b"), *(links.signature(one, "a") for one in (other, elsewhere))})
        == 4
    )
    for malformed in (made[:-1], f"{made}A", f"{made[:-1]}!", ""):
        assert links.signer(malformed) is None


def test_secrets_are_well_formed() -> None:
    for _ in range(100):
        assert links.SECRET.fullmatch(links.secret_of("the server's own", links.new_id()))
    for wrong in ("", SECRET[1:], f"{SECRET}A"):
        with pytest.raises(ValueError, match="a link secret is sk_link_ and 55 more characters"):
            links.signature(wrong, "a")
