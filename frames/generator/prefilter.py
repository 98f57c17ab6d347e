"""Environments prefiltered into octahedral maps and stored as 16-bit PNGs under frames/environments/<name>/.

Run as `python -m frames.generator.prefilter [NAME...]`.
"""

import json
import math
import sys

import cv2
import numpy as np

from frames.generator.environments import ENVIRONMENTS, GLARES, LAMPS, Draw
from frames.generator.lights import toward
from service.arrays import F32, F64, U8
from service.render.light.environment import (
    FOLDER,
    ROUGHNESSES,
    SAME,
    directions,
    lookup,
    stem,
    unpack,
    wrapped,
)

SIZES = {0.12: 192, 0.24: 96, 0.30: 128, 0.45: 64}
SHARP, DIFFUSE = 512, 32
DETAIL = 2048
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)
LOSSLESS = 101  # WebP's quality for OpenCV
# differences of detail up to which they are omitted, and the steps of larger ones, which keep files small
QUIET, EDGE = 2, 2
# Steps of a stored value; coarse for the sharp map, of which glass mirrors only a few per cent.
FINE, COARSE = 4095, 1023


def sharp(draw: Draw, n: int, samples: int = 4) -> F32:
    """The drawing as an octahedral map (n, n, 3), with `samples` directions along each axis of a texel."""
    fine = directions(n * samples)
    parts = [draw(part.astype(np.float64)) for part in np.array_split(fine, 16)]
    small = [cv2.resize(part, (n, n // 16), interpolation=cv2.INTER_AREA) for part in parts]
    return np.concatenate(small).astype(np.float32)


def detail(draw: Draw, coarse: F32) -> U8:
    """The drawing's detail that a padded map (..., 3) lacks: `Environment.detail`, not padded."""
    light = [sharp(draw, DETAIL, 2), lookup(coarse, directions(DETAIL))]
    fine, found = (np.maximum(part @ LUMINANCE, np.float32(1e-4)) for part in light)
    return rounded(np.minimum(np.sqrt(fine / found) * SAME, 255))


def rounded(factors: F32) -> U8:
    """Factors (n, n) quantised to steps; small differences from 1 are omitted. Lookups interpolate between
    steps."""
    more = np.rint(factors) - SAME
    more = np.where(abs(more) <= QUIET, 0, np.rint(more / EDGE) * EDGE)
    return np.asarray(np.clip(more + SAME, 0, 255), np.uint8)


def pattern(count: int) -> tuple[F64, F64]:
    """Evenly spread points of the unit square, by Hammersley."""
    index = np.arange(count)
    reverse = np.zeros(count)
    for bit in range(count.bit_length()):
        reverse += ((index >> bit) & 1) * 0.5 ** (bit + 1)
    return (index + 0.5) / count, reverse


def gather(source: F32, n: int, tilt: F64, turn: F64, weight: F32) -> F32:
    """For each texel's direction, the weighted mean (n, n, 3) of a padded map in directions around it.

    The cosines `tilt` and the angles `turn` give these directions relative to the texel's.
    """
    out = directions(n).reshape(-1, 3)
    side = np.sqrt(np.maximum(1 - tilt * tilt, 0))
    local = np.stack([side * np.cos(turn), side * np.sin(turn), tilt], axis=-1).astype(np.float32)
    up = np.where(np.abs(out[:, 2:]) < 0.9, np.array([0, 0, 1], np.float32), np.array([1, 0, 0], np.float32))
    x = np.cross(up, out)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y = np.cross(out, x)
    frames = np.stack([x, y, out], axis=1)
    weight = weight / weight.sum()
    found = np.empty_like(out)
    for start in range(0, len(out), 64):
        vectors = np.einsum("sk,tkc->tsc", local, frames[start : start + 64], optimize=True)
        found[start : start + 64] = np.einsum("s,tsc->tc", weight, lookup(source, vectors))
    return found.reshape(n, n, 3)


def glossy(source: F32, n: int, roughness: float) -> F32:
    """The map seen by a GGX lobe with normal = view = mirror direction.

    Half vectors are drawn from the distribution, so the remaining weight is Smith's shadowing of the light,
    which is exact for a surface that faces the camera.
    """
    alpha2 = roughness**4
    turn, height = pattern(1024 if roughness < 0.2 else 4096)
    nh = np.sqrt((1 - height) / (1 + (alpha2 - 1) * height))
    nl = 2 * nh * nh - 1
    lit = np.maximum(nl, 0)
    weight = 2 * lit / (lit + np.sqrt(alpha2 + (1 - alpha2) * lit * lit))
    return gather(source, n, nl, turn * 2 * np.pi, weight.astype(np.float32))


def lambert(source: F32, n: int) -> F32:
    """Irradiance / pi of the map by normal."""
    turn, height = pattern(4096)
    return gather(source, n, np.sqrt(1 - height), turn * 2 * np.pi, np.ones(4096, np.float32))


def falloff(name: str) -> list[float]:
    """`Environment.falloff` of an environment."""
    azimuth, elevation, slope = LAMPS[name]
    return [round(float(part), 4) for part in slope * toward(azimuth, elevation)]


def store(name: str) -> None:
    """Draw and write one environment: its maps, their scales, and its limit of glare."""
    maps = {"sharp": sharp(ENVIRONMENTS[name], SHARP)}
    source = wrapped(maps["sharp"])
    maps |= {stem(roughness): glossy(source, SIZES[roughness], roughness) for roughness in ROUGHNESSES}
    maps["diffuse"] = lambert(wrapped(maps[stem(0.12)]), DIFFUSE)
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    scales = {}
    for key, radiance in maps.items():
        scales[key] = math.ceil(float(radiance.max()) * 100) / 100
        # Values have fewer steps than sixteen bits allow. That is still finer than any picture shows, and
        # halves the file.
        most = COARSE if key == "sharp" else FINE
        steps = np.rint(np.sqrt(np.clip(radiance / scales[key], 0, 1)) * most)
        # The steps are stored as numbers, because their low bytes repeat. The scale is the radiance of 65535
        # steps.
        scales[key] *= (65535 / most) ** 2
        image = np.ascontiguousarray(steps.astype(np.uint16)[..., ::-1])
        cv2.imwrite(str(folder / f"{key}.png"), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        if key == "sharp":
            coarse = wrapped(unpack(image[..., ::-1], scales[key]))
            found = detail(ENVIRONMENTS[name], coarse)
            cv2.imwrite(str(folder / "detail.webp"), found, [cv2.IMWRITE_WEBP_QUALITY, LOSSLESS])
    facts = {"scale": scales, "glare": GLARES[name], "falloff": falloff(name)}
    (folder / "environment.json").write_text(json.dumps(facts, indent=2) + "\n")


def main() -> None:
    for name in sys.argv[1:] or ENVIRONMENTS:
        store(name)


if __name__ == "__main__":
    main()
