"""The camera on a device's back: raised plates with lenses, flash and sensors, or lenses alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from ..device import Corner, Face, Layer, Pair, Slab, Vector
from .art import COATINGS, FLASHES, LENS, Art, SharedPart, layers, near, of_brand
from .sheet import CameraPlate, Handheld, Inlay, Lens

# Seen from behind, upright: x to the viewer's right is the device's -x, z points away from the glass.
BEHIND: tuple[Vector, Vector] = ((-1, 0, 0), (0, 1, 0))
SUNK = 1.6
COATED = "lens-elements"  # the picture of a lens that its coating colours
# A lens' pictures, deepest first, with their depths (mm) at the drawn size.
STACK = ((COATED, 3.2), ("lens-barrel", 1.5), ("lens-cover", 0.0))
PROUD = 0.04  # mm; the height of an inlay, which makes it painted after the back around it


@dataclass(frozen=True, slots=True)
class RearSurface:
    """The surface below a plate or lens: the slab's name, origin of places, height above the back.

    `origin` is seen from behind, mm from the back's middle.
    """

    slab: str = "body"
    origin: Pair = (0.0, 0.0)
    height: float = 0.0

    def under(self, camera: CameraPlate, name: str) -> RearSurface:
        """The surface that carries the parts of `camera`; `name` is that of its plate."""
        origin = self.origin[0] + camera.center[0], self.origin[1] + camera.center[1]
        if camera.size is None:
            return RearSurface(self.slab, origin, self.height)
        return RearSurface(name, origin, self.height + camera.rise)


def stack(art: Art, coating: str, glass: float, at: Pair = (0.0, 0.0)) -> tuple[Layer, ...]:
    """Layers of a lens with a glass radius of `glass` mm, deepest first, centred `at` on its face.

    All lenses of a coating share three pictures, drawn once for a common radius and scaled to size.
    """
    scale, drawn = glass / LENS, list[Layer]()
    for kind, depth in STACK:
        part = SharedPart(kind, style=coating if kind == COATED else "")
        if image := art.part(part):
            width, height = part.extent
            size = (round(width * scale, 4), round(height * scale, 4))
            drawn.append(Layer(image=image, center=at, size=size, depth=round(depth * scale, 4)))
    return tuple(drawn)


def flat(camera: CameraPlate, brand: str | None, art: Art) -> tuple[Layer, ...]:
    """The flat parts on a plate, placed from its middle: lenses without a ring, flash and sensors."""
    drawn: tuple[Layer, ...] = ()
    for spot in camera.spots:
        style = of_brand(FLASHES, brand) if spot.kind == "flash" else ""
        drawn += layers(art, SharedPart(spot.kind, (spot.diameter, spot.diameter), style=style), spot.at)
    for coating, item in zip(itertools.cycle(of_brand(COATINGS, brand)), camera.lenses):
        if not item.rise:
            drawn = (*stack(art, coating, item.diameter / 2, item.at), *drawn)
    return drawn


def back_layers(camera: CameraPlate, brand: str | None, art: Art) -> tuple[Layer, ...]:
    """The flat parts on the back itself, placed from its middle; empty if the camera has a plate."""
    if camera.size is not None:
        return ()
    x, y = camera.center
    return tuple(
        layer.model_copy(update={"center": near((layer.center[0] + x, layer.center[1] + y))})
        for layer in flat(camera, brand, art)
    )


def plate(sheet: Handheld, camera: CameraPlate, size: Pair, ground: RearSurface, name: str, art: Art) -> Slab:
    """The plate of a camera that has one, of `size` mm, with its flat parts as layers on its face."""
    # The plate is so thick that the back cuts its wall where the wall is straight.
    depth = camera.rise + max(camera.sunk + camera.edge, SUNK)
    dark = camera.glass_inset is not None
    face = Face(
        surface=camera.glass if dark else camera.surface,
        inset=camera.glass_inset or 0.0,
        gasket=0.12 if dark else 0.0,
        tinted=not dark,
        color="#08080a",
        layers=flat(camera, sheet.brand, art),
    )
    x, y = ground.origin[0] + camera.center[0], ground.origin[1] + camera.center[1]
    middle = -sheet.body[2] / 2 - ground.height - camera.rise + depth / 2
    return Slab(
        name=name,
        role="part",
        size=(*size, round(depth, 4)),
        corner=camera.corner,
        edge=camera.edge,
        surface=camera.surface,
        center=(round(-x, 4), round(y, 4), round(middle, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent=ground.slab,
        base=round(depth / 2 - camera.rise - camera.sunk, 4),
        front=face,
    )


def lens_slab(sheet: Handheld, item: Lens, ground: RearSurface, name: str, drawn: tuple[Layer, ...]) -> Slab:
    """A raised lens: a metal ring around dark glass with the lens' layers below it."""
    depth = item.rise + SUNK
    top = -sheet.body[2] / 2 - ground.height - item.rise
    center = (-ground.origin[0] - item.at[0], ground.origin[1] + item.at[1], top + depth / 2)
    return Slab(
        name=name,
        role="part",
        size=(item.diameter, item.diameter, round(depth, 4)),
        corner=Corner(extent=round(item.diameter / 2 - 0.001, 4)),
        edge=min(0.45, item.rise / 2),
        surface=sheet.frame,
        center=(round(center[0], 4), round(center[1], 4), round(center[2], 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent=ground.slab,
        base=round(depth / 2 - item.rise, 4),
        front=Face(
            surface="lens",
            inset=item.rim,
            gasket=0.1,
            tinted=False,
            color="#050506",
            layers=drawn,
        ),
    )


def camera_slabs(sheet: Handheld, camera: CameraPlate, art: Art) -> tuple[Slab, ...]:
    """Every plate and every raised lens, each after its parent."""
    plates = itertools.chain(["camera"], (f"camera-{place}" for place in itertools.count(2)))
    lenses = (
        (f"lens-{place}", coating)
        for place, coating in enumerate(itertools.cycle(of_brand(COATINGS, sheet.brand)), 1)
    )

    def standing(camera: CameraPlate, ground: RearSurface) -> Iterator[Slab]:
        name = ground.slab
        if camera.size is not None:
            name = next(plates)
            yield plate(sheet, camera, camera.size, ground, name, art)
        above = ground.under(camera, name)
        for item in camera.lenses:
            if item.rise:
                called, coating = next(lenses)
                pictures = stack(art, coating, item.diameter / 2 - item.rim)
                yield lens_slab(sheet, item, above, called, pictures)
        for island in camera.islands:
            yield from standing(island, above)

    return tuple(standing(camera, RearSurface()))


def inlay_slab(sheet: Handheld, inlay: Inlay) -> Slab:
    """A pane in the back, raised by a negligible height."""
    depth = 2 * PROUD
    return Slab(
        name="inlay",
        role="part",
        size=(*inlay.size, depth),
        corner=inlay.corner,
        edge=PROUD / 2,
        surface=inlay.surface,
        center=(-inlay.center[0], inlay.center[1], round(-sheet.body[2] / 2, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="body",
        base=0.0,
        front=Face(surface=inlay.surface, inset=0.18, gasket=inlay.gasket),
    )
