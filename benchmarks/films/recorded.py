"""Recordings of a page that is scrolled in Chromium, one for each device."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.speed.peers.devtools import program

FPS = 30
STEP = 9  # px that the page is scrolled per frame
PAGE = """<!doctype html><style>
body { margin: 0; font: 17px/1.5 sans-serif; background: #f4f5f8; color: #1c2026 }
section { margin: 16px; padding: 16px; border-radius: 16px; background: #fff; box-shadow: 0 2px 8px #0002 }
section div { height: 160px; border-radius: 10px; margin-bottom: 12px }
</style><script>
for (let n = 0; n < 40; n++) {
  const turn = n * 47 % 360;
  document.write(`<section><div style="background: linear-gradient(120deg, hsl(${turn} 70% 60%),
    hsl(${turn + 60} 70% 45%))"></div><b>Entry ${n + 1}</b><br>A line of text that is read while it moves,
    and another one below it.</section>`);
}
</script>"""


@dataclass(frozen=True)
class Recorded:
    """A device, and the width, height and scale of the page that is recorded for it."""

    device: str
    size: tuple[int, int, int]


DEVICES = {
    one.device: one
    for one in (Recorded("iphone-16-pro", (402, 874, 3)), Recorded("macbook-air-13-m3", (1280, 832, 2)))
}


def recording(folder: Path, one: Recorded, seconds: float) -> Path:
    """A recording of the scrolled page, H.264; one that is already in the folder is used."""
    width, height, scale = one.size
    path = folder / f"{one.device}-{seconds:g}.mp4"
    if path.exists():
        return path
    # An interrupted recording must not be taken for a whole one.
    begun = path.with_suffix(".part.mp4")
    with (
        sync_playwright() as playwright,
        subprocess.Popen(_command(begun), stdin=subprocess.PIPE) as encoder,
    ):
        assert encoder.stdin is not None
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
        page.set_content(PAGE)
        for number in range(round(seconds * FPS)):
            page.evaluate(f"scrollTo(0, {number * STEP})")
            encoder.stdin.write(page.screenshot(type="jpeg", quality=95))
        browser.close()
        encoder.stdin.close()
    return begun.rename(path)


def _command(path: Path) -> list[str]:
    given = ["-f", "image2pipe", "-r", str(FPS), "-i", "-", "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2"]
    made = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", str(path)]
    return ["ffmpeg", "-y", "-loglevel", "error", *given, *made]
