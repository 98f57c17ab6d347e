"""Live previews: their content, their cost, and their priority."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import math
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from service.arrays import F64, U8
from service.devices.device import catalogue
from service.limits import PREVIEW_LEAST_MS
from service.settings.poses import POSES
from tests.api.application import application
from tests.support import pictures
from tests.support.live import UNHURRIED, Answer, Live
from tests.support.waiting import soon, until

PREVIEWS, GEOMETRY = "/api/v1/previews", "/api/v1/geometry"
RED = (255, 0, 0)


def upload(server: Live, key: str, data: bytes | None = None) -> dict[str, str]:
    body = pictures.png() if data is None else data
    answer = server.send("POST", "/api/v1/screenshots", body, key=key, headers={"Content-Type": "image/png"})
    assert answer.status == 201, answer.body
    return {"type": "upload", "src": answer.json["id"]}


def previewed(server: Live, key: str, **body: Any) -> Answer:
    answer = server.send("POST", PREVIEWS, body, key=key)
    assert answer.status == 200, answer.body
    return answer


def pixels(answer: Answer) -> U8:
    """(h, w, 4) RGBA."""
    return np.asarray(Image.open(io.BytesIO(answer.body)).convert("RGBA"), np.uint8)


def geometry(answer: Answer) -> Any:
    return json.loads(answer.headers["X-Mockup-Geometry"])


def test_a_preview_of_an_upload(server: Live, key: str) -> None:
    answer = previewed(server, key, screenshot=upload(server, key), maxPixels=40_000)
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Mockup-Device"] == "iphone-16-pro"
    assert {"queue", "plate", "decode", "warp", "compose", "encode"} <= {
        stage.partition(";")[0] for stage in answer.headers["Server-Timing"].split(", ")
    }
    height, width, _ = pixels(answer).shape
    assert (width, height) == (266, 150)
    assert (geometry(answer)["width"], geometry(answer)["height"]) == (width, height)
    assert answer.headers["X-RateLimit-Remaining"] == answer.headers["X-RateLimit-Limit"]
    assert 0 < int(answer.headers["X-Preview-Remaining-Ms"]) < 1000 * int(UNHURRIED["PREVIEW_LIMIT_S"])
    assert 0 < int(answer.headers["X-Preview-Reset-S"]) <= 60


def test_warnings_are_told_in_full(server: Live, key: str) -> None:
    settings = {"device": "iphone-16-pro", "orientation": "portrait"}
    wide = upload(server, key, pictures.png(900, 400))
    answer = previewed(server, key, screenshot=wide, settings=settings, maxPixels=16_384)
    told = json.loads(answer.headers["X-Mockup-Warning-Details"])
    assert [one["code"] for one in told] == answer.headers["X-Mockup-Warnings"].split(", ")
    (message,) = (one["message"] for one in told if one["code"] == "CROPPED")
    assert "% of the screenshot's width is cropped" in message


def test_small_pictures_are_not_enlarged(server: Live, key: str) -> None:
    answer = previewed(server, key, settings={"canvas": {"width": 100, "height": 80}})
    assert pixels(answer).shape[:2] == (80, 100)


@pytest.mark.parametrize(
    ("background", "asked", "kind"),
    [
        ("#ffffff", None, "image/jpeg"),
        ("transparent", None, "image/webp"),
        ("#ffffff80", "auto", "image/webp"),
        ("transparent", "png", "image/png"),
        ("transparent", "JPEG", "image/jpeg"),
    ],
)
def test_the_format_suits_the_background(
    server: Live, key: str, background: str, asked: str | None, kind: str
) -> None:
    look = {"appearance": {"backgroundColor": background}, "export": {"format": "png", "quality": 60}}
    body: dict[str, Any] = {"settings": look, "maxPixels": 16_384}
    answer = previewed(server, key, **body, **({"format": asked} if asked else {}))
    assert answer.headers["Content-Type"] == kind
    assert (pixels(answer)[..., 3].min() < 255) == (kind != "image/jpeg")


@pytest.mark.parametrize("device", ["auto", "macbook-pro-14", "browser-chrome", "surface-pro-11", "card"])
def test_without_a_screenshot_there_is_a_sample(server: Live, key: str, device: str) -> None:
    answer = previewed(server, key, settings={"device": device}, maxPixels=30_000)
    screen = geometry(answer)["screens"][0]
    x, y = np.mean(screen["corners"], axis=0)
    shown = pixels(answer)[int(y) - 12 : int(y) + 12, int(x) - 12 : int(x) + 12]
    assert shown.std() > 2, "something is shown"
    assert "UPSCALED" not in answer.headers.get("X-Mockup-Warnings", "")


def test_any_key_may_preview_and_projects_apply(server: Live) -> None:
    key = server.key("free")
    settings = {"canvas": {"width": 64, "height": 96}}
    saved = server.send("POST", "/api/v1/projects", {"name": "One", "settings": settings}, key=key).json
    answer = previewed(server, key, projectId=saved["id"])
    assert pixels(answer).shape[:2] == (96, 64)
    other = server.send("POST", PREVIEWS, {"projectId": saved["id"]}, key=server.key())
    assert (other.status, other.code) == (403, "PROJECT_ACCESS_DENIED")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"screenshot": {"type": "url", "src": "https://example.com/a.png"}}, "screenshot.type"),
        ({"screenshot": {"type": "upload", "src": "no id"}}, "screenshot.src"),
        (
            {"screenshot": {"type": "upload", "src": "0" * 8 + "-0000-0000-0000-" + "0" * 12}},
            "screenshot.src",
        ),
        ({"screenshot_base64": pictures.text()}, "screenshot_base64"),
        ({"maxPixels": 16_383}, "maxPixels"),
        ({"maxPixels": 2_073_601}, "maxPixels"),
        ({"format": "avif"}, "format"),
        ({"fast": True}, "fast"),
        ({"settings": {"shadow": {"blr": 1}}}, "settings.shadow.blr"),
        ({"settings": {"export": {"scale": 9}}}, "settings.export.scale"),
        ({"projectId": "none"}, "projectId"),
    ],
)
@pytest.mark.parametrize("path_of", [PREVIEWS, GEOMETRY])
def test_faults_are_named(server: Live, key: str, path_of: str, body: Any, path: str) -> None:
    answer = server.send("POST", path_of, body, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert path in answer.details


def test_checks_run_in_the_documented_order(server: Live, key: str) -> None:
    large = b" " * (256 * 1024 + 1)
    assert server.send("POST", PREVIEWS, large, key=key).code == "PAYLOAD_TOO_LARGE"
    assert server.send("POST", PREVIEWS, {}).code == "MISSING_AUTH"
    assert server.send("POST", PREVIEWS, {}, key="unknown").code == "INVALID_API_KEY"
    answer = server.send("POST", PREVIEWS, b"{}", key=key, headers={"Content-Type": "text/plain"})
    assert answer.code == "UNSUPPORTED_MEDIA_TYPE"
    assert "output" in server.send("POST", f"{PREVIEWS}?output=json", {}, key=key).details
    assert server.send("GET", PREVIEWS, key=key).status == 405


def test_requests_without_a_valid_key_count_by_address(server: Live) -> None:
    address = {"X-Forwarded-For": "198.18.250.1"}
    answers = [server.send("POST", PREVIEWS, {}, headers=address) for _ in range(61)]
    assert [answer.status for answer in answers] == [401] * 60 + [429]


def test_the_geometry_follows_its_specification(server: Live, key: str) -> None:
    settings = {
        "canvas": {"width": 800, "height": 600},
        "deviceTransform": {
            "rotationX": 14,
            "rotationY": -33,
            "rotationZ": 8,
            "positionX": 0.2,
            "positionY": -0.1,
            "scale": 0.8,
            "fieldOfView": 40,
            "framing": "upright",
        },
    }
    found = geometry(previewed(server, key, settings=settings))
    body = np.array(catalogue()["iphone-16-pro"].body)
    k = 0.8 * min(0.78 * 600 / body[1], 0.78 * 800 / body[0])
    distance = 600 / (k / 0.8) / (2 * math.tan(math.radians(40) / 2))
    assert (found["k"], found["D"]) == (pytest.approx(k, abs=1e-3), pytest.approx(distance, abs=0.01))
    turn = rotation(14, -33, 8)
    assert np.allclose(np.reshape(found["turn"], (3, 3)), turn, atol=1e-5)
    signs = [
        (-1, 1, 1),
        (1, 1, 1),
        (1, -1, 1),
        (-1, -1, 1),
        (-1, 1, -1),
        (1, 1, -1),
        (1, -1, -1),
        (-1, -1, -1),
    ]
    seen = np.array(signs) * body / 2 @ turn.T
    near = distance / (distance - seen[:, 2])
    x = 400 * 1.2 + seen[:, 0] * k * near
    y = 300 * 1.1 - seen[:, 1] * k * near
    assert np.allclose(found["body"], np.column_stack([x, y]), atol=0.02)


def rotation(x: float, y: float, z: float) -> F64:
    """The matrix Rx·Ry·Rz of angles in degrees, by Rodrigues' formula."""
    made = np.eye(3)
    for axis, angle in enumerate((x, y, z)):
        made = made @ cv2.Rodrigues(np.eye(3)[axis] * math.radians(angle))[0]
    return made


@pytest.mark.parametrize("device", ["iphone-16-pro", "macbook-pro-14", "galaxy-z-fold-7-half-open"])
def test_the_screen_is_where_the_geometry_says(server: Live, key: str, device: str) -> None:
    shot = upload(server, key, solid(RED))
    settings = {
        "device": device,
        "canvas": {"width": 800, "height": 600},
        "deviceTransform": {"pose": "hero-left"},
        "reflection": {"enabled": False},
        "shadow": {"enabled": False},
    }
    answer = previewed(server, key, screenshot=shot, settings=settings, format="png")
    picture, found = pixels(answer)[..., :3].astype(int), geometry(answer)
    red = (picture[..., 0] > 200) & (picture[..., 1] < 60) & (picture[..., 2] < 60)
    inside = np.zeros(red.shape, np.uint8)
    for screen in found["screens"]:
        corners = np.array(screen["corners"])
        cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
        assert screen["hidden"] < 0.02
    grown = cv2.dilate(inside, np.ones((3, 3), np.uint8))
    assert not red[grown == 0].any(), "nothing of it is outside"
    assert red.sum() > 0.93 * inside.sum(), "and it fills the inside but for corners and cut-outs"
    matrix = np.reshape(found["screens"][0]["homography"], (3, 3))
    parts = np.array([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]) @ matrix.T
    if len(found["screens"]) == 1:
        assert np.allclose(parts[:, :2] / parts[:, 2:], found["screens"][0]["corners"], atol=0.02)


def solid(color: tuple[int, int, int]) -> bytes:
    done, data = cv2.imencode(".png", np.full((2622, 1206, 3), color[::-1], np.uint8))
    assert done
    return data.tobytes()


def test_a_screen_that_faces_away_is_hidden(server: Live, key: str) -> None:
    answer = previewed(server, key, settings={"deviceTransform": {"rotationY": 180}})
    assert geometry(answer)["screens"][0]["hidden"] == 1


def placed(server: Live, key: str, settings: Any) -> Any:
    answer = server.send("POST", GEOMETRY, {"settings": settings}, key=key)
    assert answer.status == 200, answer.body
    return answer.json


@pytest.mark.parametrize(
    ("device", "orientation"),
    [
        ("iphone-16-pro", "auto"),
        ("iphone-16-pro", "landscape"),
        ("iphone-16-pro", "landscape-right"),
        ("macbook-pro-14", "auto"),
        ("card", "auto"),
    ],
)
def test_poses_are_predicted_from_the_shape(server: Live, key: str, device: str, orientation: str) -> None:
    base = {"device": device, "orientation": orientation, "canvas": {"width": 900, "height": 700}}
    shape = placed(server, key, base)["shape"]
    poses: list[dict[str, Any]] = [
        {
            "rotationX": 20,
            "rotationY": -35,
            "rotationZ": 8,
            "scale": 1.1,
            "positionX": 0.3,
            "framing": framing,
        }
        for framing in ("upright", "auto", "posed", "balanced")
    ]
    poses += [{"rotationY": 70, "rotationZ": 50, "fieldOfView": 80}, {"rotationX": -60, "fieldOfView": 0}]
    category = catalogue()[device].category
    for pose in (*poses, {"pose": "isometric-left"}):
        given = dict(pose)
        if name := given.pop("pose", None):
            view = POSES[name].views[category]
            names = ("rotationX", "rotationY", "rotationZ", "fieldOfView", "framing")
            given = dict(zip(names, view, strict=True))
        answer = placed(server, key, base | {"deviceTransform": pose})
        found, shape = answer["geometry"], shape | {"margins": answer["shape"]["margins"]}
        k, distance, center, corners = predicted(shape, given, found["width"], found["height"])
        assert k == pytest.approx(found["k"], rel=2e-3)
        assert distance == pytest.approx(found["D"], rel=1e-4)
        assert np.allclose(center, found["center"], atol=1)
        assert np.allclose(corners, [screen["corners"] for screen in found["screens"]], atol=1)


def predicted(
    shape: Any, pose: dict[str, Any], across: int, down: int
) -> tuple[float, float, F64, list[F64]]:
    """The screens' corners as callers would predict them, with the formula for k, D and the pivot in
    docs/api.md."""
    width, height = shape["body"][:2]
    turn = rotation(*(pose.get(f"rotation{axis}", 0) for axis in "XYZ"))
    if shape["turned"]:
        width, height = height, width
        turn = turn @ rotation(0, 0, 90 * shape["turned"])
    unit = min(0.78 * down / height, 0.78 * across / width)
    angle = math.radians(pose.get("fieldOfView", 30)) / 2
    wanted = down / unit / (2 * math.tan(angle)) if angle else 1e6
    distance = max(wanted, 1.25 * math.hypot(*shape["body"]) / 2)

    def project(points: Any, k: float, center: F64) -> F64:
        view = np.array(points) @ turn.T
        return np.asarray(
            center + view[:, :2] * (1, -1) * (k * distance / (distance - view[:, 2:])), np.float64
        )

    flat = project(shape["points"], unit, np.zeros(2))
    low, high = flat.min(axis=0), flat.max(axis=0)
    canvas, share, shift = np.array([across, down]), 1.0, np.zeros(2)
    framing = pose.get("framing", "auto")
    left, top, right, bottom = shape["margins"]
    first, last = (np.array([left, top]) - 0.5) * canvas, (0.5 - np.array([right, bottom])) * canvas
    if framing == "auto":
        share = min(1.0, float(((last - first) / (high - low)).min()))
        shift = np.clip(0, share * high - last, share * low - first)
    elif framing in ("posed", "balanced"):
        share = float((0.78 * canvas / (high - low)).min())
        shift = (low + high) / 2 * share
    if framing == "balanced":
        total, moment = (factor * (high - low).prod() / 100 for factor in (1, (low + high)[0] / 2))
        for rectangle in shape["faces"]:
            found = cv2.moments(project(rectangle, unit, np.zeros(2)).astype(np.float32))
            total, moment = total + found["m00"], moment + found["m10"]
        ends = min(share * high[0] - last[0], shift[0]), max(share * low[0] - first[0], shift[0])
        least, most = (np.array(ends) + shift[0]) / 2
        shift[0] = np.clip(share * moment / total, least, most)
    scale = pose.get("scale", 1)
    moved = np.array([1 + pose.get("positionX", 0), 1 - pose.get("positionY", 0)])
    center = canvas / 2 * moved - scale * shift
    k = scale * unit * share
    return k, distance, center, [project(screen["corners"], k, center) for screen in shape["screens"]]


@pytest.mark.long
def test_preview_time_is_limited(narrow: Live) -> None:
    live, key = narrow, narrow.key()
    assert previewed(live, key, maxPixels=16_384).headers["X-Preview-Remaining-Ms"] == "0"
    for path in (PREVIEWS, GEOMETRY):
        answer = live.send("POST", path, {}, key=key)
        assert (answer.status, answer.code) == (429, "RATE_LIMITED")
        wait = int(answer.headers["Retry-After"])
        assert 1 <= wait <= 60
        assert answer.json["retryAfter"] == wait
        assert answer.headers["X-RateLimit-Remaining"] == "60", "mockups have a limit of their own"
    assert live.mockup(key).status == 200
    assert live.send("POST", PREVIEWS, {}, key=live.key()).status == 200


async def test_refused_previews_cost_a_little_time(tmp_path: Path) -> None:
    with application(tmp_path, preview_limit_s=4 * PREVIEW_LEAST_MS / 1e3) as app:
        key = app.key()
        replies = [await app.send({"maxPixels": 1}, key=key, path=PREVIEWS) for _ in range(6)]
        assert [reply.status for reply in replies] == [400] * 4 + [429] * 2


async def test_a_newer_preview_supersedes_the_waiting_one(tmp_path: Path) -> None:
    end = threading.Event()
    with application(tmp_path, render_threads=3) as app:
        key, latest = app.key(), app.app.state.services.latest
        app.studio.work = lambda clock: until(end.is_set)

        def send(owner: str = key) -> asyncio.Task[Any]:
            return asyncio.create_task(app.send({}, key=owner, path=PREVIEWS))

        under_way = [send(), send()]
        await soon(lambda: len(app.studio.seen) == 2)
        third = send()
        await soon(lambda: latest.waiting)
        fourth = send()
        reply = await third
        assert (reply.status, reply.json["error"]["code"]) == (409, "SUPERSEDED")
        assert not any(one.done() for one in under_way)
        # A preview for another user does not wait for these previews, only for a renderer.
        other = send(app.key())
        await soon(lambda: len(app.studio.seen) == 3)
        end.set()
        assert [one.status for one in await asyncio.gather(*under_way, fourth, other)] == [200] * 4
        assert latest.occupied == 0


async def test_previews_and_shapes_do_not_supersede_each_other(tmp_path: Path) -> None:
    end = threading.Event()
    with application(tmp_path, render_threads=2) as app:
        key, services = app.key(), app.app.state.services
        app.studio.work = lambda clock: until(end.is_set)

        def send(path: str) -> asyncio.Task[Any]:
            return asyncio.create_task(app.send({}, key=key, path=path))

        under_way = [send(PREVIEWS), send(PREVIEWS)]
        await soon(lambda: len(app.studio.seen) == 2)
        waiting = send(PREVIEWS)
        await soon(lambda: services.latest.waiting)
        shape = send(GEOMETRY)
        await soon(lambda: services.latest_shapes.occupied)
        end.set()
        assert [one.status for one in await asyncio.gather(*under_way, waiting)] == [200] * 3
        await shape
        assert services.latest.occupied == services.latest_shapes.occupied == 0


async def test_a_preview_is_abandoned_when_its_client_leaves(tmp_path: Path) -> None:
    left, given_up = asyncio.Event(), threading.Event()
    with application(tmp_path) as app:

        def work(clock: Any) -> None:
            for _ in itertools.count():
                try:
                    clock.check()
                except BaseException:
                    given_up.set()
                    raise

        app.studio.work = work
        task = asyncio.create_task(app.send({}, key=app.key(), path=PREVIEWS, left=left))
        await soon(lambda: app.studio.seen)
        left.set()
        assert (await task).status == 0
        await soon(given_up.is_set)
        await soon(lambda: not app.app.state.services.queue.running)
        assert app.app.state.services.latest.occupied == 0


def test_mockups_include_the_geometry_on_request(server: Live, key: str) -> None:
    plain = server.mockup(key).json
    assert "geometry" not in plain
    found = server.mockup(key, include=["geometry"]).json
    raw = server.mockup(key, "?output=raw", include=["geometry"])
    assert found["geometry"] == geometry(raw)
    assert (found["geometry"]["width"], found["geometry"]["height"]) == (320, 240)
    assert found["image"] == plain["image"]
    assert "X-Mockup-Geometry" not in server.mockup(key, "?output=raw", include=[]).headers
    for wrong in (["everything"], "geometry", [1]):
        answer = server.mockup(key, include=wrong)
        assert answer.status == 400
        assert next(iter(answer.details)).startswith("include")
