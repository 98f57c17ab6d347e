"""Slices: a picture that is composed as one and cut."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from service.api.responses import pictures_zip
from service.arrays import U8
from service.clock import Clock
from service.engine.studio import Studio
from service.errors import MockupError
from service.settings import stores
from service.settings.merge import MergedSettings
from service.settings.rendering import Rendering
from tests.support.requests import prepared

SCREENSHOT = Path("frames/samples/screenshot.png").read_bytes()


def rendered(studio: Studio, **settings: Any) -> Rendering:
    return studio.render(prepared(SCREENSHOT, MergedSettings(settings).resolve()), Clock())


def decoded(data: bytes | memoryview) -> U8:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)


def test_slices_are_cut_from_the_whole_and_the_gap_is_lost() -> None:
    whole = {"canvas": {"width": 330, "height": 150}, "postProcessing": {"grain": True}}
    cut = {**whole, "canvas": {"width": 100, "height": 150, "slices": 3, "gap": 15}}
    with closing(Studio()) as studio:
        one, three = rendered(studio, **whole), rendered(studio, **cut)
        again = rendered(studio, **cut)
    assert (three.width, three.height, len(three.sizes)) == (100, 150, 3)
    assert again.data == three.data
    uncut = decoded(one.data)
    for number, data in enumerate(three.pictures):
        assert np.array_equal(decoded(data), uncut[:, number * 115 : number * 115 + 100])
    with zipfile.ZipFile(io.BytesIO(pictures_zip(three))) as archive:
        assert archive.namelist() == ["1.png", "2.png", "3.png"]
        assert [archive.read(name) for name in archive.namelist()] == [bytes(one) for one in three.pictures]
    assert pictures_zip(three) == pictures_zip(again)


def test_a_store_refuses_files_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(stores.BYTES, "play", 5000)
    settings = {"canvas": {"width": 320, "height": 400}, "export": {"store": "play"}}
    with closing(Studio()) as studio, pytest.raises(MockupError) as caught:
        rendered(studio, **settings)
    assert caught.value.details[0].path == "settings.export.store"
