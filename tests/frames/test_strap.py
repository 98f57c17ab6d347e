"""Textures of watch straps."""

from __future__ import annotations

import numpy as np

from frames.generator.strap import tubes


def test_tubes_end_whole_and_without_openings() -> None:
    """The end of the texture is stretched over the rounded end of the strap, so nothing may be drawn
    there."""
    pixels = tubes((25.5, 36.0)).pixels()
    black = (pixels[..., 3] > 220) & (pixels[..., :3].max(axis=2) < 20)
    rows = np.flatnonzero(black.mean(axis=1) > 0.3)  # those with openings
    assert rows[0] > 30
    assert len(np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)) == 6
    assert pixels[:4, :, 3].max() < 10
