"""Screenshots and rendered pictures as files, bytes, Pillow images and NumPy arrays."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zipfile import ZipFile

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

    from .schema import Geometry, Warning

    #: A screenshot: a file's path, its bytes, an open file, an image or an array.
    Source = str | os.PathLike[str] | bytes | BinaryIO | Image | np.ndarray[Any, Any]


def encoded(source: Source) -> bytes:
    """The bytes of an image file; images and arrays (h, w, 3 or 4) uint8 become PNG.

    Raises OSError for a file that cannot be read, and TypeError for any other type.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if isinstance(source, str | os.PathLike):
        return Path(source).read_bytes()
    if hasattr(source, "read"):
        return cast(BinaryIO, source).read()
    if hasattr(source, "__array_interface__") and not hasattr(source, "save"):
        import PIL.Image

        source = PIL.Image.fromarray(cast(Any, source))
    if hasattr(source, "save"):
        file = io.BytesIO()
        # Compress quickly rather than well, because the file is sent only once.
        cast(Any, source).save(file, "PNG", compress_level=1)
        return file.getvalue()
    raise TypeError(
        f"a {type(source).__name__} is no picture: give a path, bytes, a file, an image or an array"
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """A rendered picture: the file's bytes, its type and size, and what the service reported about it.

    With `canvas.slices`, `data` is a ZIP file, and `width` and `height` are those of each slice.
    """

    data: bytes = field(repr=False)
    mime_type: str
    width: int
    height: int
    device: str
    duration_ms: int
    warnings: tuple[Warning, ...] = ()
    geometry: Geometry | None = None

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file and return its path."""
        Path(path).write_bytes(self.data)
        return Path(path)

    @property
    def slices(self) -> tuple[bytes, ...]:
        """The files of all slices, from left to right; for an undivided picture, its own file."""
        if self.mime_type != "application/zip":
            return (self.data,)
        with ZipFile(io.BytesIO(self.data)) as archive:
            return tuple(map(archive.read, archive.namelist()))

    def image(self) -> Image:
        """The picture as a Pillow image; needs Pillow."""
        import PIL.Image

        return PIL.Image.open(io.BytesIO(self.data))

    def array(self) -> np.ndarray[Any, Any]:
        """The picture as an array (h, w, 3 or 4) uint8; needs NumPy and Pillow."""
        import numpy as np

        return np.asarray(self.image())
