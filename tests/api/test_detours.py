"""Wrong paths, methods and bodies: the error suggests what to do instead."""

from __future__ import annotations

import pytest

from tests.support.live import Live

MOCKUP = "/api/v1/mockup"
UPLOADS = "POST /api/v1/screenshots"
JSON = "send JSON with 'Content-Type: application/json'"
EITHER = f"{JSON}, or a form of type multipart/form-data with the screenshot as its file"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (
            "application/x-www-form-urlencoded",
            f"The body is announced as a form without files, as curl does with -d; {EITHER}",
        ),
        (
            "image/png",
            f"The body must not be the picture itself, which {UPLOADS} takes; {EITHER}",
        ),
        ("text/plain", f"The Content-Type is not JSON; {EITHER}"),
        ("", f"The Content-Type is missing; {EITHER}"),
        ("application/json; charset=latin-1", "The body must be JSON in UTF-8"),
    ],
)
def test_bodies_of_another_type(server: Live, key: str, kind: str, told: str) -> None:
    answer = server.send("POST", MOCKUP, b"some body", key=key, headers={"Content-Type": kind})
    assert (answer.status, answer.code) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert answer.message.startswith(told)


def test_forms_are_refused_where_json_is_required(server: Live, key: str) -> None:
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = server.send("POST", "/api/v1/previews", b"some body", key=key, headers=kind)
    assert (answer.status, answer.code) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert answer.message == f"Forms are read by POST {MOCKUP} and {UPLOADS} only; {JSON}"


def test_a_missing_body_is_explained(server: Live, key: str) -> None:
    assert server.send("POST", MOCKUP, key=key).message == f"The request has no body; {EITHER}"
    answer = server.send("POST", MOCKUP, b"", key=key)
    assert (answer.status, answer.message) == (400, "The body is empty; send a JSON object")


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/api/v1/mockup/", MOCKUP),
        ("/api/v2/mockup", MOCKUP),
        ("/v1/mockup", MOCKUP),
        ("/mockup", MOCKUP),
        ("/API/V1/Mockup", MOCKUP),
        ("/api/v1/mockups", MOCKUP),
        ("/api/v1/device", "/api/v1/devices"),
        ("/api/v1/devices/iphone-16-pro/", "/api/v1/devices/iphone-16-pro"),
        ("/healthz", "/health"),
        ("/openapi", "/openapi.json"),
    ],
)
def test_a_nearly_correct_path_gets_a_suggestion(server: Live, path: str, meant: str) -> None:
    answer = server.send("POST", path, {})
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
    assert answer.message.startswith("There is nothing at this path; did you mean /")
    assert answer.message.removesuffix("?").endswith(meant)


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/v1/zebra-crossings", "/a%0d%0ab", "/%3Cscript%3E", "/" + "a" * 999]
)
def test_an_unknown_path_leads_to_the_reference(server: Live, path: str) -> None:
    assert server.send("GET", path).message == ("There is nothing at this path; see /docs for all paths")


def test_get_on_the_mockup_path(server: Live) -> None:
    told = server.send("GET", MOCKUP).message
    assert told.startswith(
        "GET is not allowed here, only POST; send the screenshot and the settings as a JSON"
    )
