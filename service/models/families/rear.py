"""The camera on a device's back: a raised plate with lenses, flash and sensors."""

from __future__ import annotations

from service.models.devices import Corner, Face, Layer, Pair, Slab, Vector
from service.models.families.art import LENS, Art, Part, layers
from service.models.families.sheet import Camera, Handheld, Lens

# Seen from behind, upright: x to the viewer's right is the device's -x, z points away from the glass.
BEHIND: tuple[Vector, Vector] = ((-1, 0, 0), (0, 1, 0))
SUNK = 1.6
# The pictures of a lens, deepest first, with their depths (mm) at the drawn size.
STACK = (("lens-elements", 3.2), ("lens-barrel", 1.5), ("lens-cover", 0.0))


def stack(art: Art, glass: float, at: Pair = (0.0, 0.0)) -> tuple[Layer, ...]:
    """Layers of a lens with a glass radius of `glass` mm, deepest first, centred `at` on its face.

    All lenses share three pictures, drawn once for a common radius and scaled to size.
    """
    scale, found = glass / LENS, list[Layer]()
    for kind, depth in STACK:
        part = Part(kind)
        if image := art.part(part):
            width, height = part.extent
            size = (round(width * scale, 4), round(height * scale, 4))
            found.append(Layer(image=image, center=at, size=size, depth=round(depth * scale, 4)))
    return tuple(found)


def plate(sheet: Handheld, camera: Camera, art: Art) -> Slab:
    """The plate itself, with its flat parts as layers on its face."""
    depth = camera.rise + SUNK
    flat: tuple[Layer, ...] = ()
    for spot in camera.spots:
        flat += layers(art, Part(spot.kind, (spot.diameter, spot.diameter)), spot.at)
    for item in camera.lenses:
        if not item.rise:
            flat = (*stack(art, item.diameter / 2, item.at), *flat)
    dark = camera.glass_inset is not None
    face = Face(
        surface="glass" if dark else camera.surface,
        inset=camera.glass_inset or 0.0,
        gasket=0.12 if dark else 0.0,
        tinted=not dark,
        color="#08080a",
        layers=flat,
    )
    middle = -sheet.body[2] / 2 - camera.rise + depth / 2
    return Slab(
        name="camera",
        size=(*camera.size, round(depth, 4)),
        corner=camera.corner,
        edge=camera.edge,
        surface=camera.surface,
        center=(-camera.center[0], camera.center[1], round(middle, 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="body",
        base=round(depth / 2 - camera.rise, 4),
        front=face,
    )


def lens_slab(sheet: Handheld, camera: Camera, item: Lens, name: str, art: Art) -> Slab:
    """A raised lens: a metal ring around dark glass with the lens' layers below it."""
    depth = item.rise + SUNK
    top = -sheet.body[2] / 2 - camera.rise - item.rise
    center = (-camera.center[0] - item.at[0], camera.center[1] + item.at[1], top + depth / 2)
    return Slab(
        name=name,
        size=(item.diameter, item.diameter, round(depth, 4)),
        corner=Corner(extent=round(item.diameter / 2 - 0.001, 4)),
        edge=0.45,
        surface=sheet.frame,
        center=(round(center[0], 4), round(center[1], 4), round(center[2], 4)),
        x=BEHIND[0],
        y=BEHIND[1],
        parent="camera",
        base=round(depth / 2 - item.rise, 4),
        front=Face(
            surface="glass",
            inset=item.rim,
            gasket=0.1,
            tinted=False,
            color="#050506",
            layers=stack(art, item.diameter / 2 - item.rim),
        ),
    )


def camera_slabs(sheet: Handheld, camera: Camera, art: Art) -> tuple[Slab, ...]:
    """The plate and every raised lens on it."""
    raised = [item for item in camera.lenses if item.rise]
    lenses = (lens_slab(sheet, camera, item, f"lens-{place}", art) for place, item in enumerate(raised, 1))
    return plate(sheet, camera, art), *lenses
