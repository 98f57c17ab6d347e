"""The list of fonts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from service.api.fonts import families
from service.fonts import extra
from tests.support.live import Live


def test_fonts_are_listed_for_everybody(server: Live) -> None:
    response = server.send("GET", "/api/v1/fonts")
    assert response.status == 200
    listed = {one["family"]: one for one in response.json["fonts"]}
    assert ("Inter" in listed) == extra.available()
    if listed:
        assert {400, 600} <= set(listed["Inter"]["weights"])


def test_a_folder_adds_fonts(tmp_path: Path) -> None:
    pytest.importorskip("uharfbuzz")
    pytest.importorskip("icu")
    shutil.copy("frames/fonts/Inter-Regular.otf", tmp_path / "a.otf")
    (tmp_path / "b.ttf").write_text("no font")
    assert "Inter" in {one.family for one in families(str(tmp_path)).fonts}
