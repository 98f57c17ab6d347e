"""Drawing a device again gives the committed files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from frames.generator import sheet
from frames.generator.__main__ import draw, main
from frames.generator.sheet import FACTS, known, read
from service.devices.device import PARTS
from service.shipped import FRAMES

pytestmark = pytest.mark.long

# Drawn without lettering, so that the test needs no font.
PLAIN = "pixel-9-pro"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("frames")
    draw(read(PLAIN), target)
    return target / PLAIN


def test_drawing_again_gives_the_committed_frame(drawn: Path) -> None:
    committed = FRAMES / PLAIN
    assert {f.name for f in drawn.iterdir()} == {f.name for f in committed.iterdir()}
    assert (drawn / "device.json").read_bytes() == (committed / "device.json").read_bytes()
    pairs = [(file, drawn / file.name) for file in committed.glob("*.png")]
    pairs += [(FRAMES / PARTS / file.name, file) for file in (drawn.parent / PARTS).iterdir()]
    for file, again in pairs:
        before, after = (np.asarray(Image.open(path), np.int16) for path in (file, again))
        assert before.shape == after.shape, file.name
        # Another processor may round a value the other way.
        assert np.abs(before - after).max() <= 1, file.name


def test_drawing_twice_gives_the_same_bytes(drawn: Path, tmp_path: Path) -> None:
    draw(read(PLAIN), tmp_path)
    for file in drawn.iterdir():
        assert (tmp_path / PLAIN / file.name).read_bytes() == file.read_bytes(), file.name
    for file in (drawn.parent / PARTS).iterdir():
        assert (tmp_path / PARTS / file.name).read_bytes() == file.read_bytes(), file.name


def test_earlier_files_are_replaced(tmp_path: Path) -> None:
    stale = tmp_path / "browser-chrome-light" / "old.png"
    stale.parent.mkdir()
    stale.write_bytes(b"")
    draw(read("browser-chrome-light"), tmp_path)
    assert not stale.exists()


def test_sheets_are_named_after_their_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [read(identifier).id for identifier in known()] == known()
    (tmp_path / "galaxy-x.json").write_bytes((FACTS / "galaxy-s24.json").read_bytes())
    monkeypatch.setattr(sheet, "FACTS", tmp_path)
    with pytest.raises(ValueError, match=r"galaxy-x.json: id: expected galaxy-x, got galaxy-s24"):
        read("galaxy-x")
    with pytest.raises(FileNotFoundError):
        read("no-such-device")


def test_faults_of_a_sheet_are_named_and_leave_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = json.loads((FACTS / f"{PLAIN}.json").read_bytes())
    without = {name: value for name, value in facts.items() if name != "body"}
    cases = [
        ("rim: expected a number, got", json.dumps(facts | {"rim": "wide"})),
        ("raduis: unknown member; did you mean radius?", json.dumps(facts | {"raduis": 9})),
        ("body: missing", json.dumps(without)),
        ("finishes: expected a list of objects", json.dumps(facts | {"finishes": "x"})),
        ("expected an object", "[]"),
        ("category: expected one of phone, ", json.dumps(facts | {"category": []})),
        ("category: expected one of phone, ", json.dumps(facts | {"category": "fone"})),
        ("Expecting property name", "{"),
    ]
    kept = tmp_path / PLAIN / "device.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    monkeypatch.setattr(sheet, "FACTS", tmp_path)
    monkeypatch.setattr("sys.argv", ["frames.generator", PLAIN, "--to", str(tmp_path)])
    for said, text in cases:
        (tmp_path / f"{PLAIN}.json").write_text(text)
        with pytest.raises(SystemExit) as left:
            main()
        assert f"{PLAIN}.json: {said}" in str(left.value)
        assert kept.exists()


def test_shared_parts_are_kept_if_any_sheet_is_faulty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{PLAIN}.json").write_text("{")
    (tmp_path / PARTS).mkdir()
    monkeypatch.setattr(sheet, "FACTS", tmp_path)
    monkeypatch.setattr("sys.argv", ["frames.generator", "--to", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"pixel-9-pro\.json"):
        main()
    assert (tmp_path / PARTS).exists()
