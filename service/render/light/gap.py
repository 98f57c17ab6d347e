"""Occluders of the walls of a laptop's hinge and lid. The hinge's occluders are the lid and the deck; the
lid's are the hinge and the deck. Lid and hinge darken the deck.

At a point of the deck, a rounded edge hides the sky up to the ray that just touches it. Without this, the
lines at the hinge of a Surface Laptop would have dashes of 8 px instead of 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Side, Slab
from ..geometry.face import Plane, plane, wall
from ..geometry.mesh import pose
from .frame import Frame
from .hinged import decked, metal_rim, on_deck, underside
from .occluder import Occluder, patch, rectangle

# An occluder hides a metal's lobe gradually, over this range of elevations in radians; fitted to the
# references.
LOBE = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class RoundedEdge:
    """A rounded edge over a deck: a quarter circle of `radius` mm around an axis that runs across the deck.

    The axis is `start` mm up from the deck's middle and `rise` mm over it, and ends `half` mm to either side.
    """

    start: float
    rise: float
    radius: float
    half: float = math.inf

    def touched(self, across: F32, up: F32) -> F64:
        """The elevation (n,), radians above the deck, of the ray that just touches the edge, from each of
        some places in front of it."""
        apart = np.hypot(np.maximum(self.start - up, 0), np.maximum(np.abs(across) - self.half, 0))
        away = np.hypot(apart, self.rise)
        turn = np.arctan2(self.rise, apart) + np.arcsin(np.minimum(self.radius / away, 1))
        return np.asarray(np.where(away > self.radius, np.minimum(turn, np.pi), np.pi), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class DeckLight:
    """The light of a deck between a lid and hinges, as a share of its light without them.

    `axes` (2, 3) are the deck's unit y and normal in view space. In front of the lid, its front and the
    hinges hide the sky with their rounded `edges`. Behind the lid, its back hides the sky with the edge
    `rear`, and leans `lean` radians from the deck. The share `matt` of the deck's light comes from the whole
    sky, the rest from its lobe. The lid's back returns the share `bounced` of the light that it hides. Layers
    drawn on the deck, which is `deep` mm from front to back, leave the shares `drawn` (h,), listed from its
    top.
    """

    axes: F32
    lean: float
    edges: tuple[RoundedEdge, ...]
    rear: RoundedEdge
    matt: float
    bounced: float
    drawn: F32
    deep: float

    def left(self, across: F32, up: F32, leaving: F32) -> F32:
        """The shares (n,) of their light that places of the deck still send to points.

        The places are given by `across` and `up` (n,), mm from the deck's middle, and the points by the rays
        `leaving` (n, 3) them towards the places.
        """
        turn = np.arctan2(-(leaving @ self.axes[1]), -(leaving @ self.axes[0]))
        before = self._open(self._hidden(across, up), turn)
        # Behind the lid, elevations are measured from the other end of the deck.
        apart, behind = up - np.float32(self.rear.start), np.float32(np.pi) - turn
        away = np.hypot(apart, self.rear.rise)
        low = np.arctan2(self.rear.rise, apart) - np.arcsin(np.minimum(self.rear.radius / away, 1))
        above = self._open(np.maximum(low, np.pi - self.lean), behind)
        behind = above + self.bounced * np.maximum(self._open(low, behind) - above, 0)
        middle = (self.rear.start + self.edges[0].start) / 2
        row = np.clip((0.5 - up / self.deep) * len(self.drawn), 0, len(self.drawn) - 1).astype(np.intp)
        return np.asarray(np.where(up > middle, behind, before) * self.drawn[row], np.float32)

    def _hidden(self, across: F32, up: F32) -> F64:
        """The elevation (n,), radians, below which the sky is hidden from places in front of the lid."""
        turn = np.full(up.shape, self.lean)
        for edge in self.edges:
            turn = np.maximum(turn, edge.touched(across, up))
        return turn

    def _open(self, hidden: F64, turn: F32) -> F64:
        """The share (n,) of light that places send in the direction `turn` if the sky is hidden below the
        elevation `hidden`."""
        lobe = np.clip((np.pi - turn - hidden) / LOBE + 0.5, 0, 1)
        return np.asarray(self.matt * (1 + np.cos(hidden)) / 2 + (1 - self.matt) * lobe, np.float64)


def hinge_occluders(frame: Frame, slab: Slab, drawn: Callable[[Slab], F32]) -> tuple[Occluder, ...]:
    """Occluders of the walls of a hinge or a lid, nearest first; none for other slabs.

    `drawn` returns the shares (h,) of a deck's light that the layers drawn on it leave, listed from its top.
    """
    if slab.role not in ("lid", "hinge"):
        return ()
    for lid, deck in decked(frame.device):
        some = on_deck(frame.device)
        if slab is not lid and slab not in some:
            continue
        ground = rectangle(frame, deck, True)
        remaining = deck_light(lid, deck, some, ground, float(frame.colors.wall(lid).mean()), drawn(deck))
        ground = replace(ground, left=remaining.left)
        if slab is lid:
            return (*(face for one in some for face in _faces(frame, one)), ground)
        over = next(underside(frame, lid, ground.face)), metal_rim(frame, lid, ground.face)
        return (*over, rectangle(frame, lid, True), ground)
    return ()


def deck_light(
    lid: Slab, deck: Slab, some: list[Slab], ground: Occluder, sends: float, drawn: F32
) -> DeckLight:
    """The light of a deck that is darkened by a lid and `some` hinges; `ground` is the deck's front.

    The lid's back reflects the share `sends` of light.
    """
    at, axes = plane(deck, True), pose(lid)[0]
    edges = [_lower(lid, at, front=True)]
    for hinge in some:
        middle = float((pose(hinge)[1] - at.origin) @ at.y)
        start, half = middle - hinge.size[1] / 2 + hinge.edge, hinge.size[0] / 2 - hinge.edge
        edges.append(RoundedEdge(start, hinge.edge, hinge.edge, half))
    # Light bounces between lid and deck; half of each bounce returns to the lid, so the sum is a geometric
    # series.
    bounced = sends / (1 - sends / 2)
    return DeckLight(
        ground.axes[1:], math.acos(float(axes[:, 1] @ at.y)), tuple(edges), _lower(lid, at, front=False),
        ground.face.material.diffuse, bounced, drawn, deck.size[1],
    )  # fmt: skip


def _lower(lid: Slab, at: Plane, *, front: bool) -> RoundedEdge:
    """The rounded lower edge of a lid's front or back, in the coordinates of a face below it."""
    own = plane(lid, front)
    apart = own.origin - (lid.size[1] / 2 - lid.edge) * own.y - lid.edge * own.normal - at.origin
    return RoundedEdge(float(apart @ at.y), float(apart @ at.normal), lid.edge)


def _faces(frame: Frame, hinge: Slab) -> Iterator[Occluder]:
    """The top of a hinge, its front and its ends."""
    yield rectangle(frame, hinge, True)
    width, depth, height = (side / 2 for side in hinge.size)
    sides: tuple[tuple[Side, float], ...] = (("bottom", width), ("left", depth), ("right", depth))
    for side, half in sides:
        yield patch(wall(hinge, side), (half, height), frame.wall(hinge), frame.camera, frame.light)
