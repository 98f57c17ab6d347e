"""The Python client, with the running service and with simulated failures."""

from __future__ import annotations

import asyncio
import inspect
import io
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest
from PIL import Image

from service.api.operations import OPERATIONS
from tests.support.live import SMALL, Live

from mockup_client import ApiError, AsyncClient, Client, Retries, UnreachableError, calls  # isort: skip

SETTINGS: Any = SMALL | {"device": "iphone-16-pro"}


@pytest.fixture
def client(server: Live, key: str) -> Iterator[Client]:
    with Client(server.address, key) as made:
        yield made


def test_pictures_of_every_kind_of_source(client: Client, shot: bytes, tmp_path: Path) -> None:
    path = tmp_path / "shot.png"
    path.write_bytes(shot)
    opened = Image.open(path)
    expected = client.render(shot, SETTINGS)
    assert (expected.width, expected.height, expected.mime_type) == (320, 240, "image/png")
    assert expected.device == "iphone-16-pro"
    assert not expected.geometry
    for source in (path, str(path), io.BytesIO(shot), opened, np.asarray(opened)):
        assert client.render(source, SETTINGS).data == expected.data
    assert expected.image().size == (320, 240)
    assert expected.slices == (expected.data,)
    panorama = client.render(shot, SETTINGS | {"canvas": {"width": 320, "height": 240, "slices": 2}})
    assert [Image.open(io.BytesIO(one)).size for one in panorama.slices] == [(320, 240)] * 2
    assert expected.array().shape[:2] == (240, 320)
    assert expected.save(tmp_path / "out.png").read_bytes() == expected.data


def test_uploads_projects_and_lists(client: Client, shot: bytes) -> None:
    upload = client.upload(shot)
    project = client.save("A look", SETTINGS)
    made = client.render(upload=upload["id"], project=project["id"], geometry=True)
    assert made.data == client.render(shot, SETTINGS).data
    assert made.geometry
    assert made.geometry["width"] == 320
    assert client.geometry(SETTINGS)["width"] == 320
    assert client.preview(SETTINGS, upload=upload["id"])[:2] == b"\xff\xd8"
    assert [one["id"] for one in client.devices("iphone 16 pro", width=1206)] == ["iphone-16-pro"]
    assert client.device("iPhone 16 Pro")["id"] == "iphone-16-pro"
    client.forget(upload["id"])
    with pytest.raises(ApiError, match=r"screenshot\.src"):
        client.render(upload=upload["id"], settings=SETTINGS)


def test_links_need_no_key(server: Live, key: str, site: str) -> None:
    secret, _ = server.accounts.keys.issue_link_secret(key)
    end = datetime.now(UTC) + timedelta(hours=1)
    jpeg: Any = {**SETTINGS, "export": {"format": "jpeg"}}
    with Client(f"{server.address}/", key="", link_secret=secret) as client:
        links = [
            client.link(f"{site}/über.png", SETTINGS),
            client.link(f"{site}/a.png", SETTINGS, format="webp", expires=end),
            client.link(f"{site}/a.png", jpeg),
        ]
        with pytest.raises(TypeError, match="either settings or project"):
            client.link(site, SETTINGS, project="x")
    found = [httpx.get(link) for link in links]
    assert [one.headers.get("content-type") for one in found] == ["image/png", "image/webp", "image/jpeg"]
    assert httpx.get(links[1].replace(".webp", ".png")).status_code == 403
    with Client(server.address) as client, pytest.raises(ValueError, match="needs a link secret"):
        client.link(site)


def test_errors_name_the_invalid_setting(client: Client, server: Live, shot: bytes) -> None:
    wrong: Any = {"shadow": {"blr": 2}}
    with pytest.raises(ApiError, match="did you mean blur") as caught:
        client.render(shot, wrong)
    error = caught.value
    assert (error.status, error.code) == (400, "INVALID_REQUEST")
    assert error.details[0]["path"] == "settings.shadow.blr"
    assert error.request_id
    with Client(server.address, "sk_none") as stranger, pytest.raises(ApiError, match="INVALID_API_KEY"):
        stranger.render(shot)
    with pytest.raises(TypeError, match="exactly one"):
        client.render(shot, url="https://example.com/a.png")
    with pytest.raises(TypeError, match="no picture"):
        client.render(3)  # type: ignore[arg-type]


def answers(*given: httpx.Response | Exception) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    """The service's responses, in turn, and the requests that it received."""
    waiting, asked = list(given), []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        one = waiting.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    return httpx.MockTransport(answer), asked


def limited(after: str) -> httpx.Response:
    body = {"success": False, "error": "Too Many Requests", "code": "RATE_LIMITED", "message": "Later"}
    return httpx.Response(429, json=body, headers={"Retry-After": after})


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_calls_are_retried_after_the_requested_time(
    kind: type[Client | AsyncClient], monkeypatch: pytest.MonkeyPatch, shot: bytes
) -> None:
    waited: list[float] = []

    async def rest(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("time.sleep", waited.append)
    monkeypatch.setattr(asyncio, "sleep", rest)

    def sent(*given: httpx.Response | Exception) -> tuple[Any, list[httpx.Request]]:
        transport, asked = answers(*given)
        made = kind("http://mockups", "sk_1", retries=Retries(times=2), transport=transport)
        call: Any = made.send(calls.render(shot, None, **NOTHING))
        return asyncio.run(call) if inspect.iscoroutine(call) else call, asked

    headers = {"X-Mockup-Size": "4x3", "X-Mockup-Device": "card", "X-Duration-Ms": "3"}
    good = httpx.Response(200, content=b"", headers=headers | {"Content-Type": "image/png"})
    picture, asked = sent(limited("7"), httpx.ConnectError("refused"), good)
    assert picture.device == "card"
    assert waited[0] == 7
    assert 0 < waited[1] <= 1
    # All attempts carry the same idempotency key, so the service renders and counts the request once.
    assert len({request.headers["Idempotency-Key"] for request in asked}) == 1
    for given, error in (
        ([limited("7")] * 3, ApiError),
        ([limited("3600")], ApiError),
        ([httpx.ReadError("lost")] * 3, UnreachableError),
        ([httpx.Response(500, text="oops")], ApiError),
    ):
        with pytest.raises(error):
            sent(*given)


NOTHING: dict[str, Any] = {"url": None, "upload": None, "project": None, "fast": False, "geometry": False}
MADE: dict[str, Callable[[], calls.Call[Any]]] = {
    "mockup": lambda: calls.render(b"", None, **NOTHING),
    "screenshots": lambda: calls.upload(b"", None),
    "screenshots/{id}": lambda: calls.forget("{id}"),
    "previews": lambda: calls.preview(None, None, None),
    "geometry": lambda: calls.geometry(None),
    "devices": lambda: calls.devices(),
    "devices/{id}": lambda: calls.device("{id}"),
    "projects": lambda: calls.save("a", {}, None),
    "projects/{id}": lambda: calls.save("a", {}, "{id}"),
}


def test_calls_are_operations_of_the_service() -> None:
    there = {(one.method, one.path) for one in OPERATIONS}
    for path, make in MADE.items():
        assert (make().method, f"/api/v1/{path}") in there
