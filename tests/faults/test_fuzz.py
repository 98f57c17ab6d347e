"""A short `make fuzz`: altered files give only pixels or refusals."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from benchmarks import seeds
from benchmarks.fuzz import ADMIN, CORPUS, fuzz, schema
from benchmarks.mutations import join, mutate, split
from benchmarks.refusals import is_documented
from service.clock import Clock
from service.codec import header
from service.codec.sandbox.client import Sandboxed
from service.errors import MockupError
from tests.films.recordings import video
from tests.support.live import ONE_AT_ONCE, Live, running
from tests.support.waiting import until

pytestmark = pytest.mark.long
UNLIMITED = {"RATE_LIMIT": "1000000", "WRITE_RATE_LIMIT": "1000000", "PREVIEW_LIMIT_S": "3600"}
RENDERS = ("/api/v1/mockup", "/api/v1/previews", "/api/v1/geometry")
NO_RENDERS = [word for path in RENDERS for word in ("--exclude-path", path)]
# These operations have an example for each device, look, pose and template, and render a picture of it, which
# takes as long as all other examples. `tests/api/test_gallery.py` asks for some.
PREVIEWS = r"/preview\.\w+$"
ONCE = "--generation-deterministic", "--max-examples", "1"

FILES = sorted(CORPUS.iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_taken_apart_and_put_together(path: Path) -> None:
    data = path.read_bytes()
    assert b"".join(split(data)) == data
    assert join(data, split(data)) == data
    assert mutate(data, [data], random.Random(1)) == mutate(data, [data], random.Random(1))


def test_the_corpus_is_small_and_complete() -> None:
    assert sum(path.stat().st_size for path in FILES) < 200_000
    assert {path.name for path in FILES} == set(seeds.files())


def test_altered_pictures() -> None:
    decoder = Sandboxed()
    try:
        for path in FILES:
            data = path.read_bytes()
            head = header.read(data)
            if path.name.startswith("broken"):
                with pytest.raises(MockupError, match=r"damaged|truncated"):
                    decoder.decode(data, head, None, Clock(30))
                continue
            assert decoder.decode(data, head, None, Clock(30)).shape[:2] == (head.height, head.width)
        found = fuzz(decoder, seed=1, count=1500)
    finally:
        decoder.close()
    assert not found.findings, [text for text, _ in found.findings]
    # Some of the altered files pass the checks of the header.
    assert found.outcomes["pixels"] > 100
    assert found.outcomes["refused by its decoder"] > 20
    assert found.outcomes["refused by its header"] > 100


@pytest.mark.parametrize(
    ("path", "message", "documented"),
    [
        ("screenshot.src", "is not base64", True),
        ("settings.export.scale", "expected at most 3 for a canvas ...: limited to 40 megapixels", True),
        ("settings.export.scale", "expected a number from 1 to 4", False),
        ("settings.canvas.width", "expected a number from 64 to 4096", False),
    ],
)
def test_valid_requests_are_refused_only_as_documented(path: str, message: str, documented: bool) -> None:
    detail = {"path": path, "message": message}
    assert is_documented({"error": {"code": "INVALID_REQUEST", "details": [detail]}}) is documented
    other = {"path": "settings.shadow", "message": "expected an object"}
    assert not is_documented({"error": {"code": "INVALID_REQUEST", "details": [detail, other]}})
    assert not is_documented({"error": {"code": "INVALID_REQUEST"}})


@pytest.mark.long(seconds=8)
def test_examples_of_the_openapi_document(tmp_path: Path) -> None:
    with running(tmp_path, ALLOW_PRIVATE_SOURCES="0", ADMINS=ADMIN, **UNLIMITED, **ONE_AT_ONCE) as live:
        ops = live.accounts.keys.issue(live.accounts.users.add(ADMIN, "pro").id)
        done = schema(live, ops, *ONCE, "--phases", "examples", *NO_RENDERS, "--exclude-path-regex", PREVIEWS)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def film(live: Live, key: str, folder: Path) -> None:
    """All operations on a recording and a film of it."""
    kind = {"Content-Type": "video/webm"}
    recording = live.send(
        "POST", "/api/v1/recordings", video(folder / "recording.webm", 4).read_bytes(), key=key, headers=kind
    )
    assert recording.status == 201, recording.body
    asked = {
        "recording": {"type": "upload", "src": recording.json["id"]},
        "settings": {"canvas": {"width": 160, "height": 120}},
        "motion": {"duration": 0.1, "fps": 25},
    }
    live.send("POST", "/api/v1/films/frames", {**asked, "times": [0]}, key=key)
    made = live.send("POST", "/api/v1/films", {**asked, "export": {"format": "frames"}}, key=key)
    assert made.status == 202, made.body
    place = made.headers["Location"]
    until(lambda: live.send("GET", place, key=key).json["status"] == "done", "the film")
    for method, path in (
        ("GET", f"{place}/file"),
        ("DELETE", place),
        ("GET", recording.headers["Location"]),
        ("DELETE", recording.headers["Location"]),
    ):
        live.send(method, path, key=key)


@pytest.mark.thorough
@pytest.mark.timeout(1800)
def test_requests_made_from_the_openapi_document(tmp_path: Path) -> None:
    with running(tmp_path, ALLOW_PRIVATE_SOURCES="0", ADMINS=ADMIN, **UNLIMITED) as live:
        ops = live.accounts.keys.issue(live.accounts.users.add(ADMIN, "pro").id)
        done = schema(live, ops, *ONCE, "--phases", "examples,fuzzing")
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        # All operations take the same settings, so one that renders nothing tries all their values.
        others = *NO_RENDERS, "--exclude-operation-id", "replaceProject"
        done = schema(live, ops, *ONCE, "--phases", "coverage", *others)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        # No schema can describe a picture, so all generated uploads are refused.
        picture, kind = (CORPUS / "rgb.png").read_bytes(), {"Content-Type": "image/png"}
        key = live.key()
        made = live.send("POST", "/api/v1/screenshots", picture, key=key, headers=kind)
        for method in ("GET", "DELETE"):
            live.send(method, made.headers["Location"], key=key)
        kept = live.mockup(key, "?output=url")
        live.send("GET", kept.json["image"]["url"])
        film(live, key, tmp_path)
        # A schema cannot know which users and objects exist, either.
        user = live.user()
        saved = live.accounts.projects.save(user.id, "one", {})
        issued = live.accounts.keys.issue(user.id)[:16]
        for method, path, body in (
            ("GET", f"users/{user.id}", None),
            ("PUT", f"users/{user.id}/subscription", {"plan": "pro"}),
            ("POST", "keys", {"userId": str(user.id)}),
            ("GET", f"keys/{issued}", None),
            ("POST", f"keys/{issued}/link-secret", None),
            ("POST", f"keys/{issued}/rotation", {}),
            ("DELETE", f"keys/{issued}", None),
            ("GET", f"projects/{saved.id}", None),
            ("DELETE", f"projects/{saved.id}", None),
            ("DELETE", f"users/{user.id}", None),
        ):
            live.send(method, f"/api/v1/admin/{path}", body, key=ops)
        paths = live.send("GET", "/openapi.json").json["paths"]
        lines = [json.loads(line) for line in live.log.read_text().splitlines()]
        answered = [line for line in lines if line["event"] == "request"]
        assert not any(line["status"] >= 500 for line in answered)
        assert len(answered) > 1000
        for path, operations in paths.items():
            pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
            for method in operations.keys() & {"get", "post", "put", "delete"}:
                statuses = {
                    line["status"]
                    for line in answered
                    if line["method"] == method.upper() and pattern.fullmatch(line["path"])
                }
                # Generated bodies are not screenshots.
                wanted = {400} if path.endswith("/mockup") else {200, 201, 202, 204}
                assert statuses & wanted, f"{method} {path} was answered {statuses} alone"
