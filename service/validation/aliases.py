"""Names that other services use for members, and what to suggest instead.

Names are in their plain form (see `names.plain`). The name of a member elsewhere in the settings, with or
without its group's name (`shadowOpacity`), needs no line.
"""

from __future__ import annotations

from collections.abc import Mapping

# Paths from the root, or a sentence.
Suggestion = tuple[str, ...] | str

_OUTPUT = "output is a query parameter, as in /api/v1/mockup?output=raw"
_BACKGROUND = "background bg bgcolor backgroundcolour"
_FINISH = "finish framecolor bezelcolor bodycolor phonecolor devicecolour tint"
_FORMAT = "imageformat outputformat fileformat filetype mimetype extension"
_RATIO = "dpr pixelratio devicepixelratio density dpi retina"
_SIZE = "size dimensions resolution"
_LIGHT = "light lighting hdri hdr scene"


def _table(lines: Mapping[Suggestion, str]) -> dict[str, Suggestion]:
    return {name: suggestion for suggestion, names in lines.items() for name in names.split()}


TRANSFORM = _table(
    {
        (
            "deviceTransform.rotationX",
            "deviceTransform.rotationY",
            "deviceTransform.rotationZ",
        ): "rotation rotate tilt angle",
        ("deviceTransform.rotationX",): "rotatex tiltx pitch",
        ("deviceTransform.rotationY",): "rotatey tilty yaw",
        ("deviceTransform.rotationZ",): "rotatez tiltz roll",
        ("deviceTransform.positionX", "deviceTransform.positionY"): "position offset translate",
        ("deviceTransform.positionX",): "x offsetx translatex",
        ("deviceTransform.positionY",): "y offsety translatey",
        ("deviceTransform.scale",): "zoom padding margin",
        ("deviceTransform.fieldOfView",): "fov perspective camera",
    }
)
CANVAS = _table(
    {
        ("appearance.backgroundColor",): f"{_BACKGROUND} color colour",
        ("canvas.width", "canvas.height"): _SIZE,
    }
)
SCREEN = _table(
    {
        ("screen.background",): "color colour bg bgcolor backgroundcolor backgroundcolour",
        ("screen.fit",): "objectfit mode resize crop",
        ("screen.anchor",): "align position gravity",
        ("screen.url",): "address link website addressbar",
        ("screen.title",): "caption tab heading windowtitle",
    }
)
APPEARANCE = _table(
    {
        ("appearance.backgroundColor",): _BACKGROUND,
        ("appearance.deviceColor",): _FINISH,
        ("appearance.backgroundColor", "appearance.deviceColor"): "color colour",
        ("appearance.gradientEnabled", "appearance.gradientColor"): "gradient",
        ("appearance.gradientAngle",): "angle",
        ("appearance.theme",): "mode colorscheme darkmode dark light",
    }
)
SHADOW = _table(
    {
        ("shadow.opacity",): "intensity strength alpha",
        ("shadow.blur",): "radius size spread softness",
        ("shadow.offsetX", "shadow.offsetY"): "offset position distance",
        ("shadow.offsetX",): "x",
        ("shadow.offsetY",): "y",
    }
)
GROUND = _table(
    {
        ("ground.kind",): "type plane surface",
        ("ground.distance",): "offset height gap",
    }
)
REFLECTION = _table(
    {("reflection.environment",): _LIGHT, ("reflection.intensity",): "strength opacity amount"}
)
EXPORT = _table(
    {("export.format",): f"{_FORMAT} type", ("export.scale",): _RATIO, ("export.quality",): "compression"}
)
SETTINGS = TRANSFORM | _table(
    {
        "it belongs beside settings, not inside": (
            "type screenshot screenshoturl screenshotbase64 fast projectid"
        ),
        _OUTPUT: "output",
        "its members belong directly in settings": "settings",
        ("appearance.backgroundColor",): _BACKGROUND,
        ("appearance.deviceColor",): _FINISH,
        ("appearance.backgroundColor", "appearance.deviceColor"): "color colour",
        ("appearance.gradientEnabled", "appearance.gradientColor"): "gradient",
        ("canvas.width", "canvas.height"): _SIZE,
        ("device",): "model frame deviceframe deviceid devicename devicetype phone",
        ("deviceTransform",): "transform",
        ("export.format",): _FORMAT,
        ("export.quality",): "compression",
        ("export.scale",): _RATIO,
        ("orientation",): "landscape portrait",
        ("postProcessing.bloom",): "glow",
        ("postProcessing.grain",): "noise filmgrain",
        ("postProcessing",): "effects filters",
        ("reflection.environment",): _LIGHT,
        ("screen.fit",): "objectfit",
        ("shadow",): "dropshadow",
    }
)
DESCRIPTION = _table(
    {
        ("device.kind",): "type category family class devicetype",
        ("device.screen",): "display resolution",
        ("device.ppi",): _RATIO,
        ("device.body",): "size dimensions",
        ("device.bezel",): "bezels border borders",
        ("device.material",): "surface frame framematerial",
        ("device.color",): _FINISH,
        ("device.camera",): "cameras lens lenses",
    }
)
SCREENSHOT = _table({("screenshot.src",): "url link href data base64 image source"})
BACKGROUND_IMAGE = _table({("appearance.backgroundImage.src",): "url link href data base64 image source"})
REQUEST = _table(
    {
        _OUTPUT: "output",
        ("screenshot_url",): "url link image imageurl src",
        ("screenshot_base64",): "base64 imagebase64 data imagedata file",
        ("projectId",): "project",
        ("template",): "templateid templatename",
        ("fast",): "preview draft",
        ("settings",): "options config params parameters",
    }
)
PROJECT = _table({("name",): "title"})
