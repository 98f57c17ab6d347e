"""The contact shadow of a watch's case on the matt surface of the straps that come out of it.

Seen from a strap, the wall of the case lies in a wedge of directions, whose sides touch the wall's rounded
edges. An endless wall would fill the whole wedge. The wall of a case fills less of it the farther away it is,
and least towards the sides, where it ends a few mm beside the strap.
"""

from __future__ import annotations

import math

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry.bend import bent
from ..geometry.mesh import Mesh, pose
from ..memoize import MIB, memoize
from .frame import Frame

STEPS = 12  # segments of a rounded edge that is touched; by cost
LEVEL = 0.45  # roughness of the environment map that shows the light of a wedge; fitted to the references
BOUNCED = 1.2  # factor from the colour of the wall's metal to the wall's albedo; fitted to the references
FAINT = 1e-3  # share of light below which a shadow is ignored; by cost
MOST = np.float32(0.95)  # the largest share of light that is lost; a guard


def applies(slab: Slab) -> bool:
    """Whether a slab is a strap that comes out of a case."""
    return slab.role == "strap" and slab.base is not None


def left(frame: Frame, strap: Slab, shape: Mesh) -> F32:
    """The shares (n, 3) of matt light that the case leaves at the vertices of a strap's mesh."""
    # All parts into which a strap's mesh is cut have the same vertices.
    made: F32 = frame.memo.get((left, strap, len(shape.points)), _left, frame, strap, shape)
    return made


def _left(frame: Frame, strap: Slab, shape: Mesh) -> F32:
    case = next(slab for slab in frame.device.slabs if slab.role == "case")
    hidden, middles = wedge(case, strap, shape)
    near = np.flatnonzero(hidden > FAINT)
    normals, ways = (frame.camera.view(of[near]).astype(np.float32) for of in (shape.normals, middles))
    white = np.maximum(frame.light.diffuse(normals), np.float32(1e-3))
    part, ratio = hidden[near, None], frame.light.reflected(ways, LEVEL) / white
    # The light through the middle of a wide wedge may exceed the mean of the wedge, and of the whole sky.
    ratio /= part * ratio + 1 - part
    lost = ratio - np.float32(BOUNCED) * frame.wall(case)[1]
    shares = np.ones((len(hidden), 3), np.float32)
    shares[near] -= np.minimum(part * lost, MOST)
    shares.flags.writeable = False
    return shares


@memoize(MIB, key=lambda case, strap, shape: (case, strap, len(shape.points)))
def wedge(case: Slab, strap: Slab, shape: Mesh) -> tuple[F32, F64]:
    """The cosine-weighted share (n,) of the sky that a case's wall hides from each vertex of a strap's mesh.

    Also returns the unit directions (n, 3), device space, through the middle of the hidden part.
    """
    assert strap.bend is not None
    # A strap's mouth follows the outline of the case, so only the distance along the strap matters.
    flat, even = shape.flat * [0.0, 1.0, 1.0], strap.bend.model_copy(update={"mouth": ()})
    (axes, center), (about, middle) = pose(strap), pose(case)
    places = (bent(even, strap.size[1], flat, flat, flat)[0] @ axes.T + center - middle) @ about
    up = math.copysign(1.0, (center - middle) @ about[:, 1])
    low, high = _touched(case, up * places[:, 1], places[:, 2])
    normals = shape.normals @ about
    across = 1 - np.hypot(normals[:, 1], normals[:, 2])
    # Angles are measured from the direction that leads straight into the wall; a surface sees a quarter turn
    # to either side of its normal.
    normal = np.arctan2(normals[:, 2], -up * normals[:, 1])
    first, last = (np.clip(side - normal, -np.pi / 2, np.pi / 2) for side in (low, high))
    # With a normal along the wall, a surface sees half of the wedge; with any other, the part above its
    # horizon.
    facing, aside = (np.sin(last) - np.sin(first)) / 2, (high - low) / (2 * np.pi)
    away = np.maximum(flat[:, 1] - (strap.base or 0.0), 0)
    for share, reach in ((facing, case.size[0] / 2), (aside, (case.size[0] - strap.size[0]) / 2)):
        share *= reach / np.hypot(reach, away)
    hidden = (1 - across) * facing + across * aside
    turn = (first + last) / 2 + normal
    middles = np.column_stack([0 * turn, -up * np.cos(turn), np.sin(turn)]) @ about.T
    middles.flags.writeable = False
    shares = np.asarray(hidden, np.float32)
    shares.flags.writeable = False
    return shares, middles


def _touched(case: Slab, out: F64, rise: F64) -> tuple[F64, F64]:
    """The lowest and the highest angle (n,), radians, at which places see a case's upper wall.

    The places are `out` (n,) mm beyond the middle of the case and `rise` (n,) mm in front of it. Places
    inside the wall are treated as if they were on it.
    """
    turn, (_, height, deep) = np.linspace(0, np.pi / 2, STEPS + 1), case.size
    inset = case.edge * (1 - np.array([np.cos(turn), np.sin(turn)]))
    away = np.maximum(out[:, None] - (height / 2 - inset[0]), 0)
    lower, upper = (sign * (deep / 2 - inset[1]) - rise[:, None] for sign in (-1, 1))
    return (
        np.asarray(np.arctan2(lower, away).min(axis=1), np.float64),
        np.asarray(np.arctan2(upper, away).max(axis=1), np.float64),
    )
