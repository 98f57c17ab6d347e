"""Whether the imaging libraries can do what the service needs of them."""

from __future__ import annotations

from contextlib import suppress
from importlib import metadata

import PIL
from PIL import Image, features

# Features that Pillow must have been built with, by its names, and what each is for.
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
    try:
        from .formats.png import unfilter  # noqa: F401
    except ImportError:
        raise RuntimeError("What undoes PNG's filters is not compiled; run `make install`.") from None
    with suppress(ImportError):
        import pillow_avif  # noqa: F401
    if "AVIF" not in Image.SAVE:
        raise RuntimeError("pillow-avif-plugin is missing or cannot be loaded; run `make install`.")
    lacking = [label for name, label in NEEDED.items() if not features.check(name)]
    if lacking:
        raise RuntimeError(
            f"pillow-simd was built without {', '.join(lacking)}; install the headers of libjpeg, zlib, "
            "libwebp and liblcms2, then build it again."
        )
