"""Attacks with hostile screenshot files; they need a key."""

from __future__ import annotations

import functools
import io
import json
import zlib
from collections.abc import Callable

import numpy as np
from PIL import Image

from benchmarks.attacks.connections import post
from benchmarks.attacks.line import Attack, Line
from tests.codec import hostile, pngs, profiles
from tests.codec.forms import png
from tests.faults.bombs import BOMBS
from tests.support import pictures

SMALL = {"canvas": {"width": 320, "height": 240}}
# The number of different profiles.
PROFILES = 1000
OF_A_KIND = 4


def request(data: bytes, settings: object = SMALL) -> bytes:
    return json.dumps({"screenshot_base64": pictures.text(data), "settings": settings}).encode()


@functools.cache
def made(name: str) -> bytes:
    return request(FILES[name]())


def profiled(number: int) -> bytes:
    """A small picture with a unique profile."""
    light = profiles.linear(np.linspace(0, 1, 4096)) ** (1 + number / PROFILES)
    profile = profiles.display_p3(profiles.curve(light))
    return png(64, 64, 6, 8, pngs.chunk(b"iCCP", b"own\0\0" + zlib.compress(profile)))


def cmyk() -> bytes:
    file = io.BytesIO()
    Image.new("CMYK", (6000, 4000), (9, 99, 199, 9)).save(file, "JPEG", progressive=True)
    return file.getvalue()


async def profiles_without_end(line: Line) -> int:
    number = (line.turn * OF_A_KIND + line.number) % PROFILES
    await line.send(post(request(profiled(number)), key=line.key))
    return await line.status()


async def scenes_of_bombs(line: Line) -> int:
    """Requests with eight small files, each of which would unpack to 600 MB."""
    await line.send(post(scene(), key=line.key))
    return await line.status()


@functools.cache
def scene() -> bytes:
    shown = {"type": "base64", "src": pictures.text(FILES["png of 600 megabytes"]())}
    return json.dumps({"type": "scene", "devices": [{"screenshot": shown}] * 8, "settings": SMALL}).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "png of profiles": hostile.png_of_profiles,
    "png of broken texts": hostile.png_of_texts,
    "gif of tiny blocks": hostile.gif_of_tiny_blocks,
    "gif of comments": hostile.gif_of_comments,
    "gif of frames": hostile.gif_of_frames,
    "jpeg of exif": hostile.jpeg_of_exif,
    "jpeg of fill bytes": hostile.jpeg_of_fill_bytes,
    "jpeg of stuffing": hostile.jpeg_of_stuffing,
    "webp of exif": hostile.webp_of_exif,
    "png of 600 megabytes": BOMBS["png of 600 megabytes"],
    "jpeg of 400 scans": BOMBS["jpeg of 400 scans"],
    "cmyk jpeg of 24 megapixels": cmyk,
    "interlaced png of 35 megapixels": lambda: png(7000, 5000, 6, 16, interlaced=True),
}


def sending(name: str) -> Attack:
    async def play(line: Line) -> int:
        await line.send(post(made(name), key=line.key))
        return await line.status()

    return Attack(name, OF_A_KIND, play)


ATTACKS = (
    *map(sending, FILES),
    Attack("profiles without end", OF_A_KIND, profiles_without_end),
    Attack("scenes of bombs", OF_A_KIND, scenes_of_bombs),
)
