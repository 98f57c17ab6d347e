"""The façade: screenshot bytes, settings and a clock in, an encoded picture out; owns the plate cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial

import cv2

from service.clock import CancelledError, Clock
from service.codec import encode, header
from service.codec.sandbox import open_decoder
from service.config import Config
from service.container import cpus, renders_at_once
from service.devices import catalogue
from service.errors import Code, MockupError
from service.idle import Idle, give_back, settle_heap
from service.plates import Plates
from service.render import exposure, plate, shot
from service.render.camera import aim
from service.scene import Output, Scene, Stage, Warning, resolve
from service.settings import Settings

PREVIEW = (640, 640)

LARGE = 16_000_000  # output pixels

REST_S = 5.0  # without a render, until memory goes back to the system


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture and what the answer says of it."""

    data: bytes
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]


class Studio:
    """Renders; safe to use from several threads."""

    def __init__(self, config: Config) -> None:
        """Prepare caches and decoder processes within the limits of `config`."""
        settle_heap()
        # Render threads are the parallelism; OpenCV's own would fight them for the same cores.
        cv2.setNumThreads(2)
        self._limits = header.Limits(pixels=config.max_source_pixels, side=config.max_source_side)
        self._decoder = open_decoder(config.render_threads or cpus(), max_pixels=config.max_source_pixels)
        self._ahead = ThreadPoolExecutor(
            config.render_threads or renders_at_once(), thread_name_prefix="decode"
        )
        self.plates = Plates(config.cache_bytes, _build)
        self._idle = Idle(REST_S, self._give_back)

    def warm(self) -> None:
        """Start, beside the caller, what takes a moment, so that the first request need not wait for it."""
        self._ahead.submit(self._rehearse)

    def close(self) -> None:
        """End the decoder processes."""
        self._idle.close()
        self._ahead.shutdown(cancel_futures=True)
        self._decoder.close()

    def render(self, data: bytes, settings: Settings, *, fast: bool, clock: Clock) -> Rendering:
        """Make one picture; raises MockupError for a bad screenshot, a missed deadline or a failure."""
        try:
            return self._render(data, settings, fast, clock)
        except (MockupError, CancelledError):
            raise
        except Exception as error:
            raise MockupError(Code.RENDER_FAILED, "The mockup could not be generated") from error
        finally:
            self._idle.stir()

    def _render(self, data: bytes, settings: Settings, fast: bool, clock: Clock) -> Rendering:
        with clock.stage("header"):
            facts = header.read(data, self._limits)
            size = (facts.width, facts.height)
            scene = resolve(settings, size, fast=fast)
            stage = scene.stage
            matrix, screen = plate.screen_plane(scene.device, stage, aim(scene.device, stage))
            placement = shot.place(size, screen, scene.fit)
            wanted = shot.demand(size, placement, matrix, screen)
        decode = partial(self._decoder.decode, data, facts, wanted, clock)
        # A plate that must be built leaves time to decode beside it.
        decoding = None if stage in self.plates else self._ahead.submit(decode)
        try:
            with clock.stage("plate"):
                built = self.plates.get(stage, clock)
            with clock.stage("decode"):
                pixels = decoding.result() if decoding else decode()
        finally:
            if decoding:
                decoding.cancel()
        light = None
        if built.aperture is not None:
            with clock.stage("warp"):
                light = shot.expose(pixels, placement, scene.fit, built.aperture, clock, fast=fast)
        del pixels
        height, width, channels = built.base.shape
        file = encode.writer(width, height, alpha=channels == 4, output=scene.output)
        with clock.stage("compose"):
            for band in exposure.bands(built, light, scene.lens, clock):
                file.write(band)
        del light, built
        if width * height > LARGE:
            # What the plate was made in is not needed again, and WebP needs as much for itself.
            give_back()
        with clock.stage("encode"):
            encoded = file.finish()
        warnings = _warnings(scene, size, placement, wanted, channels == 4)
        return Rendering(encoded, encode.MIME[scene.output.format], width, height, scene.device.id, warnings)

    def _rehearse(self) -> None:
        """Draw the default device once: environments, shapes and tables are made when first needed."""
        self._decoder.warm()
        try:
            self.preview(Settings().device)
        finally:
            self._idle.stir()

    def _give_back(self) -> None:
        self._decoder.trim()
        give_back()

    def preview(self, device: str) -> bytes:
        """A PNG of a catalogue device with a blank screen on transparent ground; raises KeyError."""
        return _preview(device)


def _build(stage: Stage, clock: Clock) -> plate.Plate:
    return plate.build(catalogue()[stage.device], stage, clock)


@lru_cache(maxsize=128)
def _preview(device: str) -> bytes:
    item = catalogue()[device]
    settings = Settings.model_validate(
        {
            "device": device,
            "canvas": {"width": PREVIEW[0], "height": PREVIEW[1]},
            "appearance": {"backgroundColor": "transparent"},
            "shadow": {"enabled": False},
            "deviceTransform": {"rotationY": -20, "rotationX": 5},
        }
    )
    scene = resolve(settings, item.screen.px, fast=False)
    made = _build(scene.stage, Clock())
    return encode.encode(made.base, Output("png"))


def _warnings(
    scene: Scene, size: tuple[int, int], placement: shot.Placement, wanted: tuple[int, int], alpha: bool
) -> tuple[Warning, ...]:
    found = []
    enlarged = max(wanted[0] / size[0], wanted[1] / size[1])
    if enlarged > 1.02:
        found.append(
            Warning(
                "UPSCALED", f"The screenshot of {size[0]} x {size[1]} px is enlarged {enlarged:.1f} times"
            )
        )
    if placement.lost > 0.2:
        found.append(Warning("CROPPED", f"{placement.lost:.0%} of the screenshot is cropped"))
    if placement.letterboxed:
        found.append(Warning("LETTERBOXED", "Bars remain beside the screenshot"))
    if alpha and scene.output.format == "jpeg":
        found.append(Warning("ALPHA_FLATTENED", "JPEG has no transparency; the picture was laid on white"))
    return tuple(found)
