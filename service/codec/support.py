"""Whether the imaging libraries can do what the service needs of them."""

from __future__ import annotations

from importlib import metadata

import PIL
from PIL import features

NEEDED = {"jpg": "JPEG", "zlib": "PNG", "webp": "WebP", "littlecms2": "ICC profiles"}


def verify() -> None:
    """Raise RuntimeError, in one sentence, when pillow-simd is missing, replaced or lacks a format."""
    try:
        version = metadata.version("pillow-simd")
    except metadata.PackageNotFoundError:
        raise RuntimeError("pillow-simd is not installed; run `make install`.") from None
    if PIL.__version__ != version:
        raise RuntimeError(
            f"Pillow {PIL.__version__} has replaced pillow-simd {version}; "
            "uninstall Pillow and install pillow-simd again."
        )
    lacking = [label for name, label in NEEDED.items() if not features.check(name)]
    if lacking:
        raise RuntimeError(
            f"pillow-simd was built without {', '.join(lacking)}; install the headers of libjpeg, zlib, "
            "libwebp and liblcms2, then build it again."
        )
