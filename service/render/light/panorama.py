"""A picture of an environment, for people to choose from."""

from __future__ import annotations

import numpy as np

from ...arrays import U8
from ...srgb import encode
from .environment import Environment, lookup

KEY = 0.35  # brightness to which the average is exposed, linear; by eye


def panorama(environment: Environment, width: int, height: int) -> U8:
    """The surroundings of the device, (height, width, 3) uint8 sRGB, as seen in a mirror that faces the
    viewer.

    It is an equirectangular map: longitude grows to the right, latitude upwards, and the middle is behind the
    viewer. The average is exposed to KEY and highlights roll off (Reinhard et al., "Photographic Tone
    Reproduction", 2002).
    """
    across = (np.arange(width) + 0.5) / width * 2 * np.pi - np.pi
    up = np.pi / 2 - (np.arange(height) + 0.5) / height * np.pi
    level = np.cos(up)[:, None]
    x, z = level * np.sin(across), level * np.cos(across)
    y = np.broadcast_to(np.sin(up)[:, None], x.shape)
    light = lookup(environment.sharp, np.stack([x, y, z], axis=-1).astype(np.float32))
    bright = light.max(axis=2, keepdims=True)
    exposed = bright * np.float32(KEY / float((bright * level[..., None]).mean()))
    rolled = light * (exposed / (1 + exposed) / np.maximum(bright, 1e-6))
    return np.asarray(np.round(255 * encode(rolled.astype(np.float64))), np.uint8)
