"""Whether the imaging libraries can do what the service needs of them."""

from __future__ import annotations

from contextlib import suppress
from importlib import metadata

import PIL
from PIL import Image, features

# Features that Pillow must have been built with, by Pillow's names, and the format that needs each.
NEEDED = {"jpg": "JPEG", "zlib": "PNG", "webp": "WebP", "littlecms2": "ICC profiles"}


def library() -> tuple[str, str]:
    """The imaging library's name and version: pillow-simd, or Pillow where a package was installed.

    Raises RuntimeError, in one sentence, when neither is installed.
    """
    for name in ("pillow-simd", "pillow"):
        with suppress(metadata.PackageNotFoundError):
            return name, metadata.version(name)
    raise RuntimeError("Neither pillow-simd nor Pillow is installed; run `make install`.")


def verify() -> None:
    """Raise RuntimeError, in one sentence, when the imaging library is missing, replaced or incomplete."""
    name, version = library()
    if PIL.__version__ != version:
        raise RuntimeError(
            f"Pillow {PIL.__version__} has replaced {name} {version}; "
            f"uninstall Pillow and install {name} again."
        )
    try:
        from .formats.png import unfilter  # noqa: F401
    except ImportError:
        raise RuntimeError("The module that undoes PNG's filters is missing; run `make install`.") from None
    with suppress(ImportError):
        import pillow_avif  # noqa: F401
    if "AVIF" not in Image.SAVE:
        raise RuntimeError("pillow-avif-plugin is missing or cannot be loaded; run `make install`.")
    lacking = [label for name, label in NEEDED.items() if not features.check(name)]
    if lacking:
        raise RuntimeError(
            f"{name} was built without {', '.join(lacking)}; install the headers of libjpeg, zlib, "
            "libwebp and liblcms2, then build it again."
        )
