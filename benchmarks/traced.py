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
from benchmarks.regions import Regions, bezel, code, crossed, share
from service.arrays import F32, U8
from service.render.material import SURFACES
from service.render.paint.softening import SHOWS, soften
from service.render.tone import highlights
from service.settings.schema import Glare
from service.srgb import encode


class Traced(NamedTuple):
    """A reference on the whole canvas: straight code values 0-255 (h, w, 3), and coverages (h, w) 0-1.

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
    """The reference of a case in a folder, with the renderer's shoulder applied."""
    stored, parts, regions = (placed(folder, case.name, part) for part in ("", "-parts", "-regions"))
    alpha, light = lit(stored)
    slab, slot, layer = (regions[..., channel].astype(np.int32) for channel in (2, 1, 0))
    seen = code(slab, slot, layer)
    if glare == "reduced":
        light = reduced(light, case, share(bezel(seen, case.model)))
    tags = np.asarray(parts / np.float32(255), np.float32)
    any_lit = any(SURFACES[slab.surface].lit for slab in case.model.slabs)
    if any_lit:
        light = even(light, alpha, seen)
        soften(light, np.where(tags[..., 1] > SHOWS, np.float32(0), alpha), crossed(seen))
        light = near(light, case)
    # Painted colours stay exact.
    return Traced(coded(light, alpha, shoulder=any_lit), alpha, tags[..., 2], tags[..., 1], seen)


def coded(light: F32, alpha: F32, *, shoulder: bool = True) -> F32:
    """Straight code values 0-255 (h, w, 3) of premultiplied light, with the renderer's shoulder applied."""
    straight = np.asarray(light / np.maximum(alpha, np.float32(1e-3))[..., None], np.float32)
    if shoulder:
        straight = highlights(straight)
    return np.asarray(255 * encode(np.clip(straight.astype(np.float64), 0, 1)), np.float32)


def lit(stored: NDArray[Any]) -> tuple[F32, F32]:
    """The coverage (h, w) and premultiplied linear light (h, w, 3) of a stored picture."""
    share = np.asarray(stored / np.float32(65535), np.float32)
    return share[..., 3], np.asarray(share[..., 2::-1] ** 2 * np.float32(FULL), np.float32)


def placed(folder: Path, name: str, part: str, empty: int = 0) -> NDArray[Any]:
    """A file of a reference, padded with `empty` to the whole canvas; regions at FINE times the size."""
    cropped = cv2.imread(str(folder / f"{name}{part}.png"), cv2.IMREAD_UNCHANGED)
    if cropped is None:
        raise FileNotFoundError(f"no reference {name}: make references draws it")
    place, fine = json.loads((folder / "index.json").read_text())[name], FINE if part == "-regions" else 1
    x, y = fine * place["x"], fine * place["y"]
    canvas = np.full((fine * HEIGHT, fine * WIDTH, *cropped.shape[2:]), empty, cropped.dtype)
    canvas[y : y + cropped.shape[0], x : x + cropped.shape[1]] = cropped
    return canvas


def over(code: F32, alpha: F32, background: tuple[int, ...]) -> U8:
    """Straight code values over a colour, rounded."""
    return np.rint(mixed(code, alpha, background)).astype(np.uint8)


def mixed(code: F32, alpha: F32, background: tuple[int, ...]) -> F32:
    """Straight code values over a colour, mixed in code values as the renderer does."""
    under = np.array(background[:3], np.float32)
    return np.asarray(under + (code - under) * alpha[..., None], np.float32)
