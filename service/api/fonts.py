"""The list of fonts for captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..fonts import extra
from . import answers
from .file_responses import VARY, File
from .operation import CATALOGUE, operation
from .responses import HOUR
from .services import services_of

if TYPE_CHECKING:
    from ..fonts.collection import Font


@operation(CATALOGUE, "GET", "/api/v1/fonts", gives=answers.Fonts, about="captions.md#fonts")
async def list_fonts(request: Request) -> Response:
    """List fonts."""
    folder = services_of(request).config.fonts_folder
    # Reading the fonts for the first time takes a while.
    found = await to_thread.run_sync(families, folder)
    return File.json(found).response(request, {**HOUR, **VARY})


def families(folder: str) -> answers.Fonts:
    """The families of a folder, of the package and of the system; none without the extra."""
    if not extra.available():
        return answers.Fonts(fonts=[])
    from ..fonts.collection import collection

    known = collection(folder)
    return answers.Fonts(fonts=[_family(name, known.styles(name)) for name in known.families])


def _family(name: str, styles: list[Font]) -> answers.FontFamily:
    weights = {round(weight) for style in styles for weight in style.weights}
    return answers.FontFamily(
        family=name,
        weights=sorted(weights),
        variable=any(style.axes for style in styles),
        italic=any(style.italic for style in styles),
    )
