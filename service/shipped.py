"""Files that come with the package: device frames, environments, fonts and samples."""

from __future__ import annotations

from pathlib import Path

FRAMES = Path(__file__).resolve().parents[1] / "frames"
