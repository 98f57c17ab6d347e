"""How far frames of films differ from single pictures of their poses, and how much they flicker."""

from __future__ import annotations

import subprocess
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.films.made import made
from benchmarks.films.recorded import FPS
from benchmarks.processor_time import Account
from service.arrays import U8
from service.clock import Clock
from service.films.film import Film, FilmedFile, resolve_film
from service.films.messages import FilmRequest
from service.films.source import RecordingFacts
from service.render.compose import exposure, shot
from service.render.geometry.raster import Box
from service.render.paint import screens
from service.render.plates import plate
from service.settings.merge import MergedSettings
from service.settings.motion import Motion

COUNT = 24  # number of consecutive frames that are compared
WIDTH, HEIGHT = 1920, 1080  # px; the canvas preset "full-hd"


@dataclass(frozen=True)
class Apart:
    """Differences of frames from pictures in levels of 255: mean and 99th percentile over the whole canvas.

    `box` is the 99th percentile within the device's box. `flicker` is the mean difference between the change
    from frame to frame and the change from picture to picture, and `worst` is its 99th percentile within that
    box.
    """

    mean: float
    most: float
    box: float
    flicker: float
    worst: float


def apart(account: Account, source: Path, device: str, move: str, folder: Path, *, video: bool) -> Apart:
    """How much a film's first frames differ from pictures; the film is lossless, or H.264 in the default
    quality if `video`."""
    target = folder / ("film.mp4" if video else "film.zip")
    made(account, source, device, move, COUNT / FPS, target)
    frames = _played(target) if video else _pictures(target)
    shots = _decoded(source)[:COUNT]
    film = _film(device, move, shots[0])
    wanted = [_picture(film, number, one) for number, one in enumerate(shots)]
    box = _around(film)
    gaps = [cv2.absdiff(a, b) for a, b in zip(frames, wanted, strict=True)]
    shifts = [
        np.abs(_change(frames, number) - _change(wanted, number))[box.slices] for number in range(1, COUNT)
    ]
    return Apart(
        float(np.mean([gap.mean() for gap in gaps])),
        max(float(np.percentile(gap, 99)) for gap in gaps),
        max(float(np.percentile(gap[box.slices], 99)) for gap in gaps),
        float(np.mean([shift.mean() for shift in shifts])),
        max(float(np.percentile(shift, 99)) for shift in shifts),
    )


def _change(frames: list[U8], number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    return frames[number].astype(np.int16) - frames[number - 1]


def _film(device: str, move: str, first: U8) -> Film:
    settings = MergedSettings({"device": device, "canvas": {"preset": "full-hd"}}).resolve()
    motion = {"duration": COUNT / FPS, "fps": FPS, "move": {"name": move}}
    facts = RecordingFacts(first.shape[1], first.shape[0], 3, COUNT / FPS, float(FPS))
    return resolve_film(FilmRequest(settings, Motion.model_validate(motion)), FilmedFile(facts))


def _picture(film: Film, number: int, pixels: U8) -> U8:
    """The picture of a frame's pose, rendered as a single picture."""
    spec, clock = replace(film.spec(film.schedule.time(number)), moving=False), Clock()
    view = screens.view(spec)
    built = plate.build(spec, clock, view)
    size = pixels.shape[1], pixels.shape[0]
    shots = [
        shot.expose(
            pixels, shot.place(size, plane.size, film.scene.fit), film.scene.fit, layer, clock, fast=False
        )
        if layer
        else None
        for layer, plane in zip(built.screens, view.screens, strict=True)
    ]
    return exposure.part(built, shots, Box(0, 0, spec.width, spec.height))


def _around(film: Film) -> Box:
    """A box around the device's screens in the first pose, and their surroundings."""
    spec = film.spec(0)
    boxes = [one.box(spec.width, spec.height) for one in screens.view(spec).screens]
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(x - 40, y - 40, right - x + 80, bottom - y + 80).clipped(Box(0, 0, spec.width, spec.height))


def _decoded(path: Path) -> list[U8]:
    capture, found = cv2.VideoCapture(str(path)), list[U8]()
    while len(found) < COUNT and (read := capture.read())[0]:
        found.append(np.asarray(cv2.cvtColor(read[1], cv2.COLOR_BGR2RGB), np.uint8))
    return found


def _played(path: Path) -> list[U8]:
    """Frames of a film as players show them, with colours of full precision.

    OpenCV converts colours faster, but rounds them down, which alone is a difference of 0.4 levels on
    average. The filter is told where H.264 has chroma by default, at every second pixel of a row; by its own
    default, it would assume chroma half a pixel farther right.
    """
    flags = "scale=flags=bicubic+accurate_rnd+full_chroma_int:in_h_chr_pos=0:in_v_chr_pos=128"
    command = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-vf", flags, "-pix_fmt", "rgb24"]
    done = subprocess.run([*command, "-f", "rawvideo", "-"], capture_output=True, check=True)
    return list(np.frombuffer(done.stdout, np.uint8).reshape(-1, HEIGHT, WIDTH, 3)[:COUNT])


def _pictures(path: Path) -> list[U8]:
    found: list[U8] = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            pixels = cv2.imdecode(np.frombuffer(archive.read(name), np.uint8), cv2.IMREAD_COLOR_RGB)
            found.append(np.asarray(pixels, np.uint8))
    return found
