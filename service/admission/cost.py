"""The seconds that a renderer will take for a picture, estimated from the header and the scene."""

from __future__ import annotations

from ..engine.request import RenderRequest
from ..settings.formats import FORMATS
from .footprint import coverage

# Seconds, or seconds per megapixel, roughly as measured on one of two cores of 2 GHz. They need not be exact,
# since in the end a user is charged for the time that a picture took.
PLATE_S = 0.05
BACKDROP, COVERED = 0.02, 0.25  # of the whole canvas, and of the part that devices cover
FAST = 0.3  # share of a plate's cost if the device is painted at half the size
DECODING = 0.02
COMPOSING = 0.015
EFFECT = 0.015  # of each effect
MEGAPIXEL = 1e6


def cost(request: RenderRequest, *, built: bool) -> float:
    """The seconds that a renderer will take.

    `built` says that the plate exists or is being built. An empty file means that the screenshot's pixels are
    cached, so decoding costs nothing.
    """
    scene = request.scene
    spec = scene.spec
    canvas = spec.width * spec.height / MEGAPIXEL
    encoding = FORMATS[scene.output.format].encoding_s
    seconds = canvas * (COMPOSING + EFFECT * len(scene.effects) + encoding)
    for file in request.files:
        if file.data:
            seconds += DECODING * file.header.width * file.header.height / MEGAPIXEL
    if request.backdrop:
        seconds += DECODING * request.backdrop.area / MEGAPIXEL
    if scene.backdrop:
        seconds += canvas * BACKDROP
    if not built:
        plate = PLATE_S * len(spec.instances) + canvas * (BACKDROP + COVERED * coverage(spec))
        seconds += plate * FAST if spec.fast else plate
    return seconds
