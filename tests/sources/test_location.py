from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from service.sources.location import LocationError, NotationError, join, parse, public_host
from tests.support.looped import looped


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTPS://Example.COM/a%20b?x=1&y=%2F#top", "https://example.com/a%20b?x=1&y=%2F"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://b\u00fccher.example/\u00fc", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://example.com./", "http://example.com./"),
        ("http://under_score.example/", "http://under_score.example/"),
        ("http://93.184.215.14/", "http://93.184.215.14/"),
        ("http://[2A00:1450::1]/", "http://[2a00:1450::1]/"),
        ("http://example.com/@user", "http://example.com/@user"),
        ("http://example.com?a@b", "http://example.com/?a@b"),
        ("http://example.com?", "http://example.com/?"),
        ("http://example.com/%7Ea/../b//c?d", "http://example.com/%7Ea/../b//c?d"),
        ("http://example.com/?%zz+[]%5b%5D#a?b", "http://example.com/?%zz+[]%5b%5D"),
    ],
)
def test_well_formed(text: str, read: str) -> None:
    url = parse(text)
    assert str(url) == read
    assert url.raw_fragment == ""
    assert url.raw_host == (url.raw_host or "").lower()


@looped(
    "text, told",
    [
        ("", "not an absolute"),
        ("example.com/a.png", "not an absolute"),
        ("//example.com/a.png", "not an absolute"),
        ("http:example.com", "not an absolute"),
        ("ftp://example.com/", "scheme other than"),
        ("file:///etc/passwd", "points to a file on your own machine"),
        ("DATA:image/png;base64,AAAA", 'type "base64"'),
        ("http://user@example.com/", "user name"),
        ("http://:secret@example.com/", "user name"),
        ("http://exa mple.com/", "spaces or control"),
        ("http://example.com/\r\nHost: x", "spaces or control"),
        ("http://example.com/\u00a0", "spaces or control"),
        ("http:///path", "not a valid URL"),
        ("http://example.com:99999/", "not a valid URL"),
        ("http://example.com:0/", "not a valid URL"),
        ("http://example.com\\path", "not a valid URL"),
        ("http://[::1", "not a valid URL"),
        ("http://[vf.1]/", "no valid host"),
        ("http://exam%70le.com/", "no valid host"),
        ("http://a..b/", "no valid host"),
        ("http://" + "a" * 64 + "/", "no valid host"),
        ("http://example.com/" + "a" * 8192, "longer than"),
    ],
)
def test_malformed(text: str, told: str) -> None:
    with pytest.raises(LocationError, match=told):
        parse(text)


@pytest.mark.parametrize(
    "host", ["1", "0x7f.1", "0177.0.0.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "a.0x1", "1.2.3.4."]
)
def test_odd_notation(host: str) -> None:
    with pytest.raises(NotationError):
        parse(f"http://{host}/")


@looped(
    "target, read",
    [
        ("/b", "http://example.com/b"),
        ("b", "http://example.com/a/b"),
        ("?c", "http://example.com/a/x?c"),
        ("//other.example/b", "http://other.example/b"),
        ("https://other.example/b#c", "https://other.example/b"),
        ("b%2Fc;d?e=%40[]%5B'()*!+~|#f", "http://example.com/a/b%2Fc;d?e=%40[]%5B'()*!+~|"),
        ("../b/./c?../d", "http://example.com/b/c?../d"),
        ("/b?", "http://example.com/b?"),
        ("/\u00e9?\u00fc", "http://example.com/%C3%A9?%C3%BC"),
        ("HTTP://Other.Example/a/../b?%2f", "http://other.example/a/../b?%2f"),
    ],
)
@looped("base", ["http://example.com/a/x", "http://example.com/a/x?", "http://example.com/a/x?y"])
def test_redirect_targets(base: str, target: str, read: str) -> None:
    assert str(join(parse(base), target)) == read


@pytest.mark.parametrize(
    ("target", "read"), [("b//c?d%2F", "/%7Ea%2F/b//c?d%2F"), ("../b", "/b"), ("?d", "/%7Ea%2F/x?d")]
)
def test_a_redirect_keeps_what_it_takes_of_its_base_as_written(target: str, read: str) -> None:
    assert join(parse("http://example.com/%7Ea%2F/x"), target).raw_path_qs == read


@pytest.mark.parametrize(
    "target",
    [
        "file:///etc/passwd",
        "data:,x",
        "mailto:b",
        "//user@x/",
        "http://127.1/",
        "http://[::1%25lo]/",
        "//x:y/",
        "",
    ],
)
def test_bad_redirect_targets(target: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        join(parse("http://example.com/"), target)


@given(st.text(max_size=60) | st.text(max_size=60).map(lambda tail: "http://" + tail))
def test_anything_is_read_or_refused(text: str) -> None:
    try:
        url = parse(text)
    except (LocationError, NotationError):
        return
    assert url.scheme in ("http", "https")
    assert url.raw_host
    assert url.user is None
    # The host that was checked is the one that the HTTP client finds in the URL, even if it parses the URL
    # again.
    assert parse(str(url)) == url
    assert URL(str(url)).raw_host == url.raw_host


# HTTP clients encode these characters differently, which would break signed URLs.
TARGETS = st.text(
    st.sampled_from("aZ09-._~:/?[]@!$&'()*+,;=%\"<>{}|^`\\") | st.characters(codec="utf-8"), max_size=40
)


@given(TARGETS, st.booleans())
def test_requests_use_the_given_url(target: str, redirected: bool) -> None:
    """Printable ASCII characters are unchanged, all others are percent-encoded once in UTF-8."""
    text = "http://example.com/" + target
    try:
        url = join(parse("http://example.org/"), text) if redirected else parse(text)
    except LocationError:
        assert any(character <= " " or character >= "\x7f" for character in target)
        return
    sent = "/" + target.partition("#")[0]
    ascii_sent = "".join(c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode()) for c in sent)
    assert url.raw_path_qs == ascii_sent


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://shop.example.org:8443/private/path?token=secret", "shop.example.org"),
        ("https://b\u00fccher.example/a", "b\u00fccher.example"),
        ("https://example.org./", "example.org"),
        ("http://93.184.215.14/", ""),
        ("http://[2a00:1450::1]/", ""),
        ("http://intranet/a.png", ""),
        ("http://printer.local/a.png", ""),
        ("http://build.internal/a.png", ""),
        ("nonsense", ""),
    ],
)
def test_only_public_names_are_shown(text: str, shown: str) -> None:
    assert public_host(text) == shown
