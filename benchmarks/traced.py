"""The committed reference pictures, read back."""

from __future__ import annotations

import json
from typing import NamedTuple

import cv2
import numpy as np

from benchmarks.cases import FULL, HEIGHT, REFERENCES, WIDTH, Case
from service.arrays import F32, U8
from service.render.tone import encode, shoulder


class Traced(NamedTuple):
    """One reference on the whole canvas: straight code values 0-255 (h, w, 3), and coverages (h, w) 0-1."""

    code: F32
    alpha: F32
    metal: F32
    screen: F32


def read(case: Case) -> Traced:
    """The reference of a case, its light brought under the renderer's shoulder."""
    picture = cv2.imread(str(REFERENCES / f"{case.name}.png"), cv2.IMREAD_UNCHANGED)
    parts = cv2.imread(str(REFERENCES / f"{case.name}-parts.png"))
    if picture is None or parts is None:
        raise FileNotFoundError(f"no reference {case.name}: make references draws it")
    place = json.loads((REFERENCES / "index.json").read_text())[case.name]
    x, y = place["x"], place["y"]
    share = picture.astype(np.float32) / 65535
    alpha = share[..., 3]
    light = share[..., 2::-1] ** 2 * np.float32(FULL)
    straight = shoulder(light / np.maximum(alpha, np.float32(1e-3))[..., None])

    def whole(part: F32) -> F32:
        canvas = np.zeros((HEIGHT, WIDTH, *part.shape[2:]), np.float32)
        canvas[y : y + part.shape[0], x : x + part.shape[1]] = part
        return canvas

    tags = parts.astype(np.float32) / 255
    return Traced(whole(encode(straight)), whole(alpha), whole(tags[..., 2]), whole(tags[..., 1]))


def over(code: F32, alpha: F32, background: tuple[int, ...]) -> U8:
    """Straight code values over a colour, mixed in code values as the renderer does."""
    under = np.array(background[:3], np.float32)
    return np.rint(under + (code - under) * alpha[..., None]).astype(np.uint8)
