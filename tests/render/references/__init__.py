"""The reference pictures: lossless WebP files next to this one, and the folder for failed comparisons."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from service.arrays import F64, U8

HERE = Path(__file__).resolve().parent
FAILURES = HERE.parents[2] / "build" / "references"

# Tolerances in levels of 255: of the mean difference, and of its 99.99th percentile. On one machine, pictures
# are equal byte for byte. On other CPUs, OpenCV and NumPy run other code, which rounds differently. With
# AVX-512, AVX2 and SSE4 disabled (OPENCV_CPU_DISABLE, NPY_DISABLE_CPU_FEATURES), ten values in a million
# change by one level, and the mean by .00001. The rest is a margin for compilers and processors that were not
# tested.
MEAN, HIGH = 0.0015, 1.0


def read(name: str) -> U8:
    """A reference picture, (h, w, 3 or 4)."""
    pixels = cv2.imread(str(HERE / f"{name}.webp"), cv2.IMREAD_UNCHANGED)
    assert pixels is not None, f"no picture of {name}: run python -m tests.render.renew {name}"
    return swapped(np.asarray(pixels, np.uint8))


def write(name: str, pixels: U8) -> None:
    """Store a reference picture."""
    # In OpenCV, a quality above 100 means lossless.
    assert cv2.imwrite(str(HERE / f"{name}.webp"), swapped(pixels), [cv2.IMWRITE_WEBP_QUALITY, 101])


def compare(name: str, got: U8, most: int | None = None) -> None:
    """Fail if a picture differs from its reference; then also write both and their difference to build/.

    `most` is the largest difference of a single value, in levels. It serves details too small to affect the
    mean.
    """
    want = read(name)
    found = f"{got.shape} instead of {want.shape}"
    if got.shape == want.shape:
        # Transparent pixels have no visible colour, so their colours are not compared.
        difference = np.abs(weighed(got) - weighed(want))
        mean, high = float(difference.mean()), float(np.percentile(difference, 99.99))
        if (mean <= MEAN and high <= HIGH) if most is None else difference.max() <= most:
            return
        found = f"{mean:.4f} levels in the mean (at most {MEAN}), 99.99 % within {high:.1f} (at most {HIGH})"
        if most is not None:
            found = f"up to {difference.max():.0f} levels (at most {most})"
        lay(f"{name}-difference", np.clip(difference[..., :3] * 32, 0, 255).astype(np.uint8))
    lay(f"{name}-got", got)
    lay(f"{name}-want", want)
    raise AssertionError(f"{name} is off by {found}; see {FAILURES}/{name}-*.png")


def weighed(pixels: U8) -> F64:
    """The code values with each colour multiplied by alpha."""
    whole = pixels.astype(np.float64)
    if pixels.shape[2] == 4:
        whole[..., :3] *= whole[..., 3:] / 255
    return whole


def lay(name: str, pixels: U8) -> None:
    FAILURES.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(FAILURES / f"{name}.png"), swapped(pixels))


def swapped(pixels: U8) -> U8:
    """The picture with its channels swapped between RGB and the order that OpenCV uses for files."""
    code = cv2.COLOR_RGBA2BGRA if pixels.shape[2] == 4 else cv2.COLOR_RGB2BGR
    return np.asarray(cv2.cvtColor(pixels, code), np.uint8)
