"""Spill: the light that a coloured backdrop reflects onto a device.

Environments are rooms with neutral backdrops. Behind and below the device, a coloured backdrop takes the
place of the neutral one, so that sides, lower edges and polished metal mirror its colour. Its share of the
light changes slowly with direction, so it can be applied to maps that are already filtered.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from ...arrays import F32
from .environment import PAD, TURNED, Environment, directions, posed, turned, wrapped

# The unit direction from the device to the middle of the backdrop, a sweep that rises behind the device; by
# eye.
TOWARD = np.array([0.0, -0.5, -0.866], np.float32)
# The radiance that a backdrop adds to the room's, in units of the backdrop's colour. If it were 1, edges
# would melt into the background, because they mirror a part of it that lies in the device's shadow; by eye.
SENT = np.float32(0.2)
# luminance weights of linear sRGB, IEC 61966-2-1; by construction
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)


class Spill(NamedTuple):
    """A backdrop's `strength`, 0 or more, and its linear colour.

    The colour is linear in a direction's x and y: `colors` has the colour of the backdrop's middle, and its
    changes per unit to the right and upwards.
    """

    strength: float
    colors: tuple[tuple[float, float, float], ...]


@lru_cache(maxsize=TURNED)
def surroundings(name: str, degrees: float, spill: Spill | None) -> Environment:
    """A turned environment with the spill of a backdrop, if it has one; the last few are cached."""
    room = turned(name, degrees)
    return room if spill is None else spilled(room, spill)


@lru_cache(maxsize=TURNED)
def facing(name: str, degrees: float, spill: Spill | None, rows: tuple[float, ...]) -> Environment:
    """As `surroundings`, then rotated by a matrix given as nine numbers (see `posed`); the last few are
    cached."""
    return posed(surroundings(name, degrees, spill), np.array(rows, np.float32).reshape(3, 3))


def spilled(room: Environment, spill: Spill) -> Environment:
    """The environment with a backdrop in place of its own: its light takes the backdrop's hue, and the
    backdrop adds its own radiance."""
    colors = np.array(spill.colors, np.float32) * np.float32(spill.strength)
    middle = np.array(spill.colors[0], np.float32)
    # By luminance alone, the light of a blue backdrop would become too bright; by the strongest channel, too
    # dark.
    bright = np.float32((middle @ LUMINANCE + middle.max()) / 2)
    hue = colors / max(bright, np.float32(1e-3))
    hue[0] -= np.float32(spill.strength)

    def lit(square: F32) -> F32:
        share = _shares(len(square) - 2 * PAD)
        light = share @ hue
        light += 1
        light *= square
        light += share @ (SENT * colors)
        np.maximum(light, 0, out=light)
        light.flags.writeable = False
        return light

    rough = {roughness: lit(square) for roughness, square in room.rough.items()}
    return replace(room, sharp=lit(room.sharp), rough=rough, diffuse=lit(room.diffuse))


@cache
def _shares(side: int) -> F32:
    """The backdrop's share of light, 0-1, for the directions of a padded map, and the share times their x and
    y: (side + 4, side + 4, 3)."""
    ways = directions(side)
    share = np.square((1 + ways @ TOWARD) / 2)
    return wrapped(np.stack([share, share * ways[..., 0], share * ways[..., 1]], axis=-1))
