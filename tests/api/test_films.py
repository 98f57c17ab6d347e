"""Films over HTTP, made by a separate server with real processes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from service.accounts.grants import grant
from tests.films.recordings import animation, video
from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, Answer, Live, running
from tests.support.waiting import until

CANVAS = {"width": 160, "height": 120}
SECRET = "0123456789abcdef"


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that makes films."""
    limits = {"MAX_FILMS": "4", "MAX_RECORDINGS": "5", "RATE_LIMIT": "30"}
    with running(tmp_path_factory.mktemp("films"), **limits, **ONE_AT_ONCE) as live:
        yield live


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return video(tmp_path_factory.mktemp("recordings") / "made.webm", 10).read_bytes()


def upload(live: Live, key: str, data: bytes, kind: str = "video/webm") -> Answer:
    return live.send("POST", "/api/v1/recordings", data, key=key, headers={"Content-Type": kind})


def asked(source: str | None = None, **more: Any) -> dict[str, Any]:
    """A film of two frames."""
    return {
        "type": "film",
        **({"recording": {"type": "upload", "src": source}} if source else {}),
        "settings": {"device": "pixel-9-pro", "canvas": CANVAS},
        "motion": {"duration": 0.1, "fps": 25},
        "export": {"format": "frames"},
        **more,
    }


def film(live: Live, key: str, body: dict[str, Any], **headers: str) -> Answer:
    return live.send("POST", "/api/v1/films", body, key=key, headers=headers)


def ended(live: Live, key: str, id: str) -> Any:
    """Wait until a film is done or has failed, and return it."""
    found: list[Any] = []

    def done() -> bool:
        found.append(live.send("GET", f"/api/v1/films/{id}", key=key).json)
        return found[-1]["status"] in ("done", "failed")

    until(done)
    return found[-1]


def test_a_recording_becomes_a_film(films: Live, recording: bytes) -> None:
    key, other = films.key(), films.key()
    sent = upload(films, key, recording)
    assert sent.status == 201, sent.body
    told = sent.json
    assert (told["width"], told["height"], told["fps"]) == (96, 160, 25)
    assert abs(told["durationMs"] - 400) <= 40
    assert films.send("GET", sent.headers["Location"], key=key).json == told
    assert films.send("GET", sent.headers["Location"], key=other).status == 404
    made = film(films, key, asked(told["id"]))
    assert made.status == 202, made.body
    assert made.json["frames"] == 3
    path = made.headers["Location"]
    found = ended(films, key, made.json["id"])
    assert found["status"] == "done", found
    assert found["frame"] == 3
    assert found["device"] == "pixel-9-pro"
    result = found["result"]
    assert result == {
        "url": f"{path}/file",
        "mimeType": "application/zip",
        "bytes": result["bytes"],
        "fps": 25,
        **CANVAS,
    }
    assert films.send("GET", path, key=other).status == 404
    assert films.send("GET", result["url"], key=other).status == 404
    file = films.send("GET", result["url"], key=key)
    assert (file.status, len(file.body)) == (200, result["bytes"])
    assert file.headers["Content-Type"] == "application/zip"
    assert len(zipfile.ZipFile(BytesIO(file.body)).namelist()) == 3
    part = films.send("GET", result["url"], key=key, headers={"Range": "bytes=10-19"})
    assert (part.status, part.body) == (206, file.body[10:20])
    for unknown in ("lines=1-2", "bytes=9-8", "bytes=-", "bytes", "bytes=0-1,x"):
        whole = films.send("GET", result["url"], key=key, headers={"Range": unknown})
        assert (whole.status, whole.body) == (200, file.body), unknown
    beyond = films.send("GET", result["url"], key=key, headers={"Range": f"bytes={len(file.body)}-"})
    assert (beyond.status, beyond.code) == (416, "RANGE_NOT_SATISFIABLE")
    assert beyond.headers["Content-Range"] == f"bytes */{len(file.body)}"
    assert beyond.message.endswith(f"which has {len(file.body)} bytes")
    for etag in (file.headers["ETag"], "*"):
        assert films.send("GET", result["url"], key=key, headers={"If-None-Match": etag}).status == 304
    assert films.send("DELETE", path, key=other).status == 404
    assert films.send("DELETE", path, key=key).status == 204
    assert films.send("GET", result["url"], key=key).status == 404
    assert films.send("DELETE", sent.headers["Location"], key=key).status == 204
    assert films.send("GET", sent.headers["Location"], key=key).status == 404


def test_a_screenshot_becomes_the_same_film_twice(films: Live) -> None:
    key = films.key()
    body = asked(screenshot={"type": "base64", "src": pictures.text()}, motion={"duration": 2, "fps": 60})
    name = {"Idempotency-Key": "one film"[:3]}
    first = film(films, key, body, **name)
    again = film(films, key, body, **name)
    assert first.status == again.status == 202, first.body
    assert first.json["id"] == again.json["id"]
    left = int(again.headers["X-RateLimit-Remaining"])
    assert left == 30 - 4, "120 frames are four renders, counted once"
    assert films.send("DELETE", first.headers["Location"], key=key).status == 204
    until(lambda: films.send("GET", first.headers["Location"], key=key).status == 404)


def test_stills_of_a_film(films: Live, recording: bytes) -> None:
    key = films.key()
    id = upload(films, key, recording).json["id"]
    wanted = asked(id, times=[0.08, 0, 0.08], motion={"duration": 0.4, "fps": 25})
    wanted["devices"] = [{}, {"device": "iphone-16-pro", "depth": 40}]
    made = films.send("POST", "/api/v1/films/frames", wanted, key=key)
    assert made.status == 200, made.body
    images = made.json["images"]
    assert [one["time"] for one in images] == [0.08, 0, 0.08]
    assert images[0]["data"] == images[2]["data"] != images[1]["data"]
    assert pictures.size(base64.b64decode(images[1]["data"])) == (160, 120)


def test_devices_show_recordings_of_their_own(films: Live, recording: bytes) -> None:
    key = films.key()
    id = upload(films, key, recording).json["id"]
    own: dict[str, Any] = {"recording": {"type": "upload", "src": id, "start": 0.2}}
    shot: dict[str, Any] = {"screenshot": {"type": "base64", "src": pictures.text()}}
    made = film(films, key, asked(devices=[own, shot]))
    assert made.status == 202, made.body
    assert ended(films, key, made.json["id"])["status"] == "done"
    wanted = asked(id, devices=[{}, own], times=[0])
    frames = films.send("POST", "/api/v1/films/frames", wanted, key=key)
    assert frames.status == 200, frames.body
    wanted["devices"] = [{}, {}]
    assert films.send("POST", "/api/v1/films/frames", wanted, key=key).json["images"] != frames.json["images"]
    late = {"recording": {**own["recording"], "start": 9}}
    strange = {"recording": {"type": "upload", "src": "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"}}
    cases: list[tuple[dict[str, Any], str]] = [
        (asked(id, devices=[own, shot]), "recording"),
        (asked(devices=[own, {}]), "recording"),
        (asked(id, devices=[{**own, **shot}, {}]), "devices[0].screenshot"),
        (asked(id, devices=[{}, strange]), "devices[1].recording.src"),
        (asked(id, devices=[{}, late]), "devices[1].recording.start"),
        (
            asked(id, devices=[{"screenshot": {"type": "base64", "src": "x"}}, {}]),
            "devices[0].screenshot.src",
        ),
    ]
    for body, path in cases:
        answer = film(films, key, body)
        assert answer.status == 400, (path, answer.body)
        assert path in answer.details, (path, answer.body)


def test_a_film_keeps_all_of_its_recordings_while_it_waits(films: Live, recording: bytes) -> None:
    key = films.key()
    ids = [upload(films, key, recording).json["id"] for _ in range(2)]
    shown = [{"recording": {"type": "upload", "src": id}} for id in ids]
    long = {"duration": 60, "fps": 30, "move": {"name": "orbit"}}
    made = film(films, key, asked(devices=shown, motion=long))
    assert made.status == 202, made.body
    assert {str(id) for id in films.accounts.films.recordings()} >= set(ids)
    films.send("DELETE", made.headers["Location"], key=key)


def test_keys_for_tests_make_films_with_a_watermark(films: Live, recording: bytes) -> None:
    user = films.user()
    files = []
    for test in (False, True):
        key = films.accounts.keys.issue(user.id, grant=grant(test=test))
        id = upload(films, key, recording).json["id"]
        made = film(films, key, asked(id))
        assert made.status == 202, made.body
        found = ended(films, key, made.json["id"])
        files.append(films.send("GET", found["result"]["url"], key=key).body)
    assert files[0] != files[1]


def test_refusals_name_the_fault_and_its_path(films: Live, recording: bytes) -> None:
    key = films.key()
    still = upload(films, key, pictures.png(), "image/png")
    assert (still.status, set(still.details)) == (400, {"recording"})
    assert "send it as a screenshot" in still.message
    for data in (b"", b"no film", recording[:300], b"\0" * 500):
        assert upload(films, key, data).status == 400
    wrong = upload(films, key, b"x", "text/plain")
    assert (wrong.status, wrong.code) == (415, "UNSUPPORTED_MEDIA_TYPE")
    id = upload(films, key, animation("gif"), "image/gif").json["id"]
    cases: list[tuple[dict[str, Any], str]] = [
        (asked(), "recording"),
        (asked("no uuid"), "recording.src"),
        (asked("3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"), "recording.src"),
        (asked(id, screenshot={"type": "base64", "src": "x"}), "screenshot"),
        (asked(id, motion={"move": {"name": "fly"}}), "motion.move.name"),
        (asked(id, motion={"move": {"name": "lid-open"}}), "motion"),
        (asked(id, motion={"durations": 2}), "motion.durations"),
        (asked(id, export={"format": "gif", "maxBytes": 5}), "export.maxBytes"),
        (asked(id, recording={"type": "upload", "src": id, "start": 9}), "recording.start"),
        (asked(id, webhook={"url": "ftp://example.com", "secret": SECRET}), "webhook.url"),
        (asked(id, webhook={"url": "https://example.com", "secret": "too-short"}), "webhook.secret"),
        (
            asked(id, webhook={"url": "https://example.com", "secret": "whsec_no_base64"}),
            "webhook.secret",
        ),
        (asked(id, settings={"canvas": {"width": 4000, "height": 3000}}), "settings.canvas"),
        (asked(id, settings={"canvas": {"widht": 1}}), "settings.canvas.widht"),
    ]
    for body, path in cases:
        answer = film(films, films.key() if path.startswith("settings") else key, body)
        assert answer.status == 400, (path, answer.body)
        assert path in answer.details or answer.details.keys() >= {"recording.src"}, (path, answer.body)
        assert b"too-short" not in answer.body, "a secret is not repeated"
    free = films.key("free")
    assert film(films, free, asked(id)).status == 403
    assert upload(films, free, recording).status == 403


def test_a_film_that_becomes_too_large_fails(films: Live, recording: bytes) -> None:
    key = films.key()
    id = upload(films, key, recording).json["id"]
    export = {"format": "frames", "maxBytes": 10_000}
    made = film(films, key, asked(id, export=export))
    found = ended(films, key, made.json["id"])
    assert found["status"] == "failed"
    assert found["error"]["details"][0]["path"] == "export.maxBytes"
    assert "result" not in found
    missing = films.send("GET", f"{made.headers['Location']}/file", key=key)
    assert (missing.status, missing.code) == (404, "NOT_FOUND")


CALLS: list[tuple[Any, bytes]] = []


class Hook(BaseHTTPRequestHandler):
    """Receives webhook calls, and refuses the first one."""

    def do_POST(self) -> None:
        CALLS.append((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(500 if len(CALLS) == 1 else 204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


@pytest.mark.long(seconds=12)
def test_films_survive_a_restart_and_webhooks_report_them(tmp_path: Path, recording: bytes) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as httpd:
        threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        url = f"http://127.0.0.1:{httpd.server_port}/done"
        with running(tmp_path, RATE_LIMIT="1000", **ONE_AT_ONCE) as live:
            key = live.key()
            sent = upload(live, key, recording)
            assert sent.status == 201, sent.body
            id = sent.json["id"]
            # This film is long enough to be unfinished when the server ends.
            long = {"duration": 60, "fps": 30, "move": {"name": "orbit"}}
            first = film(live, key, asked(id, motion=long))
            assert first.status == 202, first.body
            made = film(live, key, asked(id, webhook={"url": url, "secret": SECRET}))
            until(lambda: live.send("GET", first.headers["Location"], key=key).json["frame"] > 0)
            assert live.send("GET", made.headers["Location"], key=key).json["status"] == "queued"
        with running(tmp_path, RATE_LIMIT="1000", **ONE_AT_ONCE) as live:
            until(lambda: live.send("GET", first.headers["Location"], key=key).json["status"] == "running")
            assert live.send("DELETE", first.headers["Location"], key=key).status == 204
            assert ended(live, key, made.json["id"])["status"] == "done"
            until(lambda: len(CALLS) >= 2)
        httpd.shutdown()
    head, body = CALLS[1]
    told = json.loads(body)
    assert told["type"] == "film.done"
    assert told["data"]["id"] == head["webhook-id"] == made.json["id"]
    signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.".encode() + body
    digest = hmac.digest(SECRET.encode(), signed, hashlib.sha256)
    assert head["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
