"""Resolves settings for devices and the sizes of screenshots: the scene of a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..devices.categories import STANDING
from ..devices.content import Content
from ..devices.described.description import Description
from ..devices.device import Device, Standing, catalogue
from ..devices.families.fitted import fitted, page
from ..devices.families.look import LOOKS
from ..devices.finishes import in_finish
from ..devices.origin import CROPPED, Choice, best
from ..errors import Detail, refusal
from ..validation.color import TRANSPARENT, Color, parse, suggest
from ..validation.names import index, match, nearest, plain
from . import backgrounds, captions, metadata, styles, templates, warnings
from .effects import Depth
from .layouts import LAYOUTS, STANDING_ISOMETRIC, SceneLayout
from .poses import Turn
from .scene import (
    BLUR,
    NO_ANGLES,
    NOWHERE,
    SIGMA,
    Background,
    Fit,
    GroundSpec,
    Instance,
    Output,
    PlateSpec,
    Scene,
    ShadowSpec,
    Showing,
    Transform,
    device_path,
)
from .scene_device import Member, SceneSettings
from .schema import SOURCE, ScreenFit, Settings
from .text import drawable
from .warnings import Warning

# Settings that show only in a gradient.
_GRADIENT = {
    "gradient_color": "appearance.gradientColor",
    "gradient_type": "appearance.gradientType",
    "gradient_angle": "appearance.gradientAngle",
}


class Wall(NamedTuple):
    """The distance of a wall from the device, mm, and the strength and softness of the shadow on it, as
    multiples of those in the settings."""

    distance: float
    opacity: float
    softness: float


OWN = Wall(0.0, 1.0, 1.0)
# The wall of a sweep does not touch the device. A soft shadow that suits its settings lies close around the
# device; a lamp casts a wider one, so the lamp is smaller and its shadow fainter; by eye.
SWEEP = Wall(8.0, 0.66, 0.46)


@dataclass(frozen=True, slots=True)
class Source:
    """The facts of a screenshot: its size, its content if not all of it is content, and its URL's host.

    The host is empty if there is none to show.
    """

    size: tuple[int, int]
    content: Content | None = None
    host: str = ""


def resolve(
    settings: Settings,
    size: tuple[int, int],
    *,
    fast: bool,
    most: int | None = None,
    content: Content | None = None,
    host: str = "",
) -> Scene:
    """The scene of one screenshot; as `resolve_scene`."""
    return resolve_scene(SceneSettings(settings), (Source(size, content, host),), fast=fast, most=most)


def resolve_scene(
    wanted: SceneSettings, sources: Sequence[Source], *, fast: bool, most: int | None = None
) -> Scene:
    """The scene of settings and devices for screenshots.

    A picture of more than `most` pixels is scaled down as a whole. Raises MockupError for settings that do
    not suit a device: an orientation it does not have, or a colour that is neither an opaque hex colour nor
    one of its finishes.
    """
    settings, members = wanted.settings, wanted.members
    alone = [member.device.over(settings) for member in members]
    problems: list[Detail] = []
    made = []
    for number, (member, own) in enumerate(zip(members, alone, strict=True)):
        found: list[Detail] = []
        made.append(_instance(own, member, sources[member.source], found))
        problems += [_named(detail, number) for detail in found] if wanted.named else found
    problems += _together(wanted)
    if problems:
        raise refusal(*problems)
    instances, shown, said = zip(*made, strict=True)
    scene = _scene(settings, instances, shown, fast=fast, most=most)
    scene = replace(scene, named=wanted.named, placement=templates.placement(wanted))
    about = [one for i, own in enumerate(said) for one in scene.about(i, own)]
    return replace(scene, warnings=(*about, *filter(None, _incomplete(settings))))


def _named(detail: Detail, index: int) -> Detail:
    """A fault of a device's settings at the device's own path."""
    return Detail(f"{device_path(index)}.{detail.path.removeprefix('settings.')}", detail.message)


def _together(wanted: SceneSettings) -> Iterator[Detail]:
    """The faults of members that exclude each other in one picture."""
    if len(wanted.members) == 1:
        return
    outlined = [
        # The device's own style, or else that of the scene.
        f"{device_path(number)}." if "style" in member.device.appearance.model_fields_set else "settings."
        for number, member in enumerate(wanted.members)
        if member.device.over(wanted.settings).appearance.style == "outline"
    ]
    for owner in dict.fromkeys(outlined):
        message = "outline draws one device alone; expected real or clay where there are several"
        yield Detail(f"{owner}appearance.style", message)


def _instance(
    settings: Settings, member: Member, source: Source, problems: list[Detail]
) -> tuple[Instance, Showing, list[Warning]]:
    """A device with its own settings, the part of the screenshot that it shows, and warnings."""
    size, content = source.size, source.content
    chosen = best(size, content) if settings.device == "auto" else Choice(settings.device)
    wanted = chosen.device
    device = _device(wanted)
    said = list(_unused(settings, device))
    trim = content if content and content.window and takes_shape(settings, device) else None
    if trim:
        size = trim.box[2:]
    if device.fitted:
        device, lost = _fitted(settings, device, size, trim.radius if trim else None, source.host)
        said += lost
    orientation = _orientation(settings, device, size, problems)
    given = settings.appearance.device_color
    tint = _tint(chosen.finish if given is None else given, device, problems)
    device = in_finish(device, tint)
    own, style = device.finishes[0], settings.appearance.style
    if style != "real" and settings.appearance.device_color is None:
        tint = styles.CLAY if style == "clay" else styles.ink(*backgrounds.colors(settings.appearance))
    elif style == "real" and not device.tinted and tint != parse(own.hex):
        tint = parse(own.hex)
        said.append(warnings.color_unused(device.id, own.name))
    moved = member.device.device_transform
    instance = Instance(
        device,
        orientation,
        tint,
        style,
        moved.angles(device.category),
        (moved.position_x, moved.position_y),
        member.device.depth,
    )
    return instance, Showing(member.source, _fit(settings.screen, device), trim), said


def _scene(
    settings: Settings,
    instances: tuple[Instance, ...],
    shown: tuple[Showing, ...],
    *,
    fast: bool,
    most: int | None,
) -> Scene:
    """The scene of devices, with the settings of the whole picture."""
    width, height, scale = _scaled(settings, most)
    short = min(width, height)
    t, s, r = settings.device_transform, settings.shadow, settings.reflection
    shadow = None
    if s.enabled and s.opacity > 0:
        shadow = ShadowSpec(
            s.opacity, s.blur * SIGMA * short, parse(s.color), s.offset_x * short, s.offset_y * short
        )
    view = t.view(instances[0].device.category, _layout_view(settings.layout, instances))
    transform = Transform(t.scale, t.position_x, t.position_y, *view)
    if len(instances) == 1 and settings.layout == "free":
        instances, transform = _alone(instances[0], transform)
    effects = settings.post_processing.effects(scale)
    light = r.intensity if r.enabled and r.environment != "none" else 0.0
    backdrop = backgrounds.backdrop(settings.appearance, short)
    spec = PlateSpec(
        instances,
        width,
        height,
        transform,
        Background.of(TRANSPARENT) if backdrop else backgrounds.behind(settings.appearance, instances),
        shadow,
        r.environment if light else "studio",
        light,
        r.glare if light else "reduced",
        fast,
        ground=_ground(settings, instances, transform),
        turn=r.rotation if light else 0.0,
        layout=settings.layout,
        depth=any(isinstance(effect, Depth) for effect in effects),
        spill=r.spill if light and not backdrop else 0.0,
    )
    return Scene(
        spec,
        shown,
        effects,
        Output(
            settings.export.format,
            settings.export.quality,
            fast,
            metadata.packet(settings) if settings.export.metadata else b"",
        ),
        cuts=settings.cuts,
        store=settings.export.store,
        backdrop=backdrop,
        captions=tuple(captions.spec(one, settings.language, width, height) for one in settings.captions),
    )


def _layout_view(layout: SceneLayout, instances: Sequence[Instance]) -> Turn | None:
    if layout == "isometric" and any(one.device.category in STANDING for one in instances):
        return STANDING_ISOMETRIC
    return LAYOUTS[layout].view


def _alone(one: Instance, of: Transform) -> tuple[tuple[Instance, ...], Transform]:
    """A scene's only device, moved to the middle, and the scene's transform with the device's own added.

    So the picture is the same as one without a scene.
    """
    (rx, ry, rz), (x, y) = one.angles, one.position
    moved = replace(of, x=of.x + x, y=of.y + y, rx=of.rx + rx, ry=of.ry + ry, rz=of.rz + rz)
    return (replace(one, angles=NO_ANGLES, position=NOWHERE, depth=0.0),), moved


def depends_on_content(settings: Settings) -> bool:
    """Whether the scene of a screenshot that may be transparent depends on more than its size."""
    if not isinstance(settings.device, str):
        return False
    return settings.device == "auto" or takes_shape(settings, catalogue()[settings.device])


def takes_shape(settings: Settings, device: Device) -> bool:
    """Whether a device shows a window alone, in the window's own shape."""
    return settings.screen.trim == "auto" and device.fitted is not None and device.fitted.px is None


def _scaled(settings: Settings, most: int | None) -> tuple[int, int, float]:
    """Width and height in px, and the number of px for each pixel of the canvas."""
    width, height = settings.output_size
    if most is None or width * height <= most:
        return width, height, settings.export.scale
    less = math.sqrt(most / (width * height))
    return max(1, int(width * less)), max(1, int(height * less)), settings.export.scale * less


def _unused(settings: Settings, device: Device) -> Iterator[Warning]:
    """A warning about settings that have no effect on a device."""
    screen, appearance, fitted = settings.screen, settings.appearance, device.fitted
    shows = LOOKS[fitted.design].shows if fitted else frozenset()
    themes = fitted.themes if fitted else ()
    shaped = fitted and fitted.px is None
    unused = {
        "screen.url": screen.url is not None and "url" not in shows,
        "screen.title": screen.title is not None and "title" not in shows,
        "appearance.theme": appearance.theme is not None and appearance.theme not in themes,
        "screen.fit": shaped and screen.fit != "cover",
        "screen.anchor": shaped and screen.anchor is not None,
        "orientation": fitted and settings.orientation not in ("auto", "natural"),
    }
    if said := warnings.no_effect(
        [path for path, is_unused in unused.items() if is_unused], f"on {device.id}"
    ):
        yield said


def _incomplete(settings: Settings) -> Iterator[Warning | None]:
    """Warnings about settings of the whole picture that have no effect without another one.

    There is none if the other one is given, such as a gradient that is switched off.
    """
    appearance, canvas = settings.appearance, settings.canvas
    if not appearance.gradient and "gradient_enabled" not in appearance.model_fields_set:
        given = [path for name, path in _GRADIENT.items() if name in appearance.model_fields_set]
        yield warnings.no_effect(given, "without appearance.gradientEnabled")
    if canvas.gap and canvas.slices == 1 and "slices" not in canvas.model_fields_set:
        yield warnings.no_effect(["canvas.gap"], "without canvas.slices")


def _device(wanted: str | Description) -> Device:
    if isinstance(wanted, Description):
        # Families take a while to load, and few pictures need them.
        from ..devices.described.making import described

        return described(wanted)
    return catalogue()[wanted]


def _fitted(
    settings: Settings, device: Device, size: tuple[int, int], radius: float | None, host: str
) -> tuple[Device, list[Warning]]:
    """A fitted device in the shape of the screenshot, and warnings about its texts."""
    assert device.fitted is not None
    shows, screen = LOOKS[device.fitted.design].shows, settings.screen
    given = {name: text for name in sorted(shows) if (text := getattr(screen, name)) is not None}
    if given.get("url") == SOURCE:
        given["url"] = host
    drawn = {name: drawable(text) for name, text in given.items()}
    lost = [warnings.missing_glyphs(f"screen.{name}") for name, (_, missing) in drawn.items() if missing]
    texts = {name: text for name, (text, _) in drawn.items()}
    # A fitted device's finishes are its themes, by name or colour.
    wanted = plain(settings.appearance.device_color or "")
    pairs = zip(device.fitted.themes, device.finishes, strict=True)
    named = (theme for theme, finish in pairs if wanted in (plain(finish.name), plain(finish.hex)))
    theme = settings.appearance.theme or next(named, None)
    return fitted(device, size, theme, texts.get("url"), texts.get("title"), radius), lost


def _orientation(
    settings: Settings, device: Device, size: tuple[int, int], problems: list[Detail]
) -> Standing:
    wanted = settings.orientation
    if device.fitted or wanted == "auto":
        return _suited(device, size)
    if wanted == "natural":
        return device.natural
    if wanted not in device.standings:
        *most, last = device.standings
        offered = f"{', '.join(most)} or {last}" if most else last
        problems.append(Detail("settings.orientation", f"{device.id} can only be {offered}"))
    return wanted


def _suited(device: Device, size: tuple[int, int]) -> Standing:
    """The orientation of a device that suits a screenshot.

    A foldable has the orientation in which its maker shows it, unless the screenshot was taken in the other.
    """
    if size[0] == size[1]:
        return device.natural
    suited: Standing = "portrait" if size[1] > size[0] else "landscape"
    if suited == device.natural or suited not in device.orientations:
        return device.natural
    if device.category == "foldable":
        height, width = device.screen.px
        ratio = size[0] * height / (size[1] * width)
        return suited if 1 - min(ratio, 1 / ratio) <= CROPPED else device.natural
    return suited


def _tint(text: str | None, device: Device, problems: list[Detail]) -> Color:
    if text is None:
        return parse(device.finishes[0].hex)
    finishes = {finish.name: finish.hex for finish in device.finishes}
    known = index(finishes)
    if name := match(text, known):
        return parse(finishes[name])
    try:
        color = parse(text)
    except ValueError:
        shown = text if len(text) <= 64 else text[:61] + "..."
        message = f'expected a hex colour or a finish of {device.id} ({", ".join(finishes)}), found "{shown}"'
        if close := nearest(text, known) or suggest(text):
            message += f"; did you mean {close}?"
        problems.append(Detail("settings.appearance.deviceColor", message))
        return Color(0, 0, 0)
    if color.alpha < 255:
        message = f'expected an opaque colour, got "{text}"; did you mean {text[:7]}?'
        problems.append(Detail("settings.appearance.deviceColor", message))
    return color


def _ground(settings: Settings, instances: Sequence[Instance], whole: Transform) -> GroundSpec | None:
    ground, shadow = settings.ground, settings.shadow
    alone = len(instances) == 1
    kinds = (ground.under(one.device, _turned(one, whole), alone=alone) for one in instances)
    kind = next((kind for kind in kinds if kind is not None), None)
    if ground.kind == "auto" and settings.layout == "desk":
        kind = "floor"
    if kind is None:
        return None
    color = parse(shadow.color)
    opacity = shadow.opacity * color.alpha / 255 if shadow.enabled else 0.0
    wall, sweep = kind == "wall", ground.kind == "sweep"
    light = SWEEP if sweep and wall else OWN
    return GroundSpec(
        kind,
        light.distance if sweep else ground.distance,
        light.opacity * opacity,
        light.softness * shadow.blur / BLUR,
        color,
        *((ground.reflectivity, ground.roughness) if kind == "floor" and ground.reflectivity else ()),
    )


def _turned(one: Instance, whole: Transform) -> Turn:
    """A device's rotation relative to the camera."""
    rx, ry, rz = one.angles
    return Turn(whole.rx + rx, whole.ry + ry, whole.rz + rz, whole.fov, whole.framing)


def _fit(screen: ScreenFit, device: Device) -> Fit:
    color = parse(screen.background)
    if device.fitted and device.fitted.px is None and "background" not in screen.model_fields_set:
        color = parse(page(device) or screen.background)
    # A transparent background shows the screen behind it, which is black when off.
    shade = (round(part * color.alpha / 255) for part in color[:3])
    return Fit(screen.fit, screen.anchor, Color(*shade))
