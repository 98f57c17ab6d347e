"""The service's types: settings, requests and answers. Generated from its OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Appearance(TypedDict):
    """The background and the colour of the device."""

    backgroundColor: NotRequired[str | None]
    gradientEnabled: NotRequired[bool | None]
    gradientColor: NotRequired[str | None]
    gradientType: NotRequired[Literal['linear', 'radial', 'conic', 'mesh'] | None]
    gradientAngle: NotRequired[float | None]
    gradientStops: NotRequired[list[GradientStop] | None]
    backgroundImage: NotRequired[BackgroundImage | None]
    deviceColor: NotRequired[str | None]
    style: NotRequired[Literal['real', 'clay', 'outline'] | None]
    theme: NotRequired[Literal['light', 'dark'] | None]


class BackgroundImage(TypedDict):
    """A picture behind the device."""

    type: Literal['url', 'base64', 'upload', 'screenshot']
    src: NotRequired[str | None]
    fit: NotRequired[Literal['cover', 'contain', 'stretch'] | None]
    blur: NotRequired[float | None]
    dim: NotRequired[float | None]


class Backing(TypedDict):
    """The background of a caption."""

    color: NotRequired[str | None]
    radius: NotRequired[float | None]
    padding: NotRequired[float | None]


class Base64Request(TypedDict):
    """Base64Request"""

    type: NotRequired[Literal['screenshot'] | None]
    devices: NotRequired[None]
    screenshot: NotRequired[None]
    screenshot_url: NotRequired[None]
    screenshot_base64: str
    settings: NotRequired[Settings | None]
    fast: NotRequired[bool | None]
    projectId: NotRequired[str | None]
    template: NotRequired[str | None]
    texts: NotRequired[list[str | dict[str, str]] | None]
    include: NotRequired[list[Literal['geometry']] | None]


class Bloom(TypedDict):
    """Glow around bright parts."""

    intensity: NotRequired[float | None]
    threshold: NotRequired[float | None]
    radius: NotRequired[float | None]


class Canvas(TypedDict):
    """The picture's size at `export.scale` 1."""

    width: NotRequired[int | None]
    height: NotRequired[int | None]
    preset: NotRequired[str | None]
    slices: NotRequired[int | None]
    gap: NotRequired[int | None]


class Caption(TypedDict):
    """A text on the picture."""

    text: str | dict[str, str]
    x: NotRequired[float | None]
    y: NotRequired[float | None]
    anchor: NotRequired[Literal['top-left', 'top', 'top-right', 'left', 'center', 'right', 'bottom-left', 'bottom', 'bottom-right'] | None]
    width: NotRequired[float | None]
    font: NotRequired[CaptionFont | None]
    color: NotRequired[str | None]
    align: NotRequired[Literal['left', 'center', 'right', 'start', 'end'] | None]
    direction: NotRequired[Literal['auto', 'ltr', 'rtl'] | None]
    background: NotRequired[Backing | None]
    rotation: NotRequired[float | None]
    overflow: NotRequired[Literal['wrap', 'shrink', 'error'] | None]
    maxLines: NotRequired[int | None]


class CaptionFont(TypedDict):
    """The font of a caption."""

    family: NotRequired[str | None]
    size: NotRequired[float | None]
    weight: NotRequired[int | None]
    italic: NotRequired[bool | None]
    lineHeight: NotRequired[float | None]
    letterSpacing: NotRequired[float | None]


class Depth(TypedDict):
    """Depth of field: blurs everything in front of and behind the plane of focus, but not captions."""

    amount: NotRequired[float | None]
    focus: NotRequired[float | None]


class Description(TypedDict):
    """A device that the catalogue does not have, by its measurements."""

    kind: Literal['phone', 'tablet', 'foldable', 'laptop', 'monitor', 'tv', 'console', 'watch', 'window', 'card']
    screen: DeviceScreen
    ppi: NotRequired[float | None]
    body: NotRequired[DeviceBody | None]
    bezel: NotRequired[float | DeviceBezel | None]
    material: NotRequired[Literal['aluminium', 'titanium', 'steel', 'glass', 'plastic', 'matte'] | None]
    color: NotRequired[str | None]
    camera: NotRequired[Literal['none', 'single', 'dual', 'triple', 'quad', 'bar', 'single-square', 'dual-square', 'square', 'quad-square'] | None]


class Device(TypedDict):
    """A device."""

    id: str
    name: str
    aliases: list[str]
    brand: str | None
    category: str
    year: int | None
    screen: ScreenSize
    finishes: list[Finish]
    orientations: list[Literal['portrait', 'landscape']]
    approximate: list[str]
    preview: str


class DeviceAppearance(TypedDict):
    """How one device of a scene is drawn."""

    deviceColor: NotRequired[str | None]
    style: NotRequired[Literal['real', 'clay', 'outline'] | None]
    theme: NotRequired[Literal['light', 'dark'] | None]


class DeviceBezel(TypedDict):
    """The bezel of a described device on each side, in millimetres."""

    top: NotRequired[float | None]
    right: NotRequired[float | None]
    bottom: NotRequired[float | None]
    left: NotRequired[float | None]


class DeviceBody(TypedDict):
    """A described body, in millimetres: a laptop closed, a foldable open, a monitor without its stand."""

    width: float
    height: float
    depth: NotRequired[float | None]


class DeviceCutout(TypedDict):
    """A cut-out of a described screen, in its pixels."""

    kind: NotRequired[Literal['none', 'island', 'notch', 'hole'] | None]
    width: NotRequired[float | None]
    height: NotRequired[float | None]
    x: NotRequired[float | None]
    y: NotRequired[float | None]


class DeviceScreen(TypedDict):
    """A described screen, in pixels as the device is held upright."""

    width: int
    height: int
    cornerRadius: NotRequired[float | None]
    cutout: NotRequired[DeviceCutout | None]


class DeviceTransform(TypedDict):
    """Position and rotation of the device; see docs/rendering.md."""

    scale: NotRequired[float | None]
    positionX: NotRequired[float | None]
    positionY: NotRequired[float | None]
    rotationX: NotRequired[float | None]
    rotationY: NotRequired[float | None]
    rotationZ: NotRequired[float | None]
    fieldOfView: NotRequired[float | None]
    framing: NotRequired[Literal['auto', 'upright', 'posed', 'balanced'] | None]
    pose: NotRequired[str | None]


class Export(TypedDict):
    """The output file."""

    format: NotRequired[Literal['png', 'jpeg', 'jpg', 'webp', 'avif'] | None]
    quality: NotRequired[int | None]
    scale: NotRequired[float | None]
    store: NotRequired[Literal['apple', 'play'] | None]
    metadata: NotRequired[bool | None]


class Failed(TypedDict):
    """A description of what is wrong."""

    code: str
    message: str
    details: NotRequired[list[Fault]]


class Fault(TypedDict):
    """An offending path."""

    path: str
    message: str


class Film(TypedDict):
    """A film: its progress and its outcome."""

    id: str
    status: Literal['queued', 'running', 'done', 'failed']
    frame: int
    frames: int
    etaMs: NotRequired[int]
    result: NotRequired[FilmFile]
    device: NotRequired[str]
    error: NotRequired[Failed]
    warnings: list[Warning]
    createdAt: str
    expiresAt: str


class FilmBody(TypedDict):
    """A film to be made."""

    type: NotRequired[Literal['film'] | None]
    recording: NotRequired[FilmRecording | None]
    screenshot: NotRequired[Screenshot | None]
    devices: NotRequired[list[FilmedDevice] | None]
    settings: NotRequired[Settings | None]
    projectId: NotRequired[str | None]
    motion: NotRequired[Motion | None]
    export: NotRequired[FilmExport | None]
    fast: NotRequired[bool | None]
    webhook: NotRequired[Webhook | None]


class FilmExport(TypedDict):
    """The film's file."""

    format: NotRequired[Literal['mp4', 'webm', 'mov', 'gif', 'webp', 'apng', 'frames'] | None]
    quality: NotRequired[int | None]
    alpha: NotRequired[bool | None]
    store: NotRequired[Literal['apple'] | None]
    maxBytes: NotRequired[int | None]


class FilmFile(TypedDict):
    """The file of a film."""

    url: str
    mimeType: Literal['video/mp4', 'video/webm', 'video/quicktime', 'image/gif', 'image/webp', 'image/apng', 'application/zip']
    bytes: int
    fps: int
    width: int
    height: int


class FilmRecording(TypedDict):
    """The recording that is shown, and which part of it."""

    start: NotRequired[float | None]
    end: NotRequired[float | None]
    speed: NotRequired[float | None]
    after: NotRequired[Literal['hold', 'repeat', 'bounce'] | None]
    type: Literal['upload', 'url']
    src: str


class FilmedDevice(TypedDict):
    """A device of a film's scene, which shows the film's recording or one of its own."""

    device: NotRequired[str | Description | None]
    orientation: NotRequired[Literal['auto', 'natural', 'portrait', 'landscape', 'landscape-right'] | None]
    screen: NotRequired[ScreenFit | None]
    appearance: NotRequired[DeviceAppearance | None]
    deviceTransform: NotRequired[OwnTransform | None]
    depth: NotRequired[float | None]
    recording: NotRequired[FilmRecording | None]
    screenshot: NotRequired[Screenshot | None]


class Finish(TypedDict):
    """A finish of a device."""

    name: str
    hex: str
    preview: str


class Geometry(TypedDict):
    """Where the device is in a picture."""

    width: int
    height: int
    k: float
    D: float
    center: list[float]
    aside: list[float]
    turn: list[float]
    body: list[list[float]]
    box: list[float]
    screens: list[ScreenPlace]


class GradientStop(TypedDict):
    """A colour of a gradient."""

    color: str
    at: NotRequired[float | None]


class Grain(TypedDict):
    """Film grain."""

    amount: NotRequired[float | None]
    size: NotRequired[float | None]
    seed: NotRequired[int | None]


class Ground(TypedDict):
    """The surface that the device stands on or hangs in front of."""

    kind: NotRequired[Literal['auto', 'none', 'floor', 'wall', 'sweep'] | None]
    distance: NotRequired[float | None]
    reflectivity: NotRequired[float | None]
    roughness: NotRequired[float | None]


class Keyframe(TypedDict):
    """The pose of the device at a time."""

    at: NotRequired[float | None]
    ease: NotRequired[Literal['linear', 'ease', 'ease-in', 'ease-out', 'ease-in-out', 'expo-out', 'back-out'] | list[float] | None]
    deviceTransform: NotRequired[PoseChange | None]
    lid: NotRequired[float | None]


class Look(TypedDict):
    """A whole look."""

    id: str
    name: str
    description: str
    settings: Settings
    preview: str


MockupRequest: TypeAlias = "ScreenshotRequest | UrlRequest | Base64Request | SceneRequest"


class Motion(TypedDict):
    """The motion of a film, and its duration."""

    duration: NotRequired[float | None]
    fps: NotRequired[Literal[24, 25, 30, 50, 60] | None]
    move: NotRequired[Move | None]
    keyframes: NotRequired[list[Keyframe] | None]
    scroll: NotRequired[Scroll | None]
    seamless: NotRequired[bool | None]
    shutterAngle: NotRequired[float | None]


class Move(TypedDict):
    """A move by name."""

    name: NotRequired[str | None]
    amount: NotRequired[float | None]
    ease: NotRequired[Literal['linear', 'ease', 'ease-in', 'ease-out', 'ease-in-out', 'expo-out', 'back-out'] | list[float] | None]


class OwnTransform(TypedDict):
    """The position and rotation of one device of a scene, relative to its place in the layout."""

    positionX: NotRequired[float | None]
    positionY: NotRequired[float | None]
    rotationX: NotRequired[float | None]
    rotationY: NotRequired[float | None]
    rotationZ: NotRequired[float | None]
    pose: NotRequired[str | None]


class PoseChange(TypedDict):
    """Members of `deviceTransform` at a keyframe; it does not affect the others."""

    scale: NotRequired[float | None]
    positionX: NotRequired[float | None]
    positionY: NotRequired[float | None]
    rotationX: NotRequired[float | None]
    rotationY: NotRequired[float | None]
    rotationZ: NotRequired[float | None]
    fieldOfView: NotRequired[float | None]


class PostProcessing(TypedDict):
    """Effects on the finished picture, each a boolean or an object."""

    depth: NotRequired[bool | Depth | None]
    bloom: NotRequired[bool | Bloom | None]
    vignette: NotRequired[bool | Vignette | None]
    grain: NotRequired[bool | Grain | None]


PreviewRequest: TypeAlias = "ScreenshotPreview | ScenePreview"


class PreviewedDevice(TypedDict):
    """A device of a scene that is previewed."""

    device: NotRequired[str | Description | None]
    orientation: NotRequired[Literal['auto', 'natural', 'portrait', 'landscape', 'landscape-right'] | None]
    screen: NotRequired[ScreenFit | None]
    appearance: NotRequired[DeviceAppearance | None]
    deviceTransform: NotRequired[OwnTransform | None]
    depth: NotRequired[float | None]
    screenshot: NotRequired[PreviewedScreenshot | None]


class PreviewedScreenshot(TypedDict):
    """The screenshot of a device of a scene that is previewed."""

    type: Literal['upload', 'same']
    src: NotRequired[str | None]
    index: NotRequired[int | None]


class Project(TypedDict):
    """A saved project."""

    id: str
    name: str
    settings: dict[str, Any]
    devices: NotRequired[list[dict[str, Any]]]
    set: NotRequired[dict[str, Any]]
    film: NotRequired[dict[str, Any]]
    createdAt: str
    updatedAt: str


class Recording(TypedDict):
    """An uploaded recording."""

    id: str
    width: int
    height: int
    durationMs: int
    fps: float
    expiresAt: str


class Reflection(TypedDict):
    """Reflections on the glass and the metal."""

    enabled: NotRequired[bool | None]
    intensity: NotRequired[float | None]
    environment: NotRequired[Literal['studio', 'window', 'sunset', 'city', 'night', 'forest', 'softbox', 'strip', 'spotlight', 'none'] | None]
    rotation: NotRequired[float | None]
    glare: NotRequired[Literal['reduced', 'soft', 'natural'] | None]
    spill: NotRequired[float | None]


class ScenePreview(TypedDict):
    """ScenePreview"""

    type: NotRequired[Literal['scene'] | None]
    devices: list[PreviewedDevice]
    screenshot: NotRequired[None]
    settings: NotRequired[Settings | None]
    projectId: NotRequired[str | None]
    template: NotRequired[str | None]
    texts: NotRequired[list[str | dict[str, str]] | None]
    maxPixels: NotRequired[int | None]
    format: NotRequired[Literal['auto', 'jpeg', 'webp', 'png'] | None]


class SceneRequest(TypedDict):
    """SceneRequest"""

    type: NotRequired[Literal['scene'] | None]
    devices: list[ShownDevice]
    screenshot: NotRequired[None]
    screenshot_url: NotRequired[None]
    screenshot_base64: NotRequired[None]
    settings: NotRequired[Settings | None]
    fast: NotRequired[bool | None]
    projectId: NotRequired[str | None]
    template: NotRequired[str | None]
    texts: NotRequired[list[str | dict[str, str]] | None]
    include: NotRequired[list[Literal['geometry']] | None]


class SceneScreenshot(TypedDict):
    """The screenshot of a device of a scene."""

    type: Literal['url', 'base64', 'upload', 'same']
    src: NotRequired[str | None]
    index: NotRequired[int | None]


class ScreenFit(TypedDict):
    """How the screenshot fits the screen."""

    fit: NotRequired[Literal['cover', 'contain', 'stretch'] | None]
    anchor: NotRequired[Literal['top', 'center', 'bottom'] | None]
    background: NotRequired[str | None]
    trim: NotRequired[Literal['auto', 'none'] | None]
    url: NotRequired[str | None]
    title: NotRequired[str | None]


class ScreenPlace(TypedDict):
    """Where a screen is in a picture."""

    corners: list[list[float]]
    homography: list[float]
    hidden: float


class ScreenSize(TypedDict):
    """The pixels of a screen."""

    width: int
    height: int
    fitted: bool


class Screenshot(TypedDict):
    """Where the screenshot comes from."""

    type: Literal['url', 'base64', 'upload']
    src: str


class ScreenshotPreview(TypedDict):
    """ScreenshotPreview"""

    type: NotRequired[Literal['screenshot'] | None]
    devices: NotRequired[None]
    screenshot: NotRequired[UploadedScreenshot | None]
    settings: NotRequired[Settings | None]
    projectId: NotRequired[str | None]
    template: NotRequired[str | None]
    texts: NotRequired[list[str | dict[str, str]] | None]
    maxPixels: NotRequired[int | None]
    format: NotRequired[Literal['auto', 'jpeg', 'webp', 'png'] | None]


class ScreenshotRequest(TypedDict):
    """ScreenshotRequest"""

    type: Literal['screenshot']
    devices: NotRequired[None]
    screenshot: Screenshot
    screenshot_url: NotRequired[None]
    screenshot_base64: NotRequired[None]
    settings: NotRequired[Settings | None]
    fast: NotRequired[bool | None]
    projectId: NotRequired[str | None]
    template: NotRequired[str | None]
    texts: NotRequired[list[str | dict[str, str]] | None]
    include: NotRequired[list[Literal['geometry']] | None]


Scroll = TypedDict("Scroll", {"from": "NotRequired[float | None]", "to": "NotRequired[float | None]", "at": "NotRequired[float | None]", "duration": "NotRequired[float | None]", "ease": "NotRequired[Literal['linear', 'ease', 'ease-in', 'ease-out', 'ease-in-out', 'expo-out', 'back-out'] | list[float] | None]"})


class Settings(TypedDict):
    """Everything that describes a mockup except the screenshot."""

    device: NotRequired[str | Description | None]
    orientation: NotRequired[Literal['auto', 'natural', 'portrait', 'landscape', 'landscape-right'] | None]
    layout: NotRequired[Literal['free', 'row', 'fan', 'cascade', 'stack', 'desk', 'isometric'] | None]
    canvas: NotRequired[Canvas | None]
    screen: NotRequired[ScreenFit | None]
    appearance: NotRequired[Appearance | None]
    deviceTransform: NotRequired[DeviceTransform | None]
    shadow: NotRequired[Shadow | None]
    ground: NotRequired[Ground | None]
    reflection: NotRequired[Reflection | None]
    postProcessing: NotRequired[PostProcessing | None]
    captions: NotRequired[list[Caption] | None]
    language: NotRequired[str | None]
    export: NotRequired[Export | None]


class Shadow(TypedDict):
    """The soft shadow on the background."""

    enabled: NotRequired[bool | None]
    opacity: NotRequired[float | None]
    blur: NotRequired[float | None]
    color: NotRequired[str | None]
    offsetX: NotRequired[float | None]
    offsetY: NotRequired[float | None]


class ShownDevice(TypedDict):
    """A device of a scene and its screenshot."""

    device: NotRequired[str | Description | None]
    orientation: NotRequired[Literal['auto', 'natural', 'portrait', 'landscape', 'landscape-right'] | None]
    screen: NotRequired[ScreenFit | None]
    appearance: NotRequired[DeviceAppearance | None]
    deviceTransform: NotRequired[OwnTransform | None]
    depth: NotRequired[float | None]
    screenshot: SceneScreenshot


class Upload(TypedDict):
    """An uploaded screenshot."""

    id: str
    width: int
    height: int
    expiresAt: str


class UploadedScreenshot(TypedDict):
    """A screenshot that was uploaded before."""

    type: Literal['upload']
    src: str


class UrlRequest(TypedDict):
    """UrlRequest"""

    type: NotRequired[Literal['screenshot'] | None]
    devices: NotRequired[None]
    screenshot: NotRequired[None]
    screenshot_url: str
    screenshot_base64: NotRequired[None]
    settings: NotRequired[Settings | None]
    fast: NotRequired[bool | None]
    projectId: NotRequired[str | None]
    template: NotRequired[str | None]
    texts: NotRequired[list[str | dict[str, str]] | None]
    include: NotRequired[list[Literal['geometry']] | None]


class Vignette(TypedDict):
    """Darkening towards the corners."""

    amount: NotRequired[float | None]
    softness: NotRequired[float | None]


class Warning(TypedDict):
    """A part of the picture that may not look as intended."""

    code: str
    message: str


class Webhook(TypedDict):
    """The address to call when a film is done."""

    url: str
    secret: str
