"""The file of a background image, without a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from ..engine.backdrops import about_background
from ..errors import Detail, refusal
from ..settings.background_image import PATH
from ..settings.schema import Settings
from ..sources import inline
from .bulk.places import normal


class BackgroundImages:
    """Reads background images, each once: the pictures of a run mostly have the same one."""

    def __init__(self, fetch: Callable[[str], Awaitable[bytes]], limit: int) -> None:
        """`fetch` returns the file at a URL or path; files have up to `limit` bytes."""
        self._fetch, self._limit = fetch, limit
        self._kept: tuple[str, bytes] = ("", b"")

    async def read(self, settings: Settings, folder: Path | None = None) -> bytes | None:
        """The file of a background image, None where there is none; raises a 400 that names its path.

        With a `folder`, the image's source may also be a path; relative paths start in the folder.
        """
        image = settings.appearance.background_image
        if image is None or image.src is None:
            return None
        if image.type == "upload":
            raise refusal(Detail(PATH, "uploads are a server's; expected a URL, base64 or the screenshot"))
        url, wanted = image.type == "url", image.src
        if url and folder is not None:
            try:
                wanted = normal(wanted, folder)
            except ValueError as error:
                raise refusal(Detail(PATH, str(error))) from None
        source, kept = self._kept
        if source != wanted:
            with about_background():
                kept = await self._fetch(wanted) if url else inline.decode(wanted, self._limit, PATH)
            self._kept = wanted, kept
        return kept
