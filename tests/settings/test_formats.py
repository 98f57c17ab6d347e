"""The table of picture formats, compared with published facts."""

from __future__ import annotations

import pytest

from service.settings.formats import BY_NAME, BY_SUFFIX, FORMATS, READ, WRITTEN

BEGINNINGS = {
    "png": b"\x89PNG\r\n\x1a\n",
    "jpeg": b"\xff\xd8\xff\xe0",
    "webp": b"RIFF\n\x00\n\x00WEBPVP8 ",
    "avif": b"\x00\x00\x00\x1cftypavif",
    "gif": b"GIF89a",
}


def test_a_file_is_of_one_format_alone() -> None:
    for name, data in BEGINNINGS.items():
        assert [one.name for one in FORMATS.values() if one.matches(data)] == [name]
        assert [one.name for one in FORMATS.values() if one.matches(b" " + data)] == []
    assert FORMATS["gif"].matches(b"GIF87a")
    assert FORMATS["avif"].matches(b"\x00\x00\x00\x1cftypavis")
    assert not FORMATS["webp"].matches(b"RIFF\n\x00\n\x00WAVEfmt ")


def test_formats_have_their_published_properties() -> None:
    assert {one.name for one in READ} == {"png", "jpeg", "webp", "gif"}
    assert {one.name for one in WRITTEN} == {"png", "jpeg", "webp", "avif"}
    assert {name for name, one in FORMATS.items() if not one.alpha} == {"jpeg"}
    assert {name for name, one in FORMATS.items() if one.lossy} == {"jpeg", "webp", "avif"}


def test_names_and_suffixes_of_files() -> None:
    expected = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".avif": "avif"}
    assert expected == BY_SUFFIX
    assert {suffix[1:]: name for suffix, name in expected.items()} == BY_NAME


@pytest.mark.parametrize(
    ("name", "mime", "file"),
    [("png", "image/png", "a PNG file"), ("avif", "image/avif", "an AVIF file")],
)
def test_a_format_has_its_media_type_and_file_suffix(name: str, mime: str, file: str) -> None:
    assert (FORMATS[name].mime, FORMATS[name].file) == (mime, file)
