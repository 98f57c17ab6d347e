"""Looks and poses: lists of them, and small pictures that show each with a sample screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anyio import to_thread
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from ..clock import Clock
from ..devices.categories import CATEGORIES
from ..engine.request import GivenScreenshot, Reduced, RenderOptions, RenderRequest, by_digest, prepare
from ..settings.looks import LOOK_NAMES, LOOKS
from ..settings.poses import POSE_NAMES, POSES
from ..settings.rendering import Rendering
from ..settings.scene_device import SceneSettings
from ..settings.schema import Settings
from ..sources import samples
from ..validation.names import Names, index
from . import answers
from .file_responses import File, listing
from .operation import CATALOGUE, RENDER, canonical, named, operation
from .query import Query, listed
from .responses import DAY
from .services import services_of

#: Number of pixels in a look's picture, which has the shape of the look's own canvas.
LOOK_PIXELS = 480 * 270
#: Width and height of a picture of a pose.
POSE_SIZE = (320, 240)
_CATEGORIES = Names("category", "a category", lambda: index(CATEGORIES), "GET /api/v1/devices")


class PosePreview(Query):
    """The requested picture of a pose."""

    category: str = Field(
        "phone",
        description="the category of the device that is shown",
        json_schema_extra=listed(lambda: CATEGORIES),
    )


@operation(CATALOGUE, "GET", "/api/v1/looks", gives=answers.Looks, about="#looks")
async def list_looks(request: Request) -> Response:
    """List looks."""
    return listing(request, all_looks)


@operation(
    CATALOGUE,
    "GET",
    "/api/v1/looks/{id}/preview.webp",
    id=named(lambda: LOOKS),
    gives_files=("image/webp",),
    errors=RENDER,
    about="#small-pictures",
)
async def get_look_picture(request: Request) -> Response:
    """Picture of a look."""
    name = canonical(LOOK_NAMES, request.path_params["id"])
    made = await _thumbnail(request, ("look", name), LOOKS[name].settings, LOOK_PIXELS)
    return made.response(request, DAY)


@operation(CATALOGUE, "GET", "/api/v1/poses", gives=answers.Poses, about="settings.md#poses")
async def list_poses(request: Request) -> Response:
    """List poses."""
    return listing(request, all_poses)


@operation(
    CATALOGUE,
    "GET",
    "/api/v1/poses/{id}/preview.webp",
    id=named(lambda: POSES),
    query=PosePreview,
    gives_files=("image/webp",),
    errors=RENDER,
    about="#small-pictures",
)
async def get_pose_picture(request: Request) -> Response:
    """Picture of a pose."""
    name = canonical(POSE_NAMES, request.path_params["id"])
    category = canonical(_CATEGORIES, PosePreview.of(request).category)
    settings = {
        "device": CATEGORIES[category].example,  # type: ignore[index]
        "canvas": dict(zip(("width", "height"), POSE_SIZE, strict=True)),
        "appearance": {"backgroundColor": "transparent"},
        "deviceTransform": {"pose": name},
        "shadow": {"opacity": 0.35, "blur": 4},
    }
    made = await _thumbnail(request, ("pose", name, category), settings, POSE_SIZE[0] * POSE_SIZE[1])
    return made.response(request, DAY)


async def _thumbnail(
    request: Request, name: tuple[str, ...], settings: Mapping[str, Any], pixels: int
) -> File:
    renderers = services_of(request).renderers

    def prepared() -> RenderRequest:
        asked = Settings.model_validate(dict(settings))
        data = samples.sample(asked)
        given = GivenScreenshot(data, by_digest(samples.OWNER, data))
        return prepare([given], SceneSettings(asked), options=RenderOptions(reduced=Reduced(pixels, "webp")))

    async def made(clock: Clock) -> Rendering:
        return await renderers.render(await to_thread.run_sync(prepared), clock)

    return await services_of(request).thumbnails.of(name, made)


def all_looks() -> answers.Looks:
    """The looks."""
    return answers.Looks(
        looks=[
            answers.Look(
                id=name,
                name=look.title,
                description=look.description,
                settings=dict(look.settings),
                preview=f"/api/v1/looks/{name}/preview.webp",
            )
            for name, look in LOOKS.items()
        ]
    )


def all_poses() -> answers.Poses:
    """The poses."""
    return answers.Poses(
        poses=[
            answers.Pose(
                id=name,
                description=pose.description,
                preview=f"/api/v1/poses/{name}/preview.webp",
                views=answers.Views.of({category: view._asdict() for category, view in pose.views.items()}),
            )
            for name, pose in POSES.items()
        ]
    )
