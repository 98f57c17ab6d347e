"""GIF by Pillow, from a rebuilt file of only the first frame."""

from __future__ import annotations

import io

from PIL.GifImagePlugin import GifImageFile

from ...picture import Budget, Header
from ...pillow import pixels_of
from ...raw import Mode, Raw, RequestedSize
from .header import frame, head_bytes


def decode(data: bytes, header: Header, requested: RequestedSize) -> Raw:
    """Decode to HxWx3 uint8, or HxWx4 if a colour is transparent or the frame does not fill the screen."""
    control, _ = frame(data, Budget("gif"))
    # Leave out comments and other extensions before the frame, and everything behind it.
    extension = data[slice(*control)] if control else b""
    bare = b"".join((data[: head_bytes(data)], extension, data[slice(*header.span)], b";"))
    with GifImageFile(io.BytesIO(bare)) as image:
        mode: Mode = "RGBA" if header.has_alpha else "RGB"
        return Raw(mode, pixels_of(image, mode))
