"""Templates: a list of them, each with its settings, and a small picture with sample screens."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..clock import Clock
from ..engine.request import GivenScreenshot, Reduced, RenderOptions, RenderRequest, by_digest, prepare
from ..settings.rendering import Rendering
from ..settings.schema import Settings
from ..settings.templates import TEMPLATES, Template, scene_of, templates
from ..sources import samples
from . import answers
from .file_responses import listing
from .operation import CATALOGUE, RENDER, canonical, named, operation
from .responses import DAY, HOUR, JSONResponse
from .services import services_of

PATH = "/api/v1/templates"
#: Pixels of a template's picture, which keeps the template's own shape.
PIXELS = 480 * 360
_ID = named(lambda: templates())


@operation(CATALOGUE, "GET", PATH, gives=answers.Templates, about="templates.md")
async def list_templates(request: Request) -> Response:
    """List templates."""
    return listing(request, all_templates)


@operation(CATALOGUE, "GET", f"{PATH}/{{id}}", id=_ID, gives=answers.Template, about="templates.md")
async def get_template(request: Request) -> Response:
    """Read a template."""
    return JSONResponse(written(_wanted(request)).written(), headers=HOUR)


@operation(
    CATALOGUE,
    "GET",
    f"{PATH}/{{id}}/preview.webp",
    id=_ID,
    gives_files=("image/webp",),
    errors=RENDER,
    about="#small-pictures",
)
async def get_template_picture(request: Request) -> Response:
    """Picture of a template."""
    wanted, renderers = _wanted(request), services_of(request).renderers

    async def made(clock: Clock) -> Rendering:
        return await renderers.render(await to_thread.run_sync(_prepared, wanted), clock)

    picture = await services_of(request).thumbnails.of(("template", wanted.id), made)
    return picture.response(request, DAY)


def _wanted(request: Request) -> Template:
    return templates()[canonical(TEMPLATES, request.path_params["id"])]


def _prepared(wanted: Template) -> RenderRequest:
    """The template with sample screens."""
    scene = scene_of(wanted)
    given = []
    for member in scene.members:
        data = samples.sample(member.device.over(scene.settings))
        given.append(GivenScreenshot(data, by_digest(samples.OWNER, data)))
    options = RenderOptions(reduced=Reduced(PIXELS, "webp"))
    return prepare(given, scene, options=options, owner=samples.OWNER)


def all_templates() -> answers.Templates:
    """The templates."""
    return answers.Templates(templates=[_listed(one) for one in templates().values()])


def written(one: Template) -> answers.Template:
    """A template in a response."""
    own = [dict(device) for device in one.devices]
    return answers.Template(**_listed(one).model_dump(), devices=own, settings=dict(one.settings))


def _listed(one: Template) -> answers.ListedTemplate:
    scene = scene_of(one)
    width, height = scene.settings.slice_size
    return answers.ListedTemplate(
        id=one.id,
        title=one.title,
        description=one.description,
        width=width,
        height=height,
        slices=scene.settings.canvas.slices,
        screenshots=[_device(member.device.over(scene.settings)) for member in scene.members],
        texts=list(one.texts),
        preview=f"{PATH}/{one.id}/preview.webp",
    )


def _device(settings: Settings) -> str:
    assert isinstance(settings.device, str)
    return settings.device
