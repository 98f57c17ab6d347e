"""Files with a tag, and what requests say about them, without a server."""

from __future__ import annotations

import gzip
import hashlib

import pytest
from starlette.requests import Request

from service.api.conditions import ignore_unknown_range, matches
from service.api.file_responses import File, takes_packed
from service.api.query import ListPage, Query
from service.api.status import _preference
from service.errors import MockupError
from service.limits import QUERY_PARAMETERS

TEXT = b"a text that repeats itself, " * 20


def request(query: str = "", **headers: str) -> Request:
    fields = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "query_string": query.encode(), "headers": fields, "state": {}})


def test_files_are_compressed_if_that_makes_them_smaller() -> None:
    file = File.constant(TEXT, "text/plain")
    assert file.packed == gzip.compress(TEXT, mtime=0), "the same bytes in every process"
    assert file.tag == f'"{hashlib.sha256(TEXT).hexdigest()[:20]}"'
    assert file.shared
    assert File.constant(b"short", "text/plain").packed == b""
    assert File.constant(TEXT, "image/png").packed == b""
    assert File.json({"one": 1}).data == b'{"one":1}'


@pytest.mark.parametrize("packs", [False, True])
def test_a_client_gets_a_file_once(packs: bool) -> None:
    file, accepts = File.constant(TEXT, "text/plain"), {"accept_encoding": "gzip"} if packs else {}
    asked = request(**accepts)
    reply = file.response(asked, {"X-Own": "kept"})
    assert (reply.status_code, reply.body) == (200, file.packed if packs else TEXT)
    assert reply.headers.get("content-encoding") == ("gzip" if packs else None)
    assert (reply.headers["content-type"], reply.headers["x-own"]) == ("text/plain", "kept")
    assert asked.state.shared is True
    tag = reply.headers["etag"]
    assert tag.endswith('-gzip"') == packs
    again = file.response(request(if_none_match=f'"other", {tag}', **accepts), {"X-Own": "kept"})
    assert (again.status_code, again.body, again.headers["etag"]) == (304, b"", tag)
    assert again.headers["x-own"] == "kept"
    assert file.response(request(if_none_match='"other"', **accepts), {}).status_code == 200


@pytest.mark.parametrize(
    ("coding", "taken"),
    [
        ("gzip", True), ("br, GZIP;q=0.5", True), ("gzip;q=0.01", True), ("gzip;q=0", False),
        ("gzip; q = 0.00", False), ("x-gzip", False), ("", False),
    ],
)  # fmt: skip
def test_codings_have_weights(coding: str, taken: bool) -> None:
    assert takes_packed(request(accept_encoding=coding)) is taken


def test_tags_are_compared_as_a_whole() -> None:
    assert matches(" * ", '"one"')
    assert matches('W/"two", "one"', '"one"')
    assert not matches('"ones"', '"one"')
    assert not matches("", '"one"')


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("bytes=0-5", True), ("bytes=5-5, -3", True), ("Bytes = 7-", True), ("bytes=6-5", False),
        ("bytes=0-1,9-8", False), ("lines=0-5", False), ("bytes=-", False), ("bytes=1-2x", False),
    ],
)  # fmt: skip
def test_only_ranges_of_bytes_are_kept(given: str, kept: bool) -> None:
    scope = request(range=given, x_own="kept").scope
    ignore_unknown_range(scope)
    assert [name for name, _ in scope["headers"]] == ([b"range"] if kept else []) + [b"x-own"]


@pytest.mark.parametrize(
    ("accept", "weight"),
    [
        ("text/html", 1), ("", 0), ("application/json", 0), ("text/*;q=0.5", 0.5), ("*/*;q=0.25", 0.25),
        ("*/*;q=0.1, TEXT/HTML; q=0.9, text/*;q=0.2", 0.9), ("text/html;level=1;q=0.75", 0.75),
        ("text/html;q=2", 1), ("text/html;q=-1", 0), ("text/html;q=x, */*", 0),
    ],
)  # fmt: skip
def test_the_most_specific_range_decides_about_a_media_type(accept: str, weight: float) -> None:
    assert _preference(accept, "text/html") == weight


def test_parameters_are_limited_in_number() -> None:
    several = "&".join(["limit=5"] * QUERY_PARAMETERS)
    assert ListPage.of(request(several)) == ListPage(limit=5)
    with pytest.raises(MockupError, match=f"more than {QUERY_PARAMETERS} query parameters"):
        ListPage.of(request(f"{several}&limit=5"))


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("limit=5&limit=6", ("limit", "expected one value, got several")),
        ("first=1", ("first", "unknown query parameter; known: limit, after")),
        ("limit=1234567890", ("limit", 'expected a whole number from 1 to 100, got "1234567890"')),
        ("limit=0", ("limit", 'expected a whole number from 1 to 100, got "0"')),
        ("after=x", ("after", 'expected next from another response, got "x"')),
    ],
)
def test_faults_of_parameters_are_named(query: str, fault: tuple[str, str]) -> None:
    with pytest.raises(MockupError) as refused:
        ListPage.of(request(query))
    assert [(one.path, one.message) for one in refused.value.details] == [fault]


def test_an_operation_without_parameters_takes_none() -> None:
    with pytest.raises(MockupError) as refused:
        Query.of(request("limit=5"))
    assert refused.value.details[0].message == "unknown query parameter; this operation takes none"
