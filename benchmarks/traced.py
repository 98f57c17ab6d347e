"""The committed reference pictures, read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import FINE, FULL, HEIGHT, REFERENCES, WIDTH, Case
from benchmarks.falloff import near
from benchmarks.glare import reduced
from benchmarks.lines import even
from benchmarks.regions import Regions, bezel, code, share
from service.arrays import F32, U8
from service.render.material import SURFACES
from service.render.tone import highlights
from service.settings.schema import Glare
from service.srgb import encode


class Traced(NamedTuple):
    """One reference on the whole canvas: straight code values 0-255 (h, w, 3), and coverages (h, w) 0-1.

    `regions` are at FINE times the size, see `benchmarks.regions`.
    """

    code: F32
    alpha: F32
    metal: F32
    screen: F32
    regions: Regions


def there(case: Case, folder: Path = REFERENCES) -> bool:
    """Whether a folder has the case's reference."""
    return all((folder / f"{case.name}{part}.png").exists() for part in ("", "-parts", "-regions"))


def read(case: Case, glare: Glare = "natural", folder: Path = REFERENCES) -> Traced:
    """The reference of a case in a folder, its light brought under the renderer's shoulder."""
    picture = cv2.imread(str(folder / f"{case.name}.png"), cv2.IMREAD_UNCHANGED)
    parts = cv2.imread(str(folder / f"{case.name}-parts.png"))
    regions = cv2.imread(str(folder / f"{case.name}-regions.png"))
    if picture is None or parts is None or regions is None:
        raise FileNotFoundError(f"no reference {case.name}: make references draws it")
    place = json.loads((folder / "index.json").read_text())[case.name]
    x, y = place["x"], place["y"]
    stored = picture.astype(np.float32) / 65535

    def whole(part: NDArray[Any], fine: int = 1) -> NDArray[Any]:
        canvas = np.zeros((fine * HEIGHT, fine * WIDTH, *part.shape[2:]), part.dtype)
        at = slice(fine * y, fine * y + part.shape[0]), slice(fine * x, fine * x + part.shape[1])
        canvas[at] = part
        return canvas

    alpha, light = whole(stored[..., 3]), whole(stored[..., 2::-1] ** 2 * np.float32(FULL))
    slab, slot, layer = (regions[..., channel].astype(np.int32) for channel in (2, 1, 0))
    seen = whole(code(slab, slot, layer), FINE)
    if glare == "reduced":
        light = reduced(light, case, share(bezel(seen, case.model)))
    lit = any(SURFACES[slab.surface].lit for slab in case.model.slabs)
    if lit:
        light = near(even(light, alpha, seen), case)
    straight = light / np.maximum(alpha, np.float32(1e-3))[..., None]
    if lit:
        # Colours that are painted stay exact.
        straight = highlights(straight)
    tags = parts.astype(np.float32) / 255
    colors = (255 * encode(np.clip(straight.astype(np.float64), 0, 1))).astype(np.float32)
    return Traced(colors, alpha, whole(tags[..., 2]), whole(tags[..., 1]), seen)


def over(code: F32, alpha: F32, background: tuple[int, ...]) -> U8:
    """Straight code values over a colour, rounded."""
    return np.rint(mixed(code, alpha, background)).astype(np.uint8)


def mixed(code: F32, alpha: F32, background: tuple[int, ...]) -> F32:
    """Straight code values over a colour, mixed in code values as the renderer does."""
    under = np.array(background[:3], np.float32)
    return np.asarray(under + (code - under) * alpha[..., None], np.float32)
