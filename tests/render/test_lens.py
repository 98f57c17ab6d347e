"""Bloom, vignette and grain, measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.render.posing import F64, flat, picture

CANVAS = {"canvas.width": 480, "canvas.height": 360, "shadow.enabled": False}
AWAY = CANVAS | {"deviceTransform.scale": 0.1, "deviceTransform.positionX": 2}
WHITE, BLACK = flat((255, 255, 255)), flat((0, 0, 0))


def shown(pixels: Any = BLACK, given: dict[str, Any] = AWAY, **post: Any) -> F64:
    effects = {f"postProcessing.{name}": value for name, value in post.items()}
    return np.asarray(picture(pixels, given | effects), np.float64)


def test_bloom_lightens_what_is_around_bright_parts() -> None:
    night = CANVAS | {"appearance.backgroundColor": "#101010", "reflection.enabled": False}
    without, bloomed = shown(WHITE, night), shown(WHITE, night, bloom=True)
    gain = (bloomed - without).mean(axis=2)
    beside = gain[150:210, 315:325].mean()
    assert beside > 5
    assert beside > gain[150:210, 360:370].mean() > gain[150:210, 470:].mean()
    assert gain[:20, :20].mean() < 0.1 * beside
    assert gain.min() >= -1


def test_bloom_leaves_dim_pictures_alone() -> None:
    night = CANVAS | {"appearance.backgroundColor": "#303030", "reflection.enabled": False}
    night |= {"appearance.deviceColor": "#202020"}
    assert (shown(BLACK, night) == shown(BLACK, night, bloom=True)).all()


def test_blooms_members_each_do_something() -> None:
    night = CANVAS | {"appearance.backgroundColor": "#101010"}
    shots = flat((215, 215, 215))
    base = {"intensity": 1, "threshold": 0.8, "radius": 0.4}
    first = shown(shots, night, bloom=base)
    assert shown(shots, night, bloom=base | {"intensity": 2}).mean() > first.mean() + 1
    assert shown(shots, night, bloom=base | {"threshold": 0.3}).mean() > first.mean() + 1
    wider = shown(shots, night, bloom=base | {"radius": 1})
    assert wider[150:210, 340:350].mean() > first[150:210, 340:350].mean() + 1
    assert (shown(shots, night, bloom=base | {"intensity": 0}) == shown(shots, night)).all()


def test_bloom_raises_alpha_on_transparent_ground() -> None:
    clear = CANVAS | {"appearance.backgroundColor": "transparent", "reflection.enabled": False}
    without, bloomed = shown(WHITE, clear), shown(WHITE, clear, bloom={"intensity": 3})
    assert without[180, 312, 3] == 0
    assert bloomed[180, 312, 3] > 3
    assert (bloomed[..., 3] >= without[..., 3]).all()


def test_vignette_darkens_corners_and_not_the_middle() -> None:
    plain, dark = shown(), shown(vignette={"amount": 0.6, "softness": 0.5})
    assert dark[170:190, 230:250] == pytest.approx(plain[170:190, 230:250], abs=1)
    share = dark[[0, 0, -1, -1], [0, -1, 0, -1]].mean() / plain[0, 0].mean()
    assert share == pytest.approx(1 - 0.6, abs=0.03)
    row = dark[180, 240:, 0]
    assert (np.diff(np.convolve(row, np.ones(9) / 9, "valid")) <= 0.3).all()


def test_a_softer_vignette_reaches_farther_in() -> None:
    hard, soft = (shown(vignette={"amount": 1, "softness": s})[180, 240:, 0] for s in (0, 1))
    assert soft[120] < hard[120] - 20
    assert (shown(vignette={"amount": 0}) == shown()).all()


@pytest.mark.parametrize("amount", [0.04, 0.1])
def test_grain_has_its_documented_strength_in_mid_grey(amount: float) -> None:
    grey = AWAY | {"appearance.backgroundColor": "#808080"}
    noisy = shown(BLACK, grey, grain={"amount": amount})[..., 0]
    assert noisy.std() == pytest.approx(80 * amount, rel=0.06)
    assert noisy.mean() == pytest.approx(128, abs=0.5)


def test_grain_is_the_same_for_the_same_seed() -> None:
    first, again, other = (shown(grain={"amount": 0.1, "seed": seed}) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).mean() > 0.5


def test_larger_grain_is_smoother() -> None:
    grey = AWAY | {"appearance.backgroundColor": "#808080"}

    def likeness(size: float) -> float:
        noise = shown(BLACK, grey, grain={"amount": 0.1, "size": size})[..., 0] - 128
        return float((noise[:, 1:] * noise[:, :-1]).mean() / (noise * noise).mean())

    assert likeness(1) + 0.15 < likeness(2) < likeness(4)


def test_grain_and_vignette_keep_alpha() -> None:
    clear = CANVAS | {"appearance.backgroundColor": "transparent"}
    without, noisy = shown(WHITE, clear), shown(WHITE, clear, grain=True, vignette=True)
    assert (without[..., 3] == noisy[..., 3]).all()
    assert (without[..., :3] != noisy[..., :3]).any()
