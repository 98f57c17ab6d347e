"""Contact shadows: the light that raised parts hide from the face below, minus the light that they reflect
onto it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from ...arrays import F32, F64, U8
from ...devices.device import Corner, Slab
from ..geometry.camera import Camera
from ..geometry.coverage import weighted
from ..geometry.face import Plane
from ..geometry.mesh import pose
from ..geometry.outline import beyond
from ..geometry.raster import Box, landed
from ..light.brdf import Parts, axis_roughness, masking_weight, parts, smith_root_stretched
from ..light.environment import ROUGHNESSES
from ..light.frame import Frame
from ..light.hemisphere import RISES, TURNS, rays, sky
from ..light.lobes import runs
from ..light.shading import Ground, Light, shade, specular_share
from ..material import Material
from ..memoize import MIB, memoize
from ..scattered import bilinear
from .plane import lay

STEPS = 24  # distances from a part at which its shadow is tabulated; by cost
FARTHEST = 5.0  # distance, in part heights, beyond which a shadow is too faint to see; by eye
FADE = 0.15  # share of the steps, at the outside, over which the shadow fades to nothing; by eye
# A shadow's picture has COARSE px per height of the part if that height is less than SMALL px of the canvas,
# otherwise FINE, and at most LARGEST px along a side; by cost
COARSE, FINE, SMALL, LARGEST = 4.5, 9.0, 3.0, 512
LOWEST = 0.05  # mm; a part that rises less casts no shadow; by eye
BLASTED = 0.2  # matt share of a metal above which its matt light has a shadow; by construction
TILTS = 2  # tilts at which the light of a rounded edge is sampled; by cost
# Angle between the outline's normal and that of a straight side from which a corner has its full effect; by
# eye.
TURNING = np.radians(20)
LEAST, MOST = -1.0, 0.95  # bounds of the share of light lost; a guard
EDGE = 0.4  # share of a rounded edge over which a shadow on a side wall fades; fitted to the references
STEEPEST = 0.1  # least sine of the angle at which a mirrored ray falls towards the face below; a guard


@dataclass(frozen=True, slots=True)
class PartForm:
    """The shape of a part as an occluder of the face below: its height `rise` and rounded `edge`, mm.

    The edge is wider than the rise if the part has sunk so deeply that the face cuts through its edge. `bend`
    is the curvature of its corners, 1/mm; `runs` are the lengths of its straight sides along x and y, mm.
    """

    rise: float
    edge: float
    bend: float
    runs: tuple[float, float]

    @property
    def tilt(self) -> float:
        """The angle, radians, by which the wall leans at its foot: above 0 if the face cuts through its
        edge."""
        return float(np.arcsin(max(1 - self.rise / self.edge, 0)))

    def bends(self) -> F64:
        """The outline's curvature (TURNS,), 1/mm, where its normal points to each azimuth of the sky's
        cells."""
        turn = np.arange(TURNS) * 2 * np.pi / TURNS
        away = np.abs((turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        corner = np.clip(away / TURNING, 0, 1)
        # A side whose normal is along x runs along y, so take the other length.
        run = np.where(np.abs(np.cos(turn)) > np.sqrt(0.5), self.runs[1], self.runs[0])
        side = np.exp(-run / (2 * self.rise))
        return np.asarray(self.bend * (side + (1 - side) * corner), np.float64)


def distances(rise: float) -> F64:
    """The distances (STEPS,), mm, from a part at which its shadow is tabulated; they are dense at its
    foot."""
    return np.asarray(FARTHEST * rise * np.linspace(0, 1, STEPS) ** 2, np.float64)


@memoize(16 * MIB)  # room for a console, with thirty raised parts
def hidden(form: PartForm, cell: int = 1) -> tuple[U8, U8]:
    """The shares (TURNS · STEPS, cells), 0-255, of the sky's cells that a part hides.

    The second array has the shares that its upright wall alone hides. Each row belongs to a place on the
    face, given by its direction and distance from the part. For `cell`, see `hemisphere.sky`.
    """
    # The pattern depends only on the angle between ray and wall, so it is computed once for each curvature.
    bends, which = np.unique(form.bends().round(6), return_inverse=True)
    bound = np.arccos(np.sqrt(np.arange(RISES + 1) / RISES))
    high, low = (np.tile(part, TURNS) for part in (bound[:-1], bound[1:]))
    turn, _ = sky()
    tables = []
    for share in met(form, bends, turn[None], low, high):
        turned = [np.roll(share[bend], at * RISES, axis=1) for at, bend in enumerate(which)]
        cells = np.concatenate(turned)
        if cell > 1:
            cells = cells.reshape(-1, TURNS // cell, cell, RISES // cell, cell).mean(axis=(2, 4))
            cells = cells.reshape(TURNS * STEPS, -1)
        tables.append(np.rint(cells * 255).astype(np.uint8))
    return tables[0], tables[1]


def met(form: PartForm, bends: F64, turns: F64, low: F64, high: F64) -> tuple[F64, F64]:
    """The shares (n, STEPS, rays) of rays that meet a part, and the shares that meet its upright wall.

    `bends` (n,) are the outline's curvatures, 1/mm, and `turns` (n or 1, rays) the angles between its normals
    and the rays. A ray represents all elevations from `low` to `high` (rays,), radians. Near a place, the
    part is approximated by a cylinder with the outline's curvature, topped by the quarter circle of its edge.
    """
    away = distances(form.rise)[:, None]
    one = 1 + bends[:, None, None] * away
    # From the face, the wall lies in the direction opposite to its normal.
    towards = np.pi - np.abs((turns + np.pi) % (2 * np.pi) - np.pi)[:, None]
    reach = np.clip(0.5 + (np.arcsin(1 / one) - towards) / (2 * np.pi / TURNS), 0, 1)
    cosine = np.maximum(np.cos(towards), 0.05)
    root = np.sqrt(np.maximum(1 - (one * np.sin(towards)) ** 2, 0))
    length = (one * away + away) / np.maximum(one * cosine + root, 1e-6)
    upto = form.rise - form.edge
    # Across the wall: the ray that touches the edge's quarter circle.
    inward = length * cosine + form.edge
    touch = np.arctan2(upto, inward) + np.arcsin(np.clip(form.edge / np.hypot(upto, inward), 0, 1))
    limits = np.arctan(np.tan(np.minimum(touch, 1.57)) * cosine), np.arctan2(upto, length)
    covered, wall = (np.clip((limit - low) / (high - low), 0, 1) * reach for limit in limits)
    return covered, wall


def faced(form: PartForm, turn: float) -> F64:
    """The azimuths (TURNS, STEPS), radians, of the normals of a part's wall where rays of one azimuth meet
    it.

    The rays leave the tabulated places around the part in the azimuth `turn`, radians. Rays that miss the
    part are treated as touching it.
    """
    facing = (np.arange(TURNS) * 2 * np.pi / TURNS)[:, None]
    aside = (turn - facing) % (2 * np.pi) - np.pi
    one = 1 + form.bends()[:, None] * distances(form.rise)
    # The angles at which a ray leaves a place and meets the wall, from the law of sines around the axis of
    # the wall's curvature.
    bent = np.arcsin(np.clip(one * np.sin(aside), -1, 1)) - aside
    return np.asarray(facing - np.where(np.abs(aside) < np.pi / 2, bent, 0), np.float64)


def glossy(lobe: Parts, toward: F64) -> tuple[F32, F32]:
    """Directions (n, 3) from which metal mirrors light `toward` (3,) a viewer, and their weights (n, 1).

    All are in coordinates of the metal's face: z is the normal, x runs along the grain. Light from below has
    the weight 0.
    """
    half, view = lobe.half[:, [1, 0, 2]], toward.astype(np.float32)
    view[2] = max(view[2], 0.02)
    met = half @ view
    mirrored = 2 * met[:, None] * half - view
    x, y, z = mirrored.T
    root, own = (
        smith_root_stretched(y, x, z, lobe.alpha),
        smith_root_stretched(view[1], view[0], view[2], lobe.alpha),
    )
    return mirrored, (masking_weight(z, view[2], met, half[:, 2], root, own) * lobe.share)[:, None]


@dataclass(frozen=True, slots=True, eq=False)
class ContactShadow:
    """The shares of light that a face loses around a part; negative where the part sends more light than it
    hides.

    `at` is the part's place on the face. `table` (TURNS + 1, STEPS, 3) has the shares by direction and
    distance from the part, as the camera sees them. `matt` has the shares of the face's matt light alone, for
    the image of the face in the part's wall. The wall begins `level` mm above the part's middle. On a side
    wall the shadow ends at the rounded edges. There, `ends` has a point of the wall's middle line, the
    direction across the line, half the width of the wall's upright part, and the width of its edges, mm.
    """

    part: Slab
    at: Plane
    level: float
    form: PartForm
    table: F32
    matt: F32
    ends: tuple[F64, F64, float, float] | None = None

    def box(self, camera: Camera) -> Box:
        """The box of the canvas in which the shadow lies."""
        across, up = ((-side / 2, side / 2) for side in self.size)
        return landed(self.at.homography(camera), across, up, camera.width, camera.height)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, mm, of the area that the part's shadow reaches, the part included."""
        reach = 2 * FARTHEST * self.form.rise
        return self.part.size[0] + reach, self.part.size[1] + reach

    def picture(self, k: float) -> F32:
        """The shares (h, w, 3) of light lost around the part, as a picture on the face, for `k` px per mm."""
        rise = self.form.rise
        ppm = min((COARSE if rise * k < SMALL else FINE) / rise, LARGEST / max(self.size))
        turn, step = around(self.part.size[:2], self.part.corner, rise, ppm)
        shares = bilinear(self.table, step, turn)
        return shares if self.ends is None else weighted(shares, self._flat(turn.shape))

    def _flat(self, shape: tuple[int, ...]) -> F32:
        """The strength (h, w) of the shadow on a side wall: 1 on its upright part, less on its edges."""
        assert self.ends is not None
        middle, across, half, edge = self.ends
        wide, high = self.size
        x = ((np.arange(shape[1]) + 0.5) / shape[1] - 0.5) * wide
        y = (0.5 - (np.arange(shape[0]) + 0.5) / shape[0]) * high
        start = float((self.at.origin - middle) @ across)
        place = start + x * float(self.at.x @ across) + y[:, None] * float(self.at.y @ across)
        return np.asarray(np.clip(1 - (np.abs(place) - half) / (EDGE * edge), 0, 1), np.float32)

    def left(self, camera: Camera, box: Box) -> F32:
        """The shares (h, w, 3) of light that are left in a box of the canvas."""
        lost = lay(
            (self.picture(camera.k),), self.at.homography(camera), (0, 0), self.size, box, cv2.BORDER_CONSTANT
        )
        return np.asarray(1 - np.clip(lost, np.float32(LEAST), np.float32(MOST)), np.float32)

    def below(self, height: F64, normals: F64, toward: F64, matt: bool) -> F32:
        """The shares (n, 3) of the face's light that are left where points of the part's wall see the face.

        `height` (n,) is the points' height above the part's middle, mm; `normals` and `toward` the viewer (n,
        3) are in the part's frame. A `matt` point receives light mainly from places about as far away as the
        point is high.
        """
        above = np.maximum(height - self.level, 0)
        away = above
        if not matt:
            mirrored = 2 * np.einsum("ij,ij->i", normals, toward)[:, None] * normals - toward
            flat = normals[:, :2] / np.maximum(np.hypot(*normals[:, :2].T), 1e-6)[:, None]
            slant = np.einsum("ij,ij->i", mirrored[:, :2], flat) / np.maximum(-mirrored[:, 2], STEEPEST)
            away = above * np.maximum(slant, 0)
        step = np.sqrt(np.minimum(away / (FARTHEST * self.form.rise), 1)) * (STEPS - 1)
        turn = np.arctan2(normals[:, 1], normals[:, 0]) / (2 * np.pi) % 1 * TURNS
        lost = bilinear(self.matt, step.astype(np.float32), turn.astype(np.float32))
        return np.asarray(np.clip(1 - lost, 0, 1 - LEAST), np.float32)


@memoize(16 * MIB)  # room for two consoles
def around(size: tuple[float, float], corner: Corner, rise: float, ppm: float) -> tuple[F32, F32]:
    """Where the pixels of a shadow's picture, `ppm` per mm, are in its table: rows and columns (h, w).

    Rows are directions from the part, columns are distances. The picture covers the part's outline and
    FARTHEST heights around it.
    """
    reach = FARTHEST * rise
    half, extents = np.array(size) / 2 - corner.offset, corner.extents(*size)
    middle = []
    for side in size:
        count = max(int(np.ceil((side / 2 + reach) * ppm)), 2)
        # A quarter is drawn and mirrored; its pixels are counted from the middle.
        middle.append((np.arange(count) + 0.5) / count * (side / 2 + reach))
    inner = half - extents
    x, y = np.meshgrid(*(np.maximum(m - h, 0) for m, h in zip(middle, inner, strict=True)))
    away, slope = beyond(x, y, extents, corner.exponent)
    step = np.sqrt(np.clip((away - corner.offset) / reach, 0, 1)) * (STEPS - 1)
    turn = np.arctan2(slope[1], slope[0]) / (2 * np.pi) * TURNS
    half_turn = TURNS / 2
    # Down the picture is -y.
    left, right = half_turn - turn, turn
    upper = np.concatenate([left[:, ::-1], right], axis=1)[::-1]
    lower = np.concatenate([(half_turn + turn)[:, ::-1], TURNS - turn], axis=1)
    turns = np.concatenate([upper, lower]).astype(np.float32)
    steps = np.concatenate([step[:, ::-1], step], axis=1)
    return turns, np.concatenate([steps[::-1], steps]).astype(np.float32)


def contact_shadows(
    frame: Frame,
    parts: Sequence[Slab],
    at: Plane,
    below: Ground,
    metal: Material | None = None,
    ends: tuple[float, float] | None = None,
) -> list[ContactShadow]:
    """The contact shadows of the parts that stand on a face or side wall `at`.

    `ends` are half the height of a side wall's upright part and the width of its rounded edges, mm. Matt
    faces lose light from the whole sky; `metal`, and the gloss of rough faces, lose light from a lobe around
    the mirror direction. Where a part hides the sky, its wall or edge sends light instead: light that it
    reflects from the environment and, if it is matt, from the face `below`.
    """
    camera, longest = frame.camera, frame.quality.shadow_side
    cast: list[ContactShadow] = []
    for part in parts:
        axes, center = pose(part)
        rise = float((center - at.origin) @ at.normal) + part.size[2] / 2
        if rise < LOWEST:
            continue
        foot = Plane(center - (rise - part.size[2] / 2) * at.normal, *axes.T)
        form = PartForm(rise, part.edge, *_outline(part, longest * rise))
        same = [other for other in cast if other.form == form and painted(other.part) == painted(part)]
        if same:
            tables = same[0].table, same[0].matt
        else:
            toward = camera.seat - camera.view(foot.origin[None])[0]
            standing = _Caster(frame, part, form, camera.view(axes.T), below)
            tables = standing.lost(toward, metal, upright=ends is not None)
        line = None if ends is None else (at.origin, at.y, *ends)
        cast.append(ContactShadow(part, foot, part.size[2] / 2 - rise, form, *tables, line))
    return cast


def darken(rgb: F32, box: Box, parts: Sequence[ContactShadow], camera: Camera) -> None:
    """Darken light (h, w, 3) in a box of the canvas by the shadows of parts, in place."""
    for one in parts:
        part = one.box(camera).clipped(box)
        if part.area:
            rgb[part.within(box)] *= one.left(camera, part)


def _outline(part: Slab, longest: float) -> tuple[float, tuple[float, float]]:
    """The curvature of a part's corners, 1/mm, and the lengths of its straight sides, mm, limited to the
    `longest`."""
    width, height = part.size[:2]
    extent = min(part.corner.extent + part.corner.offset, width / 2, height / 2)
    across, along = (min(round(side - 2 * extent, 2), longest) for side in (width, height))
    return 1 / max(extent, 1e-3), (across, along)


def painted(part: Slab) -> tuple[object, ...]:
    """A key of a part's wall, equal for parts whose walls have the same paint and the same directions."""
    return part.surface, part.tinted, part.color, part.tone, part.x, part.y


@dataclass(frozen=True, slots=True, eq=False)
class _Caster:
    """A part with a `form` on a face `below` it; the rows of `axes` (3, 3) are the part's axes in view
    space."""

    frame: Frame
    part: Slab
    form: PartForm
    axes: F64
    below: Ground

    def lost(self, toward: F64, metal: Material | None, *, upright: bool) -> tuple[F32, F32]:
        """The light that the face loses to the part, as both tables of its `ContactShadow`.

        `toward` (3,) is the direction of the viewer. Mirrored light and matt light lose different shares,
        which are averaged by their brightness. On `upright` walls, metal counts as mirroring all of its
        light.
        """
        quality, light = self.frame.quality, self.frame.light
        toward = self.axes @ toward / np.linalg.norm(toward)
        up = self.axes[2:].astype(np.float32)
        if metal is not None:
            lost, mirrored = self.mirrored(metal, toward)
            if upright or metal.diffuse <= BLASTED:
                return lost, lost
            blasted = np.float32(metal.diffuse)
            lost_below = self.table()
            whole = light.diffuse(up)[0] * blasted
            return _both(lost, mirrored * (1 - blasted), lost_below, whole), lost_below
        face, lost_below = self.below.material, self.table()
        if not quality.gloss_shadows or toward[2] <= 0 or not face.roughness or not face.specular:
            return lost_below, lost_below
        lost, mirrored = self.mirrored(face, toward)
        share = specular_share(face, toward[2:].astype(np.float32), light)
        paint = light.diffuse(up)[0] * self.below.color * (np.float32(face.albedo) * (1 - share))
        return _both(lost, mirrored * share, lost_below, paint), lost_below

    def table(self) -> F32:
        """The light that a matt face loses to the part (see `ContactShadow`)."""
        cell, light = self.frame.quality.shadow_cell, self.frame.light
        along = rays(cell)
        seen = light.cells((along @ self.axes).astype(np.float32))
        whole = np.maximum(seen.sum(axis=0), np.float32(1e-6))
        covered, wall = (each.astype(np.float32) for each in hidden(self.form, cell))
        # From the foot of the wall, the face is seen in the part's own shadow, where half of the sky is
        # hidden.
        near = 1 - np.float32(0.7) * (wall.reshape(TURNS, STEPS, -1)[:, 0] @ seen) / (255 * whole)
        # A ray meets the wall on the side that faces it.
        facing = (np.arange(len(along)) // (RISES // cell) * cell + cell // 2 + TURNS // 2) % TURNS
        below = replace(self.below, left=np.clip((1 + near[facing]) / 2, 0, 1).astype(np.float32))
        material, color = self.frame.wall(self.part)
        if material.metal:
            # Rays meet the wall across its grain, where brushed metal is rougher.
            wide, _ = axis_roughness(material.roughness, material.anisotropy)
            material = replace(material, level=min(ROUGHNESSES, key=lambda level: abs(level - wide)))
        turn = sky(cell)[0] + np.pi
        upright, bent = _thrown((material, color), along, turn, self.axes, light, below, self.form.tilt)
        return _ended(covered @ (seen - bent) + wall @ (bent - upright), 255 * whole)

    def mirrored(self, metal: Material, toward: F64) -> tuple[F32, F32]:
        """The light that metal or gloss loses to the part, from the lobe that it mirrors `toward` (3,).

        The second array is the light (3,) that white metal would mirror without the part.
        """
        light, form = self.frame.light, self.form
        lobe = parts(metal.roughness, metal.anisotropy, self.frame.quality.shadow_rays)
        directions, weight = glossy(lobe, toward)
        if not weight.any():
            return np.zeros((TURNS + 1, STEPS, 3), np.float32), np.zeros(3, np.float32)
        along = directions.astype(np.float64)
        flat = (along @ self.axes).astype(np.float32)
        seen = np.concatenate(
            [light.narrow(level, *flat[run].T[..., None])[:, 0] for level, run in runs(lobe, light)]
        )
        # If light is exaggerated, a lobe may receive no light at all.
        whole = np.maximum((seen * weight).sum(axis=0), np.float32(1e-6))
        turn, rise = np.arctan2(along[:, 1], along[:, 0]), np.arcsin(np.clip(along[:, 2], 0, 1))
        facing = np.arange(TURNS) * 2 * np.pi / TURNS
        shares = met(form, form.bends(), turn - facing[:, None], rise - lobe.cone, rise + lobe.cone)
        covered, wall = (share.reshape(TURNS * STEPS, -1).astype(np.float32) for share in shares)
        # A wall sends about the same light in all directions of a narrow lobe, so the middle one is enough.
        middle = (along * weight).sum(axis=0)
        middle /= np.linalg.norm(middle)
        hit = faced(form, math.atan2(middle[1], middle[0])).ravel()
        wall_paint = self.frame.wall(self.part)
        upright, bent = _thrown(
            wall_paint, np.tile(middle, (len(hit), 1)), hit, self.axes, light, self.below, form.tilt
        )
        hidden = covered @ (seen * weight)
        thrown = (wall @ weight) * upright + ((covered - wall) @ weight) * bent
        return _ended(np.asarray(hidden - thrown, np.float32), whole), whole


def _both(lost: F32, light: F32, other_lost: F32, other: F32) -> F32:
    """The share that the sum of two lights (3,) loses, given the share that each of them loses."""
    whole = np.maximum(light + other, np.float32(1e-6))
    return np.asarray((lost * light + other_lost * other) / whole, np.float32)


def _ended(lost: F32, whole: F32) -> F32:
    """Lost light (TURNS · STEPS, 3) as a table of shares of the `whole` light (3,), which fade to nothing.

    The last row repeats the first direction.
    """
    table = lost.reshape(TURNS, STEPS, 3) / whole
    table *= np.clip((1 - np.linspace(0, 1, STEPS)) / FADE, 0, 1)[:, None].astype(np.float32)
    return np.ascontiguousarray(np.concatenate([table, table[:1]]), np.float32)


def _thrown(
    paint: tuple[Material, F32], along: F64, turn: F64, axes: F64, light: Light, below: Ground, tilt: float
) -> tuple[F32, F32]:
    """The radiance (n, 3) of a part's upright wall, and of its rounded edge, where rays `along` meet them.

    The rows of `axes` (3, 3) are the part's axes in view space; `turn` (n,) are the azimuths, radians, that
    wall and edge face. Where it begins, the edge leans by `tilt`, radians.
    """
    elevation = np.arcsin(np.clip(along[:, 2], 0, 1))
    most = np.pi / 2 - elevation
    # Rays that are too steep to meet the beginning of the edge still meet a part of the edge.
    least = np.minimum(tilt, most / 2)
    shares = (np.arange(TILTS) + 0.5) / TILTS
    tilts = np.concatenate([0 * most[None], least + shares[:, None] * (most - least)])
    flat = np.cos(tilts)
    normals = np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sin(tilts)], axis=-1)
    if below.left is not None:
        below = replace(below, left=np.tile(below.left, (len(tilts), 1)))
    toward = np.tile(-along @ axes, (len(tilts), 1)).astype(np.float32)
    facing = (normals.reshape(-1, 3) @ axes).astype(np.float32)
    sent = shade(*paint, facing, toward, light, below).reshape(len(tilts), -1, 3)
    weight = np.cos(elevation + tilts[1:]).astype(np.float32)[..., None]
    return sent[0], np.asarray((sent[1:] * weight).sum(axis=0) / weight.sum(axis=0), np.float32)
