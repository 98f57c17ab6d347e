"""The camera plate on a device's back: a raised slab with lenses, flash and sensors."""

from __future__ import annotations

from frames.generator import lens
from frames.generator.paint import Folder
from frames.generator.sheet import Camera, Handheld, Lens, Spot
from service.models.devices import Corner, Face, Layer, Slab, Vector

# Seen from behind, upright: x to the viewer's right is the device's -x, z points away from the glass.
BEHIND: tuple[Vector, Vector] = ((-1, 0, 0), (0, 1, 0))
SUNK = 1.6


def spot_layer(folder: Folder, spot: Spot) -> Layer:
    """Flash, sensor or microphone as a layer on the plate."""
    draw = {"flash": lens.flash, "lidar": lens.dark_spot, "sensor": lens.dark_spot, "mic": lens.hole}
    layer = folder.layer(f"{spot.kind}-{round(spot.diameter * 100)}.png", draw[spot.kind](spot.diameter))
    return layer.model_copy(update={"center": spot.at})


def plate(folder: Folder, sheet: Handheld, camera: Camera) -> Slab:
    """The plate itself, its flat layers painted on its own face."""
    depth = camera.rise + SUNK
    layers = [spot_layer(folder, spot) for spot in camera.spots]
    for item in camera.lenses:
        if not item.rise:
            layers = [*lens.stack(folder, item.diameter / 2, item.at), *layers]
    dark = camera.glass_inset is not None
    face = Face(
        surface="glass" if dark else camera.surface,
        inset=camera.glass_inset or 0.0,
        gasket=0.12 if dark else 0.0,
        tinted=not dark,
        color="#08080a",
        layers=tuple(layers),
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


def lens_slab(folder: Folder, sheet: Handheld, camera: Camera, item: Lens, name: str) -> Slab:
    """A raised lens: a metal ring round dark glass with the lens' layers below it."""
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
            layers=lens.stack(folder, item.diameter / 2 - item.rim),
        ),
    )


def slabs(folder: Folder, sheet: Handheld, camera: Camera) -> tuple[Slab, ...]:
    """The plate and every raised lens on it."""
    raised = [item for item in camera.lenses if item.rise]
    named = ((item, f"lens-{index + 1}") for index, item in enumerate(raised))
    return plate(folder, sheet, camera), *(lens_slab(folder, sheet, camera, *pair) for pair in named)
