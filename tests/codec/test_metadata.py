"""Settings written into files: they are found in every format, and other programs can read them."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

from service.codec import encode
from service.limits import METADATA_BYTES
from service.settings.formats import WRITTEN
from service.settings.metadata import packet, settings_in
from service.settings.scene import Output
from service.settings.schema import Settings
from tests.codec.pictures import photo

GIVEN: dict[str, Any] = {
    "device": "pixel-9-pro",
    "screen": {"title": "a < b & </mockup:settings> ü 漢 😀", "url": "https://example.com/?a=1&b=<2>"},
    "deviceTransform": {"rotationY": -20.5},
    "export": {"metadata": True},
}
XMP = packet(Settings.model_validate(GIVEN))
FORMATS = [one.name for one in WRITTEN]


def written(form: str, xmp: bytes, alpha: bool = False) -> bytes:
    return encode.encode(photo(64, 48, alpha=alpha), Output(form, 85, xmp=xmp))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("alpha", [False, True])
def test_settings_are_found_again(form: str, alpha: bool) -> None:
    file, plain = written(form, XMP, alpha), written(form, b"", alpha)
    assert settings_in(file) == GIVEN
    assert settings_in(plain) is None
    with_, without = (np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")) for data in (file, plain))
    assert np.array_equal(with_, without)


@pytest.mark.parametrize("form", FORMATS)
def test_other_programs_read_it(form: str) -> None:
    info = Image.open(io.BytesIO(written(form, XMP))).info
    found = info.get("xmp") or info["XML:com.adobe.xmp"]
    assert (found.encode() if isinstance(found, str) else found).rstrip(b"\0") == XMP


def test_names_are_canonical_and_defaults_left_out() -> None:
    given = {"device": "Pixel 9 Pro", "export": {"format": "JPG"}}
    found = settings_in(packet(Settings.model_validate(given)))
    assert found == {"device": "pixel-9-pro", "export": {"format": "jpeg"}}
    assert settings_in(packet(Settings())) == {}


def test_described_devices_come_along() -> None:
    given = {"device": {"kind": "phone", "screen": {"width": 1000, "height": 2000}, "ppi": 400}}
    found = settings_in(packet(Settings.model_validate(given)))
    assert Settings.model_validate(found) == Settings.model_validate(given)


@pytest.mark.parametrize(
    "inside",
    [b"", b"{", b"[]", b"{]}", b"{&lt;}", b"\xff{}", json.dumps({"a": "b" * METADATA_BYTES}).encode()],
)
def test_files_without_settings_have_none(inside: bytes) -> None:
    assert settings_in(b"..<mockup:settings>" + inside + b"</mockup:settings>..") is None
