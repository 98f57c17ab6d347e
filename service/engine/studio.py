"""The façade: a render request and a clock in, an encoded picture out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from typing import Protocol

import cv2
import numpy as np

from service.arrays import U8
from service.clock import CancelledError, Clock
from service.codec import encode
from service.codec.content import measure, trimmed
from service.codec.picture import Header
from service.codec.raw import RequestedSize
from service.codec.sandbox.client import Sandboxed
from service.devices.content import Content
from service.devices.device import catalogue
from service.devices.families.fitted import page
from service.devices.origin import suited
from service.engine import geometry
from service.engine.halves import Halves
from service.engine.plates import Plates
from service.engine.request import DevicePreview, Drawing, EnvironmentPicture, RenderRequest, ShapeRequest
from service.errors import Detail, MockupError, failed, refusal, short_of_memory
from service.render.compose import exposure, shot
from service.render.geometry.camera import Camera, field_of_view
from service.render.geometry.silhouette import off_canvas
from service.render.light.environment import load
from service.render.light.panorama import panorama
from service.render.paint import screens
from service.render.plates import background, plate
from service.render.plates.plate import ScreenLayer
from service.settings import warnings
from service.settings.captions import UnusableCaptionError
from service.settings.formats import FORMATS
from service.settings.rendering import Rendering
from service.settings.scene import Background, Output, PlateSpec, Scene, resolve
from service.settings.schema import DEFAULT_DEVICE, Settings
from service.settings.stores import too_large
from service.settings.warnings import Warning
from service.system.idle import give_back, settle_heap
from service.validation.color import parse

LARGE = 16_000_000  # output pixels
CACHE_BYTES = 128 * 2**20  # of plates that a studio of its own keeps


# On the screens of devices in previews, from the top left to the bottom right.
WALLPAPER = Background.of(parse("#3B5BDB"), parse("#F7B59A"), angle=160.0)


class Store(Protocol):
    """Where plates come from, such as `service.engine.plates.Plates`."""

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether `get` has the plate without building it."""
        ...

    def get(self, spec: PlateSpec, build: Callable[[], plate.Plate]) -> plate.Plate:
        """The plate of a plate spec, built by `build` if need be."""
        ...


class Decoder(Protocol):
    """Decodes screenshots, such as `service.codec.sandbox.client.Sandboxed`."""

    def decode(self, data: bytes | memoryview, header: Header, requested: RequestedSize, clock: Clock) -> U8:
        """As `service.codec.decode.decode`, within the time of `clock`."""
        ...

    def warm(self) -> None:
        """Prepare for the first screenshot."""
        ...

    def trim(self) -> None:
        """Give back memory that is not in use."""
        ...

    def close(self) -> None:
        """Let go of processes and memory."""
        ...


class Studio:
    """Renders; for one thread at a time."""

    def __init__(
        self, *, plates: Store | None = None, decoder: Decoder | None = None, fonts: str = ""
    ) -> None:
        """Use `plates` and `decoder`, or some of its own; `fonts` is a folder of fonts for captions."""
        settle_heap()
        # Pictures are rendered in parallel; more threads of OpenCV's would compete for the same cores.
        cv2.setNumThreads(2)
        self._decoder = decoder or Sandboxed()
        self._ahead = ThreadPoolExecutor(1, thread_name_prefix="decode")
        self._fonts = fonts
        self._plates = plates if plates is not None else Plates(CACHE_BYTES)
        self.halves = Halves()

    def warm_up(self) -> None:
        """Draw the default device once, since environments, shapes and tables are made when first needed."""
        self._decoder.warm()
        self.preview(DevicePreview(DEFAULT_DEVICE), Clock())

    def trim(self) -> None:
        """Give memory that is not in use back to the system."""
        self._decoder.trim()
        self.halves.trim()
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
        decoded = None
        if request.supposed is not None:
            with clock.stage("decode"):
                decoded = self._decoder.decode(request.data, request.header, None, clock)
                request = request.measured(measure(decoded))
        facts, scene = request.header, request.scene
        spec, fit = scene.spec, scene.fit
        with clock.stage("plate"):
            size = scene.trim.box[2:] if scene.trim else (facts.width, facts.height)
            view = screens.view(spec)
            placements = [shot.place(size, screen.size, fit) for screen in view.screens]
            wanted = shot.demand(placements, view.screens)
        with self._decoding(request, decoded, wanted, clock) as ready:
            with clock.stage("plate"):
                built = self._plates.get(spec, partial(plate.build, spec, clock, view, fonts=self._fonts))
            with clock.stage("decode"):
                pixels = ready()
                around = None if scene.trim else measure(pixels)
                if scene.trim:
                    pixels = trimmed(pixels, scene.trim)
                if spec.fast:
                    pixels = self.halves.halved(pixels, wanted)
        shots: list[U8 | None] = [None] * len(built.screens)
        if any(built.screens):
            with clock.stage("warp"):
                shots = [
                    shot.expose(pixels, placement, fit, layer, clock, fast=spec.fast) if layer else None
                    for layer, placement in zip(built.screens, placements, strict=True)
                ]
        del decoded, ready, pixels
        height, width, channels = built.base.shape
        with clock.stage("compose"):
            cuts = scene.cuts or ((0, width),)
            files = [
                encode.writer(end - start, height, alpha=channels == 4, output=scene.output)
                for start, end in cuts
            ]
            for band in exposure.bands(built, shots, scene.effects, clock):
                for file, (start, end) in zip(files, cuts, strict=True):
                    file.write(np.ascontiguousarray(band[:, start:end]))
        place = geometry.geometry(spec, view, built) if request.geometry else None
        about_captions = built.warnings
        del built, shots
        if width * height > LARGE:
            # The plate's memory is not needed again, and some encoders need as much for themselves.
            give_back()
        with clock.stage("encode"):
            encoded = [file.finish() for file in files]
        for data in encoded:
            if refused := too_large(scene.store, len(data)):
                raise refusal(refused)
        said = _seen(scene, view.camera) + about_captions
        said += _warnings(scene, facts, around, placements[0], wanted, channels == 4)
        mime = FORMATS[scene.output.format].mime
        width = cuts[0][1] - cuts[0][0]
        made = Rendering(encoded[0], mime, width, height, scene.device.id, said, place)
        return made if len(encoded) == 1 else made.several(encoded)

    def draw(self, drawing: Drawing, clock: Clock) -> Rendering:
        """Make what takes no screenshot; raises as `render` does."""
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
            render = render.measured(measure(self._decoder.decode(render.data, render.header, None, clock)))
        scene = render.scene
        view = screens.view(scene.spec)
        place, shape = geometry.geometry(scene.spec, view), geometry.shape(scene.spec)
        said = _seen(scene, view.camera) + scene.warnings
        return Rendering(b"", "", scene.spec.width, scene.spec.height, scene.device.id, said, place, shape)

    @contextmanager
    def _decoding(
        self, request: RenderRequest, decoded: U8 | None, wanted: tuple[int, int], clock: Clock
    ) -> Iterator[Callable[[], U8]]:
        """A function that returns the screenshot, decoded while the plate is built if both are needed."""
        if decoded is not None:
            yield lambda: decoded
            return
        decode = partial(self._decoder.decode, request.data, request.header, wanted, clock)
        if request.scene.spec in self._plates:
            yield decode
            return
        ahead = self._ahead.submit(decode)
        try:
            yield ahead.result
        finally:
            if not ahead.cancel():
                # It uses this picture's clock, and must have ended when the next picture begins.
                wait([ahead])

    def preview(self, wanted: DevicePreview, clock: Clock) -> Rendering:
        """A PNG of a catalogue device, background transparent, in a finish or its first.

        Its screen shows a wallpaper; what takes a screenshot's shape shows an empty page. Raises KeyError.
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
    """A page that fills a screen in place of a screenshot, (h, w, 3)."""
    height, width = layer.base.shape[:2]
    page = np.empty((height, width, 4), np.uint8)
    background.plain(page, shown, 0, height)
    return page[..., :3]


def _seen(scene: Scene, camera: Camera) -> tuple[Warning, ...]:
    """Warnings about how the camera sees the device."""
    asked, given = scene.spec.transform.fov, field_of_view(scene.spec)
    possible = (
        warnings.field_of_view_limited(asked, given),
        warnings.off_canvas(off_canvas(scene.device, camera)),
    )
    return tuple(warning for warning in possible if warning)


def _warnings(
    scene: Scene,
    facts: Header,
    around: Content | None,
    placement: shot.Placement,
    wanted: tuple[int, int],
    alpha: bool,
) -> tuple[Warning, ...]:
    """Warnings about the settings, the screenshot and what is around its content, and the file."""
    size = scene.trim.box[2:] if scene.trim else (facts.width, facts.height)
    possible = (
        warnings.animated(FORMATS[facts.format].label) if facts.animated else None,
        warnings.upscaled(size, wanted),
        warnings.cropped(*shot.margins(placement.crop), suited(size, around, scene.device)),
        warnings.letterboxed(*shot.margins(placement.onto)),
        warnings.stretched(placement.stretch),
        warnings.transparent_margin(around.margin, around.window) if around else None,
        warnings.alpha_flattened() if alpha and not FORMATS[scene.output.format].alpha else None,
    )
    return scene.warnings + tuple(warning for warning in possible if warning)
