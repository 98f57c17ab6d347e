"""ImageMagick's command line, Debian's build."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.speed.cases import Case
from benchmarks.speed.contender import Basis
from benchmarks.speed.sketch import BODY, GLARE, Plane, Sketch, hexed

SCALE = 10  # px per millimetre of the flat layers
TIMEOUT_S = 120
LARGEST = 4_000_000  # pixels above which formats and effects are omitted


def command() -> str | None:
    """The program, `magick` of version 7 or `convert` of version 6, if it calls itself ImageMagick."""
    for name in ("magick", "/usr/bin/convert"):
        path = shutil.which(name)
        if path is None:
            continue
        told = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stdout
        if "ImageMagick" in told:
            return path
    return None


class ImageMagick(Basis):
    """One process per picture: +distort Perspective, -blur, -composite."""

    name = "ImageMagick"
    note = "one process a picture, `+distort Perspective`, `-blur`, `-composite`"

    def absent(self) -> str | None:
        return None if command() else "neither magick nor convert of ImageMagick is installed"

    def declines(self, case: Case) -> str | None:
        largest = case.width * case.height > LARGEST and (case.effects or case.format != "png")
        return "tens of seconds a picture; PNG without effects stands for the others" if largest else None

    def open(self, screenshot: bytes) -> None:
        super().open(screenshot)
        self._command = command() or ""
        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "screenshot"
        self._file.write_bytes(screenshot)

    def close(self) -> None:
        self._folder.cleanup()

    def draw(self, sketch: Sketch) -> bytes:
        width, height = sketch.size
        whole = f"{width}x{height}"
        out = Path(self._folder.name) / f"out.{sketch.case.format}"
        start, end = sketch.gradient
        arguments = [
            "-size", whole, "xc:", "-sparse-color", "Barycentric",
            f"{_at(start)} {hexed(sketch.colors[0])} {_at(end)} {hexed(sketch.colors[1])}",
            *self._shadow(sketch),
            *self._body(sketch),
            *self._screen(sketch),
        ]  # fmt: skip
        if sketch.case.effects:
            arguments += _effects(sketch)
        subprocess.run(
            [self._command, *arguments, "-depth", "8", "-quality", _quality(sketch), str(out)],
            check=True, capture_output=True, timeout=TIMEOUT_S,
        )  # fmt: skip
        return out.read_bytes()

    def _shadow(self, sketch: Sketch) -> list[str]:
        layer = self._flat(sketch.body, "black")
        posed = self._posed(sketch.body, sketch.size, sketch.shadow_offset)
        blur = ["-channel", "A", "-blur", f"0x{sketch.shadow_sigma}"]
        fade = ["-evaluate", "multiply", str(sketch.shadow_opacity), "+channel"]
        return ["(", *layer, *posed, *blur, *fade, ")", "-composite"]

    def _body(self, sketch: Sketch) -> list[str]:
        layer = self._flat(sketch.body, hexed(BODY))
        return ["(", *layer, *self._posed(sketch.body, sketch.size), ")", "-composite"]

    def _screen(self, sketch: Sketch) -> list[str]:
        plane = sketch.screen
        w, h = (round(side * SCALE) for side in plane.size)
        radius = plane.radius * SCALE
        mask = ["-size", f"{w}x{h}", "xc:black", "-fill", "white", "-draw"]
        mask += [f"roundrectangle 0,0 {w - 1},{h - 1} {radius},{radius}"]
        # The glare fades from the corner to the middle, as a ramp over the diagonal.
        white = round(255 * GLARE)
        top = f"rgb({white},{white},{white})"
        glare = ["-size", f"{w}x{h}", "xc:black", "-sparse-color", "Barycentric"]
        glare += [f"0,0 {top} {w / 2},{h / 2} black {w / 2 + h / 2},{h / 2 - w / 2} black"]
        shot = [str(self._file), "-alpha", "off", "-resize", f"{w}x{h}!"]
        layer = [*shot, "(", *glare, ")", "-compose", "screen", "-composite", "-compose", "over"]
        layer += ["(", *mask, ")", "-alpha", "off", "-compose", "CopyOpacity", "-composite"]
        return ["(", *layer, "-compose", "over", *self._posed(plane, sketch.size), ")", "-composite"]

    def _flat(self, plane: Plane, color: str) -> list[str]:
        w, h = (round(side * SCALE) for side in plane.size)
        radius = plane.radius * SCALE
        shape = f"roundrectangle 0,0 {w - 1},{h - 1} {radius},{radius}"
        return ["-size", f"{w}x{h}", "xc:none", "-fill", color, "-draw", shape]

    def _posed(self, plane: Plane, size: tuple[int, int], offset: tuple[float, float] = (0, 0)) -> list[str]:
        w, h = (round(side * SCALE) for side in plane.size)
        corners = plane.corners() + offset
        flat = [(0, 0), (w, 0), (w, h), (0, h)]
        pairs = " ".join(f"{x},{y} {u:.3f},{v:.3f}" for (x, y), (u, v) in zip(flat, corners, strict=True))
        port = ["-virtual-pixel", "transparent", "-define", f"distort:viewport={size[0]}x{size[1]}+0+0"]
        return [*port, "-distort", "Perspective", pairs, "+repage"]


def _effects(sketch: Sketch) -> list[str]:
    glow, (width, height) = sketch.glow, sketch.size
    bloom = ["(", "+clone", "-level", f"{glow.threshold * 100}%,100%", "-blur", f"0x{glow.sigma}"]
    bloom += ["-evaluate", "multiply", str(glow.strength), ")", "-compose", "screen", "-composite"]
    edge = f"gray({100 * (1 - sketch.vignette)}%)"
    radius = math.hypot(width, height) / 2
    dark = ["(", "-size", f"{width}x{height}", "-define", f"gradient:radii={radius},{radius}"]
    dark += [f"radial-gradient:white-{edge}", ")", "-compose", "multiply", "-composite"]
    grain = ["-seed", "1", "-attenuate", str(sketch.grain / 32), "+noise", "Gaussian"]
    return [*bloom, *dark, *grain]


def _at(point: tuple[float, float]) -> str:
    return f"{point[0]},{point[1]}"


def _quality(sketch: Sketch) -> str:
    # For PNG, the number is level and filter: level 7 with adaptive filters, the default.
    return "75" if sketch.case.format == "png" else "85"
