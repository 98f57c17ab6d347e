"""What the headers of a body announce, and the messages about those that do not suit."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from service.api.media_type import check_json, check_picture, check_recording, is_form, not_json
from service.errors import MockupError
from service.limits import CONTENT_TYPE_LENGTH


def request(kind: str | None, **headers: str) -> Request:
    given = {"content-length": "5"} | ({} if kind is None else {"content-type": kind})
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(
        {"type": "http", "headers": [(name.encode(), value.encode()) for name, value in given.items()]}
    )


def refusal(asked: Request, *, forms: bool = False) -> str:
    with pytest.raises(MockupError) as refused:
        check_json(asked, forms=forms)
    assert refused.value.status == 415
    return refused.value.message


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "Application/JSON",
        'application/json; charset="UTF-8"',
        "application/json;charset=utf8;",
    ],
)
def test_json_is_announced_in_utf_8(kind: str) -> None:
    check_json(request(kind))
    check_json(request(kind), forms=True)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (None, "The Content-Type is missing; send JSON"),
        ("text/plain", "The Content-Type is not JSON; send JSON"),
        ("application/json; charset=latin-1", "The body must be JSON in UTF-8"),
        ("image/png", "The body must not be the picture itself"),
        ("application/octet-stream; a=b", "The body must not be the picture itself"),
        ("application/x-www-form-urlencoded", "The body is announced as a form without files, as curl does"),
        ("multipart/form-data; boundary=x", "Forms are read by POST /api/v1/mockup and POST"),
    ],
)
def test_other_bodies_are_told_what_to_send_instead(kind: str | None, said: str) -> None:
    assert refusal(request(kind)).startswith(said)


def test_a_missing_body_is_named() -> None:
    assert refusal(request(None, content_length="0")).startswith("The request has no body; send JSON")
    parts = request(None, content_length="0", transfer_encoding="chunked")
    assert refusal(parts).startswith("The Content-Type is missing")


def test_forms_are_taken_where_they_are_read() -> None:
    form = request("multipart/form-data; boundary=x")
    assert is_form(form)
    assert not is_form(request("multipart/form-database"))
    check_json(form, forms=True)
    check_picture(form)
    assert "or a form of type multipart" in refusal(request("text/plain"), forms=True)
    assert "or a form of type multipart" not in refusal(request("text/plain"))


def test_types_are_read_up_to_a_length() -> None:
    longest = "image/png;" + "a" * (CONTENT_TYPE_LENGTH - 10)
    check_picture(request(longest))
    with pytest.raises(MockupError, match="not that of a picture"):
        check_picture(request(longest + "a"))
    json = "application/json;" + " " * (CONTENT_TYPE_LENGTH - 18) + ";"
    assert refusal(request(json + " ")) == "The body must be JSON in UTF-8"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (None, "The Content-Type is missing; send the picture"),
        ("video/mp4", "The Content-Type is not that of a picture; send the picture"),
        ("application/x-www-form-urlencoded", "The body is announced as a form without files, as curl does"),
    ],
)
def test_pictures_have_a_type_of_pictures(kind: str | None, said: str) -> None:
    check_picture(request("image/x-any"))
    check_picture(request("application/octet-stream"))
    with pytest.raises(MockupError) as refused:
        check_picture(request(kind))
    assert refused.value.message.startswith(said)


@pytest.mark.parametrize(
    ("kind", "said"), [(None, "is missing; send the file"), ("text/html", "is not that of a recording; send")]
)
def test_recordings_are_videos_or_pictures(kind: str | None, said: str) -> None:
    for taken in ("video/webm", "image/gif", "application/octet-stream"):
        check_recording(request(taken))
    with pytest.raises(MockupError) as refused:
        check_recording(request(kind))
    assert refused.value.message.startswith(f"The Content-Type {said}")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b" \n", "The body is empty; send a JSON object"),
        (b" " * 1024, "The body is not valid JSON: odd"),
        (b"--x", "The body is a multipart form; send JSON, with the screenshot in it"),
        (b"\x89PNG\r\n\x1a\n", "The body is a PNG file; send JSON, with the screenshot in it"),
        (b"{", "The body is not valid JSON: odd"),
    ],
)
def test_bodies_that_are_not_json_are_named(body: bytes, said: str) -> None:
    assert not_json(body, "odd").startswith(said)
