"""The posed device, lit and painted from back to front."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import NamedTuple, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, U8
from service.clock import Clock
from service.models.devices import Device, Face, Side, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import fill, levels, weighted
from service.render.geometry.depth_sort import painters
from service.render.geometry.face import Plane, near_first, plane, wall
from service.render.geometry.footing import below, rooted, skirt
from service.render.geometry.mesh import FULL, HALVED, Halvings, Mesh, frame, joined, mesh
from service.render.geometry.raster import Box, Samples, bounds, rasterise
from service.render.geometry.silhouette import interior, loops, outlines, silhouette, solid
from service.render.geometry.straps import sunk, unhidden
from service.render.light.gap import beside
from service.render.light.hinged import hinged
from service.render.light.interreflection import fields
from service.render.light.neighbour import Neighbour, around, neighbours
from service.render.light.shading import Ground, Light
from service.render.light.tint import colors
from service.render.light.upper import Upper, upper
from service.render.material import SURFACES, Material
from service.render.once import Once
from service.render.paint.before import Before, before, shown
from service.render.paint.canvas import Canvas
from service.render.paint.cap import cap
from service.render.paint.contact import Shade, darken, painted, shades
from service.render.paint.crevice import crevice
from service.render.paint.decal import apply_decal, half_of
from service.render.paint.draped import drape
from service.render.paint.foot import Foot, foot
from service.render.paint.gathered import Gathered, gathered
from service.render.paint.hollow import curved
from service.render.paint.images import Image
from service.render.paint.rim import along_arc, borrow, join, kinds, polish, rim, seen, straight
from service.render.paint.screens import share
from service.render.paint.seams import CLOSE, TIMES, finer, mark, mend, tiles
from service.render.paint.textures import Textures
from service.render.paint.undercut import undercut
from service.render.paint.wall import lit

ROWS = 6  # of vertices on the wall that straps come out of
FINEST = 16.0  # samples per mm; with fewer, the edge of a thin rim flickers
SAMPLES = (3, 8)  # minimum and maximum per pixel and axis of walls; layers have the minimum
COARSE = (2, 3)  # the same of a coarse body
FEWEST = 2  # the same of a pixel on a finer canvas
SMALL_EDGE, SMALL_CORNER = 2.0, 4.0  # px; smaller edges and corners of coarse bodies have fewer segments
SHADED = 1.0  # px; what rises less over a coarse body's wall casts no shade on it
CLEAR = 0.75  # px from the outline of a slab at which a part behind it cannot show


#: A slab, the mesh of what is painted of it, and its outline.
Pass = tuple[Slab, Mesh, tuple[F32, ...]]


class Painted(NamedTuple):
    """A slab, or half of one, in a box: light (h, w, 3) premultiplied by the share hit (h, w), all float32.

    `gains` (h, w) belong to the screens seen, by their index in the device.
    """

    rgb: F32
    hit: F32
    gains: dict[int, F32]


class Body:
    """A device in its pose and light, painted one part of the canvas at a time."""

    def __init__(
        self,
        device: Device,
        textures: Textures,
        camera: Camera,
        light: Light,
        tint: F32,
        finest: float = FINEST,
        shares: Callable[[int, Box], F32] | None = None,
    ) -> None:
        """Find the visible slabs and light their walls; `tint` (3,) is linear.

        Walls get up to `finest` samples per mm; below FINEST, their meshes are coarse, and `shares` returns
        the share (h, w) of each pixel of a box that shows a screen, given its index in the device.
        """
        self._coarse = finest < FINEST
        self._shares = shares
        self.box = bounds(np.concatenate(outlines(device, camera)), camera.width, camera.height)
        self._device, self._textures = device, textures
        self._camera, self._light, self._colors = camera, light, colors(device, tint)
        self._layered, most = COARSE if self._coarse else SAMPLES
        self._samples = int(np.clip(np.ceil(finest / camera.k), self._layered, most))
        self._named = {slab.name: slab for slab in device.slabs}
        self._strapped = any(slab.role == "strap" for slab in device.slabs)
        self._lit = all(SURFACES[slab.front.surface].lit for slab in device.slabs)
        self._skies: Once[bytes, Upper] = Once()  # by the normal of the face below
        self._shaded: Once[tuple[str, str, int], list[Shade]] = Once()
        self._fields = fields(device, camera, light, self._colors, coarse=self._coarse)
        self._order = self._seen()
        self._passes = tuple(self._passed())
        self._undercut: dict[str, F32 | None] = {}
        if not self._coarse:
            # A coarse body is lit too coarsely for the line at a hinge's foot.
            self._undercut = {slab.name: undercut(device, slab, camera) for slab in self._order}
        self._walls: dict[str, F32] = {}
        self._beside = set[str]()  # slabs that mirror others
        for slabs in self._alike():
            self._walls |= self._lit_walls(slabs)
        self._over: Once[tuple[str, bool, int], Gathered | None] = Once()
        self._feet: Once[tuple[str, bool], Foot | None] = Once()
        self._reflected: Once[str, Image] = Once()
        self._mirrors: Once[tuple[str, int], Before | None] = Once()
        self._fine: Body | None = None
        self._fine = self._finer()

    def paint(self, box: Box, clock: Clock) -> Canvas:
        """All slabs, painted on a canvas of the `box`."""
        canvas = Canvas.empty(box, len(self._device.screens), lit=self._lit)
        shared = None if self._fine is None else np.zeros((box.height, box.width), bool)
        for slab, shape, outer in self._passes:
            self._slab(canvas, slab, shape, outer, clock, shared)
        if self._fine is not None and shared is not None:
            for part in tiles(shared, box):
                mend(canvas, self._fine.paint(finer(part), clock), shared, part)
        return canvas

    def _finer(self) -> Body | None:
        """The same body on a finer canvas; None where slabs share no pixels, see `seams`."""
        if self._coarse or self._camera.k > CLOSE or sum(map(_apart, self._order)) < 2:
            return None
        found = copy(self)
        found.refine()
        return found

    def refine(self) -> None:
        """Paint on a canvas that is finer, see `seams`."""
        self._camera, self._samples = self._camera.finer(TIMES), max(self._samples // TIMES, FEWEST)
        self._passes = tuple(
            (slab, shape, tuple(TIMES * line for line in lines)) for slab, shape, lines in self._passes
        )
        lines = self._undercut.items()
        self._undercut = {name: None if line is None else TIMES * line for name, line in lines}

    def _seen(self) -> list[Slab]:
        """The slabs from back to front, without those hidden by others."""
        seen: dict[str, Slab] = {}
        for slab in painters(self._device, self._camera.eye):
            parent = self._named.get(slab.parent) if slab.parent else None
            if parent is None or parent.name in seen or not _hidden(slab, parent, self._camera):
                seen[slab.name] = slab
        return list(seen.values())

    def _passed(self) -> Iterator[Pass]:
        """What is painted, from back to front.

        Straps are painted twice: before their case, and where they hide a part of it, once more.
        """
        deep, over = self._straps() if self._strapped else ((), ())
        yield from deep
        for slab in self._order:
            if slab.role != "strap":
                shape = self._mesh(slab)
                yield slab, shape, (*silhouette(slab, self._camera), *skirt(slab, shape, self._camera))
        yield from over

    def _straps(self) -> tuple[list[Pass], list[Pass]]:
        """Straps that go on inside their case, and what of them hides a part of it."""
        case = next(slab for slab in self._order if slab.role == "case")
        whole, outline = solid(case), silhouette(case, self._camera)[0]
        over = partial(unhidden, case=whole, outline=outline, camera=self._camera)
        straps = [slab for slab in self._order if slab.role == "strap"]
        cuts: tuple[Callable[[Mesh], Mesh], ...] = partial(sunk, case=whole), over
        deep, before = ([self._cut(slab, cut) for slab in straps] for cut in cuts)
        return deep, before

    def _cut(self, slab: Slab, cut: Callable[[Mesh], Mesh]) -> Pass:
        """A part of a slab's mesh, and the outline of that part of the real slab."""
        own, real = self._mesh(slab), solid(slab)
        part = cut(own)
        return slab, part, tuple(loops(part if own is real else cut(real), self._camera))

    def _mesh(self, slab: Slab) -> Mesh:
        if slab.role == "case" and not self._coarse:
            # Its wall darkens towards its straps.
            return mesh(slab, rows=ROWS)
        return rooted(slab, self._raised(slab), halvings=self._halvings(slab))

    def _halvings(self, slab: Slab) -> Halvings:
        """How coarse a slab's mesh is: coarser on a coarse body, the fewer px its corners and edges have."""
        if not self._coarse:
            return FULL
        k = self._camera.k
        corners, edges = slab.corner.extent * k < SMALL_CORNER, slab.edge * k < SMALL_EDGE
        return Halvings(1 + corners, 1 + edges)

    def _alike(self) -> list[tuple[Slab, ...]]:
        """The slabs, together where their walls can be lit at once: parts of a coarse body that are alike."""
        if not self._coarse:
            return [(slab,) for slab in self._order]
        found: dict[Hashable, tuple[Slab, ...]] = {}
        for slab in self._order:
            parent, own = self._raised(slab), self._own(slab)
            key: Hashable = slab.name
            if parent is not None and slab.bend is None:
                shade = None if own is None else (id(own.matt), own.level)
                faces = (slab.front, slab.back) if slab.back else (slab.front,)
                paints = [(face.surface, face.tinted, face.color, face.tone) for face in faces]
                key = parent.name, painted(slab), *paints, shade, self._halvings(slab)
            found[key] = (*found.get(key, ()), slab)
        # In one order, whichever is painted first, so that their joined mesh is found again.
        return [tuple(sorted(slabs, key=lambda slab: slab.name)) for slabs in found.values()]

    def _raised(self, slab: Slab) -> Slab | None:
        """What a raised part stands on; None for other slabs."""
        return self._named.get(slab.parent) if slab.parent and slab.role == "part" else None

    def _under(self, slab: Slab) -> list[Slab]:
        """The straight slabs whose faces a raised part stands over, nearest first."""
        found = []
        parent, up = self._raised(slab), frame(slab)[0][:, 2]
        while parent is not None and parent.bend is None and abs(float(frame(parent)[0][:, 2] @ up)) > 0.9:
            found.append(parent)
            parent = self._raised(parent)
        return found

    def _lit_walls(self, slabs: tuple[Slab, ...]) -> dict[str, F32]:
        """The radiance (n, 3) of the vertices of walls that are alike, by the slabs' names."""
        first, parent = slabs[0], self._raised(slabs[0])
        shape = self._mesh(first) if len(slabs) == 1 else joined(slabs, self._halvings(first))
        ground = self._ground(first, parent) if parent else None
        if ground is not None:
            bends = below(first, parent, halvings=self._halvings(first)) if len(slabs) == 1 else None
            if bends is not None:
                ground = replace(ground, normal=self._camera.view(bends).astype(np.float32))
            else:
                ground = replace(ground, slope=_slope(shape, self._under(first)))
        near = self._device, first, self._camera, self._light, self._colors
        others: Sequence[Neighbour] = beside(*near, partial(shown, textures=self._textures))
        others = others or around(*near, self._fields)
        if others:
            self._beside.update(slab.name for slab in slabs)
        hollow = self._hollow(first, shape)
        for own, _ in hollow:
            shape = shape.without(own)
        found = lit(
            first, shape, self._camera, self._light, self._colors, ground, self._own(first), others,
            coarse=self._coarse,
        )  # fmt: skip
        for own, radiance in hollow:
            found[own] = radiance
        ends = np.cumsum([len(self._mesh(slab).points) for slab in slabs])
        return {slab.name: part for slab, part in zip(slabs, np.split(found, ends[:-1]), strict=True)}

    def _hollow(self, slab: Slab, shape: Mesh) -> list[tuple[NDArray[np.intp], F32]]:
        """Vertices (n,) of the faces of a bend between metal plates, and their radiance (n, 3), if seen."""
        if slab.bend is None or not slab.joined or not SURFACES[slab.surface].metal:
            return []
        near, found = (self._camera, self._light, self._colors), []
        for front in (True, False):
            over = neighbours(self._device, slab, plane(slab, front), *near, self._fields)
            if over:
                found.append(curved(slab, shape, front, over, *near, coarse=self._coarse))
        return found

    def _ground(self, slab: Slab, parent: Slab) -> Ground:
        """The face or wall under a raised part."""
        axes, _ = frame(slab)
        normal = self._camera.view(axes[:, 2][None]).astype(np.float32)[0]
        material, color = SURFACES[parent.surface], self._colors.wall(parent)
        parent_axes, _ = frame(parent)
        side = float(axes[:, 2] @ parent_axes[:, 2])
        face = parent.front if side > 0.9 else parent.back if side < -0.9 else None
        if face is not None:
            material, color = SURFACES[face.surface], self._colors.face(face)
        sky = self._skies.get(normal.tobytes(), lambda: upper(self._light.cells, normal))
        return Ground(normal, material, color, self._light, sky)

    def _own(self, slab: Slab) -> Shade | None:
        """A raised part's shade on the face it stands on; in metal it mirrors what lies beyond."""
        parent = self._raised(slab)
        if parent is None:
            return None
        for half in parent.halves:
            for front, face in ((True, parent.front), (False, parent.back)):
                at = plane(parent, front, half)
                if face is not None and not SURFACES[face.surface].metal and _on(slab, at):
                    standing = self._shades(parent, at, "front" if front else "back", half)
                    return next((one for one in standing if one.part == slab), None)
        return None

    def _shades(
        self, slab: Slab, at: Plane, place: str, half: int, metal: Material | None = None
    ) -> list[Shade]:
        """The shades of the parts that stand on a face or side wall, computed once."""
        upright = place in get_args(Side)
        return self._shaded.get(
            (slab.name, place, half), lambda: self._cast(slab, at, metal, upright=upright)
        )

    def _cast(self, slab: Slab, at: Plane, metal: Material | None, *, upright: bool) -> list[Shade]:
        parts = _standing(self._device, slab, at)
        if self._coarse and upright:
            parts = [part for part in parts if _rise(part, at) * self._camera.k >= SHADED]
        if not parts:
            return []
        below = self._ground(parts[0], slab)
        ends = (slab.size[2] / 2 - slab.edge, slab.edge) if upright else None
        return shades(
            parts, at, self._camera, self._light, self._colors, below, metal, ends, coarse=self._coarse
        )

    def _images(self, face: Face, at: Plane, on: Sequence[Shade]) -> list[Image]:
        """The mirror images of the parts that shade a face, if it is smooth; a coarse one shows none."""
        material = SURFACES[face.surface]
        if self._coarse or material.roughness or not material.lit:
            return []
        return [self._reflected.get(shade.part.name, partial(self._image, shade, at)) for shade in on]

    def _image(self, shade: Shade, at: Plane) -> Image:
        part, camera, light = shade.part, self._camera, self._light
        shape, parent = mesh(part, halvings=HALVED), self._raised(part)
        assert parent is not None
        ground = self._ground(part, parent)
        radiance = lit(
            part, shape, camera, light, self._colors, ground, shade, coarse=True, eye=at.mirrored(camera.eye)
        )
        return Image(shape.mirrored(at.mirrored(shape.points)), radiance, self._samples)

    def _gathered(self, slab: Slab, at: Plane, front: bool, side: int) -> Gathered | None:
        """The light of a face that other slabs stand over, gathered once; None for other faces.

        What is drawn on glossy faces lies below their gloss, which takes another way.
        """
        return self._over.get((slab.name, front, side), lambda: self._gather(slab, at, front))

    def _gather(self, slab: Slab, at: Plane, front: bool) -> Gathered | None:
        camera, light, colors = self._camera, self._light, self._colors
        face = (None if front else slab.back) or slab.front
        material = SURFACES[face.surface]
        drawn = face.layers or (front and self._device.screens_on(slab))
        plain = material.metal or (material.roughness and not drawn)
        near = self._device, slab, at, camera, light, colors
        # Others have what is close to them in a strip, see `_foot`.
        over = hinged(*near, hinges=False) if self._coarse or slab.role == "hinge" else ()
        over = (over or neighbours(*near, self._fields)) if plain else ()
        eye = np.array([0, 0, camera.distance], np.float32)
        if not over:
            return None
        return gathered(slab, face, at, over, eye, camera, light, colors, coarse=self._coarse)

    def _foot(self, slab: Slab, at: Plane, front: bool, whole: Gathered | None) -> Foot | None:
        """How a hinge and lid close to a metal face change its light, found once; None on a coarse body."""
        face = (None if front else slab.back) or slab.front
        if not SURFACES[face.surface].metal or slab.role not in ("deck", "lid") or self._coarse:
            return None
        near = self._camera, self._light, self._colors

        def make() -> Foot | None:
            return foot(slab, face, at, hinged(self._device, slab, at, *near), whole, *near)

        return self._feet.get((slab.name, front), make)

    def _before(self, slab: Slab, at: Plane, side: int) -> Before | None:
        """What the glass of a screen mirrors, found once."""
        seen = self._device, slab, at, self._textures, self._camera, self._light, self._colors
        return self._mirrors.get((slab.name, side), lambda: before(*seen, coarse=self._coarse))

    def _screens(self, slab: Slab, at: Plane, part: Box, side: int) -> dict[int, F32]:
        """The screens' shares (h, w) of each pixel of a slab's front, by their index in the device.

        The whole of a coarse face lets light through, see `preview.Edges`.
        """
        screens = self._device.screens_on(slab, side)
        if self._coarse:
            whole = np.ones((part.height, part.width), np.float32)
            return {place: whole for place, screen in screens}
        return {place: share(screen, at, self._camera, part, joined=True) for place, screen in screens}

    def _shown(self, slab: Slab, part: Box, shares: Sequence[F32], side: int) -> F32:
        """The share of each pixel that shows a screen on a slab's front, (h, w) in 0-1."""
        if self._shares:
            shares = [self._shares(place, part) for place, _ in self._device.screens_on(slab, side)]
        return np.minimum(sum(shares), np.float32(1))

    def _slab(
        self, canvas: Canvas, slab: Slab, shape: Mesh, outer: Sequence[F32], clock: Clock,
        shared: NDArray[np.bool_] | None,
    ) -> None:  # fmt: skip
        """Paint a slab over what is behind it, and note the `shared` pixels (h, w) of the canvas."""
        clock.check()
        if not outer:
            return
        camera = self._camera
        foot = self._undercut.get(slab.name)
        whole = outer if foot is None else (foot,)
        box = bounds(np.concatenate(whole), camera.width, camera.height).clipped(canvas.box)
        if box.area == 0:
            return
        nearest, *others = near_first(slab, camera)
        cover = levels(outer, box)
        rgb, hit, gains = self._half(slab, shape, nearest, box, cover, clock)
        alpha = cover * np.float32(1 / 255)
        for side in others:
            near = hit.copy()
            self._behind(rgb, hit, gains, self._half(slab, shape, side, box, cover, clock))
            # Where the halves meet, the pieces of the outline may only touch.
            np.maximum(alpha, hit, out=alpha, where=(near > 0) & (hit > near))
        clock.check()
        _spread(rgb, hit, () if self._coarse else gains.values(), alpha)
        if foot is not None:
            _line(rgb, alpha, cover, levels(whole, box))
        if shared is not None and _apart(slab):
            at = box.within(canvas.box)
            mark(shared[at], alpha, canvas.alpha[at])
        canvas.over(rgb, alpha, gains, box)

    def _behind(self, rgb: F32, hit: F32, gains: dict[int, F32], other: Painted) -> None:
        """Add the farther half of a folded slab where the nearer one leaves room, in place.

        Both meet at the fold, where their shares of a pixel add up to one: no seam shows.
        """
        room = np.minimum(np.float32(1) - hit, other.hit) / np.maximum(other.hit, np.float32(1e-6))
        rgb += weighted(other.rgb, room)
        hit += other.hit * room
        if self._coarse:
            # Gains of a coarse body reach a little beyond their face, and are cut to it at full size.
            room = cv2.dilate((room > 0).astype(np.float32), np.ones((3, 3), np.uint8))
        gains.update((place, gain * room) for place, gain in other.gains.items())

    def _side(
        self, slab: Slab, shape: Mesh, side: int, box: Box, cover: U8, clock: Clock
    ) -> tuple[F32, F32, U8 | None]:
        """A slab's walls, light and share hit, and the share 0-255 of a face; None if it is what is left."""
        camera = self._camera
        # A half of a coarse body has the shares of its samples.
        front = None if side and self._coarse else seen(slab, camera, side)
        own = None if front is None else kinds(slab, shape, front, side)
        colors, part = self._walls[slab.name], shape.half(side)
        sharp = front is not None and self._sharp(slab, front)
        of = colors
        if own is not None and sharp:
            normals = camera.view(shape.normals).astype(np.float32)
            of = np.where((own == 1)[:, None], normals, colors)
        clock.check()
        walls, border = rasterise(part, of, camera, box, self._samples, own)
        self._drawn(walls, slab, side, box, clock)
        rgb, hit = walls
        if front is None:
            return rgb, hit, None
        if side:
            shares, whole = straight(slab, shape, front, side, camera, box)
        else:
            shares, whole = rim(shape, front, cover, camera, box), None
        if sharp and border is not None:
            color = self._colors.face((None if front else slab.back) or slab.front)
            polish(border, shares, slab, front, color, camera, self._light, box, side)
        join(walls, border, shares)
        if whole is None:
            return rgb, hit, shares.face
        # Along its arc, samples of all that is not its straight face.
        near = along_arc(shape, camera).clipped(box)
        arc, _ = rasterise(part, colors, camera, near, self._samples)
        self._drawn(arc, slab, side, near, clock)
        at = near.within(box)
        left = ~whole[at]
        rgb[at][left], hit[at][left] = arc.rgb[left], arc.hit[left]
        return rgb, hit, None

    def _drawn(self, walls: Samples, slab: Slab, side: int, box: Box, clock: Clock) -> None:
        """Shade a slab's walls and draw what is on them, in place."""
        camera, light, textures = self._camera, self._light, self._textures
        rgb, hit = walls
        material = SURFACES[slab.surface]
        for which in get_args(Side):
            clock.check()
            at = wall(slab, which, side)
            if at.seen(camera):
                beside = self._shades(slab, at, which, side, material if material.metal else None)
                darken(rgb, box, beside, camera)
            for decal in slab.decals:
                if decal.side == which and half_of(slab, decal, side):
                    apply_decal(
                        rgb, hit, decal, slab, textures, camera, light, self._colors, box, self._layered,
                        side, coarse=self._coarse,
                    )  # fmt: skip

    def _sharp(self, slab: Slab, front: bool) -> bool:
        """Whether a face's border mirrors the environment sharply, and nothing else."""
        face = slab.front if front or not slab.back else slab.back
        material = SURFACES[face.surface]
        if self._coarse or slab.role in ("part", "stand") or material.roughness or not material.lit:
            return False
        return slab.name not in self._beside

    def _half(self, slab: Slab, shape: Mesh, side: int, box: Box, cover: U8, clock: Clock) -> Painted:
        """A slab that covers `cover` (h, w) of 255 of a box, or half of a folded one: walls, then faces."""
        camera, light, textures = self._camera, self._light, self._textures
        rgb, hit, flat = self._side(slab, shape, side, box, cover, clock)
        if not shape.caps:
            drape(rgb, hit, slab, self._mesh(slab), textures, camera, light, box)
        gains: dict[int, F32] = {}
        for face, front in ((slab.front, True), (slab.back, False)):
            at = plane(slab, front, side)
            if face is None or not at.seen(camera) or (not front and slab.base is not None) or not shape.caps:
                continue
            corners = camera.project(shape.cap(front, side))
            part = bounds(corners, camera.width, camera.height).clipped(box)
            if part.area == 0:
                continue
            screens = self._screens(slab, at, part, side) if front else {}
            color = self._colors.face(face)
            material = SURFACES[face.surface]
            metal = material if material.metal else None
            on = self._shades(slab, at, "front" if front else "back", side, metal)
            mirrors = self._before(slab, at, side) if front else None
            over = self._gathered(slab, at, front, side)
            stood = self._foot(slab, at, front, over)
            gap = crevice(self._device, slab) if front and not on and stood is None else None
            clock.check()
            shares = list(screens.values())
            dim = partial(self._shown, slab, part, shares, side)
            found = cap(
                face, at, shares, dim, textures, camera, light, color, part, on, self._images(face, at, on),
                gap, over, stood, mirrors, self._layered, coarse=self._coarse,
            )  # fmt: skip
            clock.check()
            where = part.within(box)
            if flat is None:
                left = np.minimum(fill([corners.astype(np.float32)], part), 1 - hit[where])
            else:
                left = flat[where] * np.float32(1 / 255)
            _join(rgb, hit, found.rgb, left, where)
            for place, gain in zip(screens, found.gains, strict=True):
                gains[place] = np.zeros(hit.shape, np.float32)
                gains[place][where] = gain if self._coarse else gain * left
        return Painted(rgb, hit, gains)


def _apart(slab: Slab) -> bool:
    """Whether a slab shares pixels with others that it does not stand on: no raised part, no strap."""
    return slab.role not in ("part", "strap")


def _hidden(slab: Slab, parent: Slab, camera: Camera) -> bool:
    """Whether a part is wholly behind the silhouette of the slab it stands on."""
    cover, *more = silhouette(parent, camera)
    return not more and interior(cover, CLEAR)(np.concatenate(silhouette(slab, camera)))


def _slope(shape: Mesh, under: Sequence[Slab]) -> F32 | None:
    """The height of vertices (n,) over the faces below their part, per mm to those faces' edges.

    That is the least over all slabs `under` it, whose edges light passes; None without any.
    """
    found = None
    for slab in under:
        axes, center = frame(slab)
        places, normals = (shape.points - center) @ axes, shape.normals @ axes
        high = np.maximum(np.abs(places[:, 2]) - slab.size[2] / 2, 0)
        half = np.array(slab.size[:2]) / 2
        away = (half - np.abs(places[:, :2])) / np.maximum(np.abs(normals[:, :2]), 1e-3)
        slope = high / np.maximum(away.min(axis=1), 1e-3)
        found = slope if found is None else np.minimum(found, slope)
    return None if found is None else np.asarray(found, np.float32)


def _standing(device: Device, slab: Slab, at: Plane) -> list[Slab]:
    """The parts that stand on a face of a slab; what hangs on it, as a stand does, its neighbours know."""
    children = [child for child in device.slabs if child.parent == slab.name]
    raised = [child for child in children if "part" in (child.role, slab.role)]
    return [child for child in raised if _on(child, at)]


def _rise(part: Slab, at: Plane) -> float:
    """How high a part rises over a face that it stands on, mm."""
    return float((frame(part)[1] - at.origin) @ at.normal) + part.size[2] / 2


def _on(part: Slab, at: Plane) -> bool:
    return float(frame(part)[0][:, 2] @ at.normal) > 0.9


def _join(rgb: F32, hit: F32, face: F32, share: F32, at: tuple[slice, slice]) -> None:
    """Add a face's `share` (h, w) of each pixel to the wall's samples, in place; both end on one ring."""
    rgb[at] += weighted(face, share)
    hit[at] += share


def _spread(rgb: F32, hit: F32, gains: Iterable[F32], alpha: F32) -> None:
    """Give each covered pixel its full colour, in place: scaled by the share hit, or borrowed if none was."""
    hits, light = hit.ravel(), rgb.reshape(-1, 3)
    edge = np.flatnonzero((alpha.ravel() > 0) & (hits < 0.9999))
    some = edge[hits[edge] > 0]
    light[some] /= hits[some][:, None]
    for gain in gains:
        gain.ravel()[some] /= hits[some]
    hits[some] = 1
    borrow(rgb, hit, edge[hits[edge] <= 0])


def _line(rgb: F32, alpha: F32, own: U8, whole: U8) -> None:
    """Add black where a slab covers `own` of 255 (h, w) and is to cover the `whole`, in place."""
    at = np.flatnonzero(cv2.subtract(whole, own))
    if len(at):
        flat, share = alpha.ravel(), whole.ravel()[at] * np.float32(1 / 255)
        rgb.reshape(-1, 3)[at] *= (flat[at] / share)[:, None]
        flat[at] = share
