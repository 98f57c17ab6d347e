from __future__ import annotations

from importlib import metadata

import PIL
import pytest
from PIL import Image, features

from service.codec.support import library, verify


def test_the_installed_libraries_suffice() -> None:
    verify()


@pytest.mark.parametrize(
    ("name", "label"), [("jpg", "JPEG"), ("zlib", "PNG"), ("webp", "WebP"), ("littlecms2", "ICC profiles")]
)
def test_a_missing_format_is_named(name: str, label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "check", lambda feature: feature != name)
    with pytest.raises(RuntimeError, match=f"without {label};"):
        verify()


def test_no_avif(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(Image.SAVE, "AVIF")
    with pytest.raises(RuntimeError, match="pillow-avif-plugin is missing"):
        verify()


def test_pillow_in_the_place_of_pillow_simd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIL, "__version__", "99.0")
    with pytest.raises(RuntimeError, match=r"Pillow 99\.0 has replaced pillow-simd"):
        verify()


def test_no_imaging_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(RuntimeError, match="Neither pillow-simd nor Pillow is installed"):
        verify()


def test_pillow_alone_suffices(monkeypatch: pytest.MonkeyPatch) -> None:
    def only(name: str) -> str:
        if name == "pillow":
            return PIL.__version__
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", only)
    assert library() == ("pillow", PIL.__version__)
    verify()
