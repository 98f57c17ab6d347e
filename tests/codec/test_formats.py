"""Each format has a folder and a line in the table, and each folder has what its line requires."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from service.codec import formats
from service.codec.header import PictureLimits
from service.codec.header import read as read_header
from service.errors import MockupError
from service.settings.formats import BY_NAME, BY_SUFFIX, FORMATS, READ, WRITTEN, Format

FOLDER = Path(formats.__path__[0])
SIGNATURES = {
    "png": b"\x89PNG\r\n\x1a\n",
    "jpeg": b"\xff\xd8\xff",
    "webp": b"RIFF\0\0\0\0WEBP",
    "gif": b"GIF89a",
}
PAGE = FOLDER.parents[2] / "docs" / "formats.md"


def test_folders_and_lines_are_the_same() -> None:
    assert {path.parent.name for path in FOLDER.glob("*/*.py")} == set(FORMATS)


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_folder_has_the_modules_that_its_row_requires(one: Format) -> None:
    assert one.read or one.written
    found = {path.stem for path in (FOLDER / one.name).glob("*.py")}
    assert ({"header", "decode"} <= found) == one.read
    assert ("encode" in found) == one.written
    if one.written:
        assert callable(import_module(f"{formats.__name__}.{one.name}.encode").writer)


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_the_page_of_formats_has_a_row_for_it(one: Format) -> None:
    screenshots, results = PAGE.read_text(encoding="utf-8").split("## Results")
    # The formats under that heading are not read; the section says which errors they give.
    accepted = screenshots.split("### Other formats")[0]
    assert (f"\n| {one.label} |" in accepted) == one.read
    assert (f"\n| {one.label} |" in results) == one.written


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_the_page_of_the_command_lists_its_suffixes(one: Format) -> None:
    before, after = (PAGE.parent / "cli.md").read_text(encoding="utf-8").split("| OUT |")
    for suffix in one.suffixes:
        assert (f"`{suffix}`" in before.split("| IN |")[1]) == one.read
        assert (f"`{suffix}`" in after) == one.written


def test_names_and_suffixes() -> None:
    assert BY_NAME["jpg"] == BY_NAME["jpeg"] == BY_SUFFIX[".jpg"] == BY_SUFFIX[".jpeg"] == "jpeg"
    assert set(BY_NAME.values()) == set(BY_SUFFIX.values()) == {one.name for one in WRITTEN}


@pytest.mark.parametrize("one", READ, ids=[one.name for one in READ])
def test_a_file_that_ends_behind_its_signature_is_refused_by_its_name(one: Format) -> None:
    assert one.matches(SIGNATURES[one.name])
    with pytest.raises(MockupError, match=one.label):
        read_header(SIGNATURES[one.name], PictureLimits())
