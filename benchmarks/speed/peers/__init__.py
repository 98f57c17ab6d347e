"""The contenders."""

from __future__ import annotations

from benchmarks.speed.contender import Contender
from benchmarks.speed.peers.chromium import Chromium
from benchmarks.speed.peers.engine import Engine
from benchmarks.speed.peers.floor import Floor
from benchmarks.speed.peers.http import NOTES, Http, Server
from benchmarks.speed.peers.imagemagick import ImageMagick
from benchmarks.speed.peers.pillow_numpy import PillowNumpy
from benchmarks.speed.peers.skia_cpu import Skia


def contenders() -> list[Contender]:
    """The service in its modes, the floor, then the peers."""
    server = Server()
    return [
        *(Http(mode, server) for mode in NOTES),
        Engine("warm"),
        Engine("cold"),
        Engine("fast"),
        Engine("fast cold"),
        Floor(),
        Chromium("page"),
        Chromium("kept"),
        Skia(),
        PillowNumpy(),
        ImageMagick(),
    ]
