"""Screenshots and pictures of a manifest in object stores, on a real server that fails on request."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

from service.commands import picture_file
from service.commands.bulk.places import Stored, Web, fault, normal, place, shown
from service.commands.bulk.stores import ROW, StoreError, Stores
from service.config import Config
from service.engine.request import RenderRequest
from tests.commands.script import Mockup
from tests.commands.test_bulk import receipts, rendered, rows
from tests.support import object_store, pictures
from tests.support.object_store import ObjectStore

__all__ = ["rendered"]

needs_obstore = pytest.mark.skipif(find_spec("obstore") is None, reason="obstore is not installed")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    with object_store.running() as store:
        for name, value in store.environment.items():
            monkeypatch.setenv(name, value)
        yield store


def test_places() -> None:
    folder = Path("/jobs")
    assert place("a/b.png", folder) == Path("/jobs/a/b.png")
    assert place("/a.png", folder) == Path("/a.png")
    assert place("file:///a%20b.png", folder) == Path("/a b.png")
    assert place("HTTPS://example.com/a.png?x", folder) == Web("HTTPS://example.com/a.png?x")
    assert place("s3://bucket/a b/c%20.png", folder) == Stored("s3://bucket", "a b/c%20.png")
    assert place("gs://bucket/a.png", folder) == Stored("gs://bucket", "a.png")
    assert normal("x/../a.png", folder) == normal("file:///jobs/a.png", folder) == "/jobs/a.png"
    assert shown("https://example.com/a.png?signature=1") == "https://example.com/a.png"
    assert shown("what?.png") == "what?.png"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ftp://example.com/a.png", "ftp:// is not known"),
        ("s3://bucket", "expected s3://BUCKET/KEY"),
        ("s3:///a.png", "expected s3://BUCKET/KEY"),
        ("file://host/a.png", "expected file:///PATH"),
    ],
)
def test_invalid_places_are_refused(text: str, reason: str) -> None:
    said = fault(text, "screenshot")
    assert said is not None
    assert reason in said


@needs_obstore
def test_a_manifest_over_stores(mockup: Mockup, rendered: list[RenderRequest], store: ObjectStore) -> None:
    store.objects["/shots/a b.png"] = pictures.png(), {"ETag": '"1"', "Last-Modified": _THEN}
    rows(
        {"screenshot": "s3://shots/a b.png", "output": "s3://made/x/a.webp"},
        {"screenshot": "a.png", "output": "s3://made/b.png"},
        {"screenshot": "s3://shots/a b.png", "output": "out/c.png"},
        {"screenshot": Path("a.png").absolute().as_uri(), "output": Path("d.png").absolute().as_uri()},
        {"screenshot": "s3://shots/absent.png", "output": "e.png"},
    )
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert "jobs.jsonl:5: s3://shots/absent.png: " in said
    assert "1 of 5 pictures" in said
    data, headers = store.objects["/made/x/a.webp"]
    assert data == b"picture"
    assert headers["Content-Type"] == "image/webp"
    by_line = {one["line"]: one for one in receipts()}
    assert headers[f"x-amz-meta-{ROW}"] == by_line[1]["row"]
    assert Path("out/c.png").read_bytes() == Path("d.png").read_bytes() == b"picture"

    mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert len(rendered) == 4, "committed rows are not rendered again"
    store.objects["/shots/a b.png"] = pictures.png(50, 60), {"ETag": '"2"', "Last-Modified": _THEN}
    mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert len(rendered) == 6, "those of a screenshot that has changed are"
    assert store.versions["/made/x/a.webp"] == 2, "and their pictures replaced"
    assert store.versions["/made/b.png"] == 1


@needs_obstore
def test_a_picture_is_published_once(
    mockup: Mockup, rendered: list[RenderRequest], store: ObjectStore
) -> None:
    rows({"screenshot": "a.png", "output": "s3://made/a.png"})
    mockup("render", "--manifest", "jobs.jsonl")
    # A crash between writing the picture and writing its receipt leaves this state.
    Path("jobs.jsonl.receipts.jsonl").unlink()
    mockup("render", "--manifest", "jobs.jsonl")
    assert len(rendered) == 2
    assert len(receipts()) == 1
    assert store.versions["/made/a.png"] == 1


@pytest.mark.long(seconds=2)
@needs_obstore
def test_a_store_that_fails_one_time_in_five(
    mockup: Mockup, rendered: list[RenderRequest], store: ObjectStore
) -> None:
    """Some writes fail before they take effect, some afterwards; either way, each object is written once."""
    store.objects["/shots/a.png"] = pictures.png(), {"ETag": '"1"', "Last-Modified": _THEN}
    store.nth = 5
    rows(*({"screenshot": "s3://shots/a.png", "output": f"s3://made/{n}.png"} for n in range(20)))
    mockup("render", "--manifest", "jobs.jsonl")
    assert store.failed >= 8
    assert store.versions == {f"/made/{n}.png": 1 for n in range(20)}
    assert sorted(one["line"] for one in receipts()) == list(range(1, 21))


def test_internal_web_servers_cannot_be_reached(
    mockup: Mockup, rendered: list[RenderRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An untrusted manifest must not reach servers that only this machine can reach."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(pictures.png())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/a.png?signature=secret"
        rows({"screenshot": url, "output": "a.png"})
        said = mockup("render", "--manifest", "jobs.jsonl", code=1)
        assert "is not one of MOCKUP_FETCH_PORTS" in said
        assert "secret" not in said
        assert not rendered
        monkeypatch.setenv("MOCKUP_ALLOW_PRIVATE_SOURCES", "true")
        mockup("render", "--manifest", "jobs.jsonl")
        mockup("render", "--manifest", "jobs.jsonl")
        server.shutdown()
        thread.join()
    assert len(rendered) == 1
    assert "secret" not in json.dumps(receipts())


@needs_obstore
def test_objects_replaced_by_another_run_are_kept(store: ObjectStore) -> None:
    stores, object_ = Stores(Config()), Stored("s3://made", "a.png")
    asyncio.run(stores.publish(object_, b"one", "1"))
    asyncio.run(stores.publish(object_, b"two", "2"))
    assert store.objects["/made/a.png"][0] == b"two"
    store.objects["/made/a.png"][1]["ETag"] = '"read"'
    put = store.put
    # Another run writes the object after this run has checked it and before it writes.
    store.put = lambda path, data, headers: 412 if headers.get("If-Match") else put(path, data, headers)  # type: ignore[method-assign]
    with pytest.raises(StoreError, match="recondition"):
        asyncio.run(stores.publish(object_, b"three", "3"))


def test_two_publish_the_same_file(tmp_path: Path) -> None:
    """The second publisher waits until the first is done, and then leaves its picture in place."""
    target, part = tmp_path / "out/a.png", tmp_path / "out/.a.png.mark"
    target.parent.mkdir()
    part.write_bytes(b"left by a process that was killed")
    picture_file.publish(target, b"first", mark="mark")
    assert target.read_bytes() == b"first"
    numbers = set()

    def publish() -> None:
        picture_file.publish(target, b"x" * 100_000, mark="again")
        numbers.add(target.stat().st_ino)

    threads = [threading.Thread(target=publish) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_bytes() == b"x" * 100_000
    assert [path.name for path in target.parent.iterdir()] == ["a.png"]


_THEN = "Sun, 22 Nov 2026 10:00:00 GMT"
