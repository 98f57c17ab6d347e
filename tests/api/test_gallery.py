"""Small public pictures and the lists that name them."""

from __future__ import annotations

import io
from typing import Any

import jsonschema_rs
import numpy as np
import pytest
from PIL import Image

from service.api.gallery import LOOK_PIXELS, POSE_SIZE
from service.settings.looks import LOOKS
from service.settings.poses import POSES
from service.settings.schema import ENVIRONMENTS
from tests.support.live import Answer, Live


def opened(answer: Answer) -> Image.Image:
    assert answer.status == 200, answer.body
    return Image.open(io.BytesIO(answer.body))


@pytest.mark.parametrize("name", ["environments", "poses", "looks"])
def test_lists_name_their_pictures(server: Live, name: str) -> None:
    listed = server.send("GET", f"/api/v1/{name}").json[name]
    expected: dict[str, Any] = {"environments": [*ENVIRONMENTS, "none"], "poses": POSES, "looks": LOOKS}
    assert [one["id"] for one in listed] == list(expected[name])
    for one in listed:
        path = None if one["id"] == "none" else f"/api/v1/{name}/{one['id']}/preview.webp"
        assert one["preview"] == path
    answer = server.send("GET", listed[0]["preview"])
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    tag = answer.headers["ETag"]
    again = server.send("GET", listed[0]["preview"], headers={"If-None-Match": tag})
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)


def test_looks_match_the_schema(server: Live) -> None:
    document = server.send("GET", "/openapi.json").json
    schema = {"$ref": "#/components/schemas/Settings", "components": document["components"]}
    for look in server.send("GET", "/api/v1/looks").json["looks"]:
        jsonschema_rs.Draft202012Validator(schema).validate(look["settings"])


@pytest.mark.parametrize("name", LOOKS)
def test_pictures_of_looks_show_a_device(server: Live, name: str) -> None:
    picture = opened(server.send("GET", f"/api/v1/looks/{name}/preview.webp"))
    assert 0.9 * LOOK_PIXELS < picture.width * picture.height <= LOOK_PIXELS
    assert np.asarray(picture.convert("L")).std() > 10


@pytest.mark.parametrize("query", ["", "?category=laptop", "?category=Watch"])
def test_poses_are_shown_with_devices_of_a_category(server: Live, query: str) -> None:
    picture = opened(server.send("GET", f"/api/v1/poses/Hero%20Left/preview.webp{query}"))
    assert picture.size == POSE_SIZE
    alpha = np.asarray(picture.convert("RGBA"))[..., 3]
    assert alpha[0].max() == 0
    assert (alpha == 255).mean() > 0.05


def test_environments_differ(server: Live) -> None:
    pictures = {
        name: server.send("GET", f"/api/v1/environments/{name}/preview.webp") for name in ENVIRONMENTS
    }
    assert len({answer.headers["ETag"] for answer in pictures.values()}) == len(ENVIRONMENTS)
    assert all(opened(answer).size == (320, 160) for answer in pictures.values())
    sky = np.asarray(opened(pictures["sunset"]).convert("RGB"))
    assert sky[:60].mean() > sky[100:].mean(), "the sky is above"


@pytest.mark.parametrize("size", [160, 320, 640])
def test_devices_in_several_sizes(server: Live, size: int) -> None:
    picture = opened(server.send("GET", f"/api/v1/devices/pixel-9-pro/preview.png?size={size}"))
    assert picture.size == (size, size)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("poses/nothing/preview.webp", 404),
        ("poses/front/preview.webp?category=toaster", 404),
        ("poses/front/preview.webp?device=toaster", 400),
        ("looks/nothing/preview.webp", 404),
        ("environments/none/preview.webp", 404),
        ("devices/pixel-9-pro/preview.png?size=1000", 400),
        ("devices/pixel-9-pro/preview.png?size=160&size=320", 400),
    ],
)
def test_unknown_pictures_are_404(server: Live, path: str, status: int) -> None:
    assert server.send("GET", f"/api/v1/{path}").status == status
