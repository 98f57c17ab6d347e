"""The façade: a render request and a clock in, an encoded picture out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache, partial
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from ..arrays import U8
from ..clock import CancelledError, Clock
from ..codec import encode
from ..codec.content import measure, trimmed
from ..codec.picture import Header
from ..codec.raw import RequestedSize
from ..codec.sandbox.client import Sandboxed
from ..devices.content import Content
from ..devices.device import Device, catalogue
from ..devices.families.fitted import page
from ..devices.origin import suited
from ..errors import Detail, MockupError, failed, refusal, short_of_memory
from ..render.compose import background_image, exposure, shot
from ..render.geometry.camera import Stage, field_of_view
from ..render.geometry.silhouette import off_canvas
from ..render.light.environment import load
from ..render.light.panorama import panorama
from ..render.paint import screens
from ..render.paint.screens import View
from ..render.plates import background, plate
from ..render.plates.plate import Plate, ScreenLayer
from ..settings import templates, warnings
from ..settings.captions import UnusableCaptionError
from ..settings.formats import FORMATS
from ..settings.rendering import Rendering
from ..settings.resolve import resolve
from ..settings.scene import Background, Output, PlateSpec, Scene, Showing
from ..settings.schema import DEFAULT_DEVICE, Settings
from ..settings.stores import too_large
from ..settings.warnings import Warning
from ..system.idle import give_back, settle_heap
from ..validation.color import parse
from . import geometry, watermark
from .backdrops import Backdrops, about_background
from .captions import captions
from .halves import Halves
from .plates import Plates
from .request import (
    DevicePreview,
    DrawingRequest,
    EnvironmentPicture,
    RenderRequest,
    ShapeRequest,
    SourceFile,
)
from .warped import Warped, WarpedShot

LARGE = 16_000_000  # output pixels above which memory is returned before the picture is encoded
CACHE_BYTES = 128 * 2**20  # bytes of plates that a studio without a server caches


# The wallpaper's colours on devices in previews, from the top left to the bottom right.
WALLPAPER = Background.of(parse("#3B5BDB"), parse("#F7B59A"), angle=160.0)


class PlateSource(Protocol):
    """A source of plates, such as `service.engine.plates.Plates`."""

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether `get` has the plate without building it."""
        ...

    def get(self, spec: PlateSpec, build: Callable[[], plate.Plate]) -> plate.Plate:
        """The plate of a plate spec, built by `build` if need be."""
        ...


class Decoder(Protocol):
    """Decodes screenshots, such as `service.codec.sandbox.client.Sandboxed`."""

    def decode(
        self,
        data: bytes | memoryview,
        header: Header,
        requested: RequestedSize,
        clock: Clock,
        number: int = 0,
    ) -> U8:
        """As `service.codec.decode.decode`, for the picture's file `number`, before the clock's deadline."""
        ...

    def warm(self) -> None:
        """Get ready for the first screenshot."""
        ...

    def trim(self) -> None:
        """Return unused memory."""
        ...

    def close(self) -> None:
        """Release processes and memory."""
        ...


class Studio:
    """Renders; for one thread at a time."""

    def __init__(
        self, *, plates: PlateSource | None = None, decoder: Decoder | None = None, fonts: str = ""
    ) -> None:
        """Use `plates` and `decoder`, or create them; `fonts` is a folder of fonts for captions."""
        settle_heap()
        # Pictures are rendered in parallel; more threads of OpenCV's would compete for the same cores.
        cv2.setNumThreads(2)
        self._decoder = decoder or Sandboxed()
        self._ahead = ThreadPoolExecutor(1, thread_name_prefix="decode")
        self._fonts = fonts
        self._plates = plates if plates is not None else Plates(CACHE_BYTES)
        self._halves = Halves()
        self._warped = Warped()
        self._backdrops = Backdrops()

    def warm_up(self) -> None:
        """Draw the default device once, to create all environments, shapes and tables that it needs."""
        self._decoder.warm()
        self.preview(DevicePreview(DEFAULT_DEVICE), Clock())

    def trim(self) -> None:
        """Return unused memory to the system."""
        self._decoder.trim()
        self._halves.trim()
        self._warped.trim()
        self._backdrops.trim()
        encode.trim()
        give_back()

    def close(self) -> None:
        """End the decoder."""
        self._ahead.shutdown(cancel_futures=True)
        self._decoder.close()

    def render(self, request: RenderRequest, clock: Clock) -> Rendering:
        """Make one picture; raises MockupError for a bad screenshot, a missed deadline or a failure."""
        try:
            return self._render(request, clock)
        except (MockupError, CancelledError):
            raise
        except UnusableCaptionError as fault:
            raise refusal(Detail(fault.path, str(fault))) from None
        except MemoryError as error:
            raise short_of_memory() from error
        except Exception as error:
            raise failed() from error

    def _render(self, request: RenderRequest, clock: Clock) -> Rendering:
        """The stages of a picture under their names in `Server-Timing`; bloom is part of composing."""
        decoded: dict[int, U8] = {}
        self._halves.expect([file.id for file in request.files])
        if request.supposed is not None:
            with clock.stage("decode"):
                decoded, request = self._measured(request, clock)
        scene = request.scene
        spec = scene.spec
        with clock.stage("plate"):
            view = screens.view(spec)
            exposures = _exposures(request, view)
        with self._decoding(request, decoded, _demand(request, exposures), clock) as ready:
            with clock.stage("plate"):
                built = self._plates.get(spec, partial(plate.build, spec, clock, view))
            behind = None
            if scene.backdrop:
                with clock.stage("decode"):
                    # The background may be a file, too, and the decoder takes one file at a time.
                    first = [get() for get in ready][scene.shown[0].source]
                behind = self._behind(request, first, clock)
                del first
            before = captions(scene, self._fonts, clock)
            shots: list[U8 | None] = []
            mirrored: list[U8 | None] = []
            layers, mirrors = iter(built.screens), iter(built.mirrors)
            for one in exposures:
                # The next screenshot is decoded meanwhile.
                with clock.stage("decode"):
                    shown = self._shown(ready[one.shown.source](), one, spec.fast)
                with clock.stage("warp"):
                    for own, kept in ((layers, shots), (mirrors, mirrored)):
                        # `zip` takes a placement before a layer. So when the placements run out, no layer of
                        # the next device is lost. Without mirrors, it ends at once.
                        kept += [
                            self._expose(request, shown, one, placement, layer, clock) if layer else None
                            for placement, layer in zip(one.placements, own, strict=False)
                        ]
                del shown
            with clock.stage("decode"):
                around = [measure(get()) for get in ready]
        del decoded, ready
        height, width, channels = built.base.shape
        channels = channels if behind is None else behind.shape[2]
        with clock.stage("compose"):
            cuts = scene.cuts or ((0, width),)
            files = [
                encode.writer(end - start, height, alpha=channels == 4, output=scene.output)
                for start, end in cuts
            ]
            done = 0
            for band in exposure.bands(built, mirrored + shots, scene.effects, clock, behind, before):
                shown_band = watermark.mark(band, done, height) if request.options.watermark else band
                done += len(band)
                for file, (start, end) in zip(files, cuts, strict=True):
                    file.write(np.ascontiguousarray(shown_band[:, start:end]))
        places = geometry.geometry(spec, view, built) if request.options.geometry else ()
        hidden = _hidden(scene, view, built) if len(spec.instances) > 1 else ()
        del built, shots, mirrored, behind
        if width * height > LARGE:
            # The plate is no longer needed, and some encoders need about as much memory as it took.
            give_back()
        with clock.stage("encode"):
            encoded = [file.finish() for file in files]
        for data in encoded:
            if refused := too_large(scene.store, len(data)):
                raise refusal(refused)
        said = _seen(scene, view.stage) + (before.warnings if before else ()) + scene.warnings
        for number, one in enumerate(exposures):
            facts = request.files[one.shown.source].header
            said += scene.about(number, _about(one, facts, around[one.shown.source]))
        if channels == 4 and not FORMATS[scene.output.format].alpha:
            said += (warnings.alpha_flattened(),)
        said += hidden
        mime = FORMATS[scene.output.format].mime
        width = cuts[0][1] - cuts[0][0]
        made = Rendering(
            encoded[0], mime, width, height, scene.device.id, said, places, devices=scene.named_devices
        )
        return made if len(encoded) == 1 else made.several(encoded)

    def _measured(self, request: RenderRequest, clock: Clock) -> tuple[dict[int, U8], RenderRequest]:
        """Decode the screenshots on whose content the scene depends; returns them and the new request."""
        assert request.supposed is not None
        decoded = {
            number: self._decode(request.files[number], number, None, clock)
            for number in request.supposed.unknown
        }
        return decoded, request.measured({number: measure(pixels) for number, pixels in decoded.items()})

    def _decode(self, file: SourceFile, number: int, wanted: RequestedSize, clock: Clock) -> U8:
        try:
            return self._decoder.decode(file.data, file.header, wanted, clock, number)
        except MockupError as error:
            raise file.at_fault(error) from error.__cause__

    def _shown(self, pixels: U8, one: Exposure, fast: bool) -> U8:
        """The pixels of a screenshot as a device shows them."""
        if one.shown.trim:
            pixels = trimmed(pixels, one.shown.trim)
        return self._halves.halved(pixels, one.wanted, one.shown.source) if fast else pixels

    def _expose(
        self,
        request: RenderRequest,
        pixels: U8,
        one: Exposure,
        placement: shot.ShotPlacement,
        layer: ScreenLayer,
        clock: Clock,
    ) -> U8:
        """A screenshot as a screen shows it, warped now or cached from an earlier picture."""
        id, fit, fast = request.files[one.shown.source].id, one.shown.fit, request.scene.spec.fast
        place = layer.box, layer.size, layer.matrix.tobytes()
        seen = request.scene.spec if layer.haze else None
        shown = WarpedShot(id, pixels.shape, placement, fit, *place, fast, seen)
        make = partial(shot.expose, pixels, placement, fit, layer, clock, fast=fast)
        return self._warped.get(shown, make)

    def _behind(self, request: RenderRequest, first: U8, clock: Clock) -> U8:
        """The background picture, from the pixels of the `first` screenshot or from its own file."""
        scene, file = request.scene, request.backdrop
        spec, backdrop = scene.spec, scene.backdrop
        assert backdrop is not None
        size = (spec.width, spec.height)

        def paint(pixels: U8) -> U8:
            with clock.stage("backdrop"):
                return background_image.paint(pixels, backdrop, size, clock, fast=spec.fast)

        def decoded() -> U8:
            assert file is not None
            wanted = background_image.demand((file.header.width, file.header.height), backdrop, size)
            with about_background(), clock.stage("decode"):
                # No screenshot has this number, so the background's pixels are not cached.
                number = len(request.files)
                return self._decoder.decode(file.data, file.header, wanted, clock, number)

        if backdrop.screenshot:
            one = scene.shown[0]
            return paint(trimmed(first, one.trim) if one.trim else first)
        if file is None:
            raise ValueError("a background image comes with its file")
        return self._backdrops.get((file.name, backdrop, size, spec.fast), lambda: paint(decoded()))

    def draw(self, drawing: DrawingRequest, clock: Clock) -> Rendering:
        """Make a picture or shape that needs no screenshot; raises as `render` does."""
        try:
            match drawing:
                case DevicePreview():
                    return self.preview(drawing, clock)
                case EnvironmentPicture():
                    return self.environment(drawing)
                case ShapeRequest():
                    return self.shape(drawing, clock)
        except (MockupError, CancelledError):
            raise
        except MemoryError as error:
            raise short_of_memory() from error
        except Exception as error:
            raise failed() from error

    def shape(self, request: ShapeRequest, clock: Clock) -> Rendering:
        """The geometry and the device's shape, without a picture."""
        render = request.render
        if render.supposed is not None:
            render = self._measured(render, clock)[1]
        scene = render.scene
        view = screens.view(scene.spec)
        places, shapes = geometry.geometry(scene.spec, view), geometry.shape(scene.spec)
        said = _seen(scene, view.stage) + scene.warnings
        width, height = scene.spec.width, scene.spec.height
        return Rendering(
            b"", "", width, height, scene.device.id, said, places, shapes, devices=scene.named_devices
        )

    @contextmanager
    def _decoding(
        self,
        request: RenderRequest,
        decoded: Mapping[int, U8],
        wanted: Sequence[tuple[int, int]],
        clock: Clock,
    ) -> Iterator[list[Callable[[], U8]]]:
        """A function that returns each screenshot and decodes it only once.

        Screenshots are decoded ahead, while the plate is built or other screenshots are warped.
        """
        decode: list[Callable[[], U8]] = [
            partial(decoded.__getitem__, number)
            if number in decoded
            else cache(partial(self._decode, file, number, size, clock))
            for number, (file, size) in enumerate(zip(request.files, wanted, strict=True))
        ]
        left = len(decode) - len(decoded)
        if left == 0 or (left == 1 and request.scene.spec in self._plates):
            yield decode
            return
        ahead = [self._ahead.submit(one) for one in decode]
        try:
            yield [one.result for one in ahead]
        finally:
            # These calls use this picture's clock, so they must end before the next picture begins.
            wait([one for one in ahead if not one.cancel()])

    def preview(self, wanted: DevicePreview, clock: Clock) -> Rendering:
        """A PNG of a catalogue device, background transparent, in a finish or its first.

        Its screen shows a wallpaper; devices that take a screenshot's shape show an empty page. Raises
        KeyError.
        """
        device, size = wanted.device, wanted.size
        item = catalogue()[device]
        settings = Settings.model_validate(
            {
                "device": device,
                "canvas": {"width": size, "height": size},
                "appearance": {"backgroundColor": "transparent", "deviceColor": wanted.finish},
                "shadow": {"enabled": False},
                "deviceTransform": {"rotationY": 155 if wanted.back else -20, "rotationX": 5},
            }
        )
        scene = resolve(settings, item.screen.px, fast=False)
        made = plate.build(scene.spec, clock)
        blank = page(scene.device)
        shown = Background.of(parse(blank)) if blank else WALLPAPER
        shots = [_page(shown, layer) if layer else None for layer in made.screens]
        picture = np.concatenate(list(exposure.bands(made, shots, (), clock)))
        data = encode.encode(picture, Output("png"))
        return Rendering(data, FORMATS["png"].mime, size, size, device, ())

    def environment(self, wanted: EnvironmentPicture) -> Rendering:
        """A WebP of an environment; raises ValueError."""
        width, height = wanted.width, wanted.width // 2
        data = encode.encode(panorama(load(wanted.name), width, height), Output("webp"))
        return Rendering(data, FORMATS["webp"].mime, width, height, "", ())


def _page(shown: Background, layer: ScreenLayer) -> U8:
    """An empty page in place of a screenshot, (h, w, 3)."""
    height, width = layer.base.shape[:2]
    page = np.empty((height, width, 4), np.uint8)
    background.plain(page, shown, 0, height)
    return page[..., :3]


class Exposure(NamedTuple):
    """A screenshot of `size` px on a device: its place on each screen, and its size in the picture in px."""

    shown: Showing
    size: tuple[int, int]
    placements: tuple[shot.ShotPlacement, ...]
    wanted: tuple[int, int]
    device: Device


def _exposures(request: RenderRequest, view: View) -> list[Exposure]:
    """The screenshot of each device."""
    scene, planes = request.scene, iter(view.screens)
    made = []
    for one, shown in zip(scene.spec.instances, scene.shown, strict=True):
        size = shown.trim.box[2:] if shown.trim else request.files[shown.source].size
        own = [next(planes) for _ in one.device.screens]
        placements = tuple(shot.place(size, plane.size, shown.fit) for plane in own)
        made.append(Exposure(shown, size, placements, shot.demand(placements, own), one.device))
    return made


def _demand(request: RenderRequest, exposures: Sequence[Exposure]) -> list[tuple[int, int]]:
    """The size in px of each screenshot where it is shown largest."""
    wanted = [(1, 1)] * len(request.files)
    for one in exposures:
        across, down = wanted[one.shown.source]
        wanted[one.shown.source] = max(across, one.wanted[0]), max(down, one.wanted[1])
    scene = request.scene
    if scene.backdrop and scene.backdrop.screenshot:
        first, size = scene.shown[0].source, (scene.spec.width, scene.spec.height)
        behind = background_image.demand(request.files[first].size, scene.backdrop, size)
        wanted[first] = max(wanted[first][0], behind[0]), max(wanted[first][1], behind[1])
    return wanted


def _seen(scene: Scene, stage: Stage) -> tuple[Warning, ...]:
    """Warnings about the camera's view of the devices."""
    limited = warnings.field_of_view_limited(scene.spec.transform.fov, field_of_view(scene.spec))
    said: tuple[Warning, ...] = (limited,) if limited else ()
    off: tuple[Warning, ...] = ()
    for number, (one, camera) in enumerate(zip(scene.spec.instances, stage.cameras, strict=True)):
        off += scene.about(number, [warnings.off_canvas(off_canvas(one.device, camera))])
    return said if off and templates.composed(scene.placement) else said + off


def _hidden(scene: Scene, view: View, built: Plate) -> tuple[Warning, ...]:
    """Warnings about the screens that other devices of a scene hide."""
    said: tuple[Warning, ...] = ()
    shares = geometry.hidden(scene.spec, view, built)
    for number, (one, camera, share) in enumerate(
        zip(scene.spec.instances, view.stage.cameras, shares, strict=True)
    ):
        found = warnings.screen_hidden(share)
        # A device off the canvas has a warning of its own.
        if found and not warnings.off_canvas(off_canvas(one.device, camera)):
            said += scene.about(number, [found])
    return said


def _about(one: Exposure, facts: Header, around: Content | None) -> Iterator[Warning | None]:
    """Warnings about a screenshot, the margin around its content, and its fit to the device."""
    first = one.placements[0]
    if one.shown.trim:
        around = None
    yield warnings.animated(FORMATS[facts.format].label) if facts.animated else None
    yield warnings.upscaled(one.size, one.wanted)
    yield warnings.cropped(*shot.margins(first.crop), suited(one.size, around, one.device))
    yield warnings.letterboxed(*shot.margins(first.onto))
    yield warnings.stretched(first.stretch)
    yield warnings.transparent_margin(around.margin, around.window) if around else None
