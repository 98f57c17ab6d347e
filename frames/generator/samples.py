"""The sample screenshots: `python -m frames.generator.samples` writes `frames/samples/`."""

from __future__ import annotations

from pathlib import Path

from frames.generator.finance import finance
from frames.generator.paint import Folder
from frames.generator.planner import planner
from frames.generator.shop import shop
from frames.generator.weather import weather
from service.models.devices import FRAMES

SCREENS = {
    "screenshot.png": weather,
    "tablet.png": finance,
    "desktop.png": planner,
    "browser.png": shop,
}


def draw_samples(target: Path) -> None:
    """Draw every sample screen into `target`."""
    folder = Folder(target)
    for name, draw in SCREENS.items():
        folder.write(name, draw().pixels())
        print(f"{name}: {(target / name).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    draw_samples(FRAMES / "samples")
