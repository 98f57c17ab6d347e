"""`mockup film`: a recording in, a film out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

from tests.commands.script import Mockup
from tests.films.recordings import video

SMALL = ("--set", "canvas.width=160", "--set", "canvas.height=120")


def test_a_recording_becomes_a_film(mockup: Mockup, tmp_path: Path) -> None:
    source = video(tmp_path / "a.webm", 6)
    request = tmp_path / "film.json"
    devices = [{}, {"depth": 30, "deviceTransform": {"positionX": 0.5}}]
    request.write_text(
        json.dumps({"settings": {"device": "card"}, "devices": devices, "motion": {"fps": 50}})
    )
    arguments = (
        "--settings",
        str(request),
        "--move",
        "sway",
        "--fps",
        "25",
        "--seamless",
        "--fast",
        "--json",
        *SMALL,
    )
    out = json.loads(mockup("film", str(source), "-o", "film.gif", *arguments))
    assert (out["frames"], out["fps"], out["width"], out["height"]) == (6, 25, 160, 120)
    assert (out["device"], out["mimeType"]) == ("card", "image/gif")
    assert out["bytes"] == Path("film.gif").stat().st_size
    assert "film.gif: 6 frames in" in mockup.err
    with Image.open("film.gif") as image:
        assert getattr(image, "n_frames", 0) == 6
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_every_fault_is_named_before_anything_is_made(mockup: Mockup, tmp_path: Path) -> None:
    source = video(tmp_path / "a.webm", 2)
    assert "must end in one of .mp4, .webm" in mockup("film", str(source), "-o", "film.avi", code=1)
    assert "nothing.mp4: is not a file" in mockup("film", "nothing.mp4", "-o", "film.gif", code=1)
    assert "would overwrite" in mockup("film", str(source), "-o", str(source), code=1)
    faults = ("--set", "motion.fps=31", "--set", "recording.after=stop", "--set", "canvas.width=1")
    said = mockup("film", str(source), "-o", "film.gif", *faults, code=1)
    assert "motion.fps: expected one of 24, 25, 30, 50, 60, got 31" in said
    assert "recording.after: expected one of hold, repeat, bounce" in said
    assert "settings.canvas.width: expected a whole number from 64" in said
    (tmp_path / "film.json").write_text(json.dumps({"devices": [{}, {"depth": "near"}]}))
    said = mockup("film", str(source), "-o", "film.gif", "--settings", "film.json", code=1)
    assert "devices[1].depth: expected a number" in said
    said = mockup("film", str(source), "-o", "film.gif", "--set", "export.format=webp", code=1)
    assert "export.format says webp, the file name says gif" in said
    assert not Path("film.gif").exists()


def test_devices_have_recordings_of_their_own(mockup: Mockup, tmp_path: Path) -> None:
    """Paths in the settings start at the folder of their file; devices without a recording show IN."""
    folder = tmp_path / "scene"
    folder.mkdir()
    video(folder / "a.webm", 4)
    video(tmp_path / "b.webm", 8)
    Image.new("RGB", (90, 160), "#225588").save(folder / "c.png")
    asked = folder / "film.json"
    arguments = ("-o", "film.zip", "--settings", str(asked), "--fps", "25", "--fast", "--json", *SMALL)

    def film(*devices: dict[str, Any]) -> None:
        asked.write_text(json.dumps({"settings": {"device": "card"}, "devices": devices}))

    own: dict[str, Any] = {"recording": {"src": "a.webm", "start": 0.04}}
    film(own, {"screenshot": "c.png"}, {})
    assert json.loads(mockup("film", "b.webm", *arguments))["frames"] == 8
    film(own, {"screenshot": {"src": "c.png"}})
    assert json.loads(mockup("film", *arguments))["frames"] == 3
    said = mockup("film", "b.webm", *arguments, code=1)
    assert "b.webm: unused, because every device has a recording or screenshot of its own" in said
    film(own, {})
    assert "devices[1].recording: missing" in mockup("film", *arguments, code=1)
    film({}, {})
    said = mockup("film", *arguments, code=1)
    assert "recording: missing; expected a recording, or a screenshot" in said
    assert "devices[" not in said
    film({"recording": "nothing.webm", "screenshot": "c.png"}, {"recording": {"src": "a.webm", "speed": 0}})
    said = mockup("film", *arguments, code=1)
    assert "devices[1].recording.speed: expected" in said
    film({"recording": "nothing.webm", "screenshot": "c.png"}, {})
    said = mockup("film", "b.webm", *arguments, code=1)
    assert "devices[0].screenshot: expected a recording or a screenshot, got both" in said
    assert "devices[0].recording.src: " in said
    film({"recording": {"src": "a.webm", "start": 9}}, {})
    plain = [one for one in arguments if one != "--json"]
    assert "devices[0].recording.start: the recording ends" in mockup("film", "b.webm", *plain, code=1)
    row = {"output": "own.zip", "devices": [own], "motion": {"fps": 25}, "settings": {"device": "card"}}
    (folder / "rows.jsonl").write_text(json.dumps(row))
    made = mockup("film", "--manifest", str(folder / "rows.jsonl"), "--fast", "--json", *SMALL)
    assert json.loads(made)["frames"] == 3
    assert (folder / "own.zip").exists()


def test_invalid_recordings_leave_no_file(mockup: Mockup, tmp_path: Path) -> None:
    source = tmp_path / "notes.txt"
    source.write_text("not a film")
    said = mockup("film", str(source), "-o", "film.gif", "-q", code=1)
    assert "not MP4, MOV, WebM, GIF, APNG or WebP" in said
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_manifest_has_a_film_in_each_line(mockup: Mockup, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    video(folder / "a.webm", 6)
    lines: list[dict[str, Any]] = [
        {"recording": "a.webm", "output": "out/first.gif", "motion": {"duration": 0.1}},
        {
            "recording": {"src": "a.webm", "start": 0.12},
            "output": "second.png",
            "settings": {"device": "card"},
        },
    ]
    manifest = folder / "films.jsonl"
    manifest.write_text("\n\n".join(map(json.dumps, lines)))
    said = mockup("film", "--manifest", str(manifest), "--fps", "25", "--json", "--fast", *SMALL)
    first, second = map(json.loads, said.splitlines())
    assert (first["frames"], first["mimeType"], second["frames"]) == (3, "image/gif", 3)
    assert second["device"] == "card"
    assert first["bytes"] == (folder / "out" / "first.gif").stat().st_size
    assert second["output"] == str(folder / "second.png")
    lines[1] |= {"output": "out/first.gif", "motion": {"fps": 7}}
    wrong = [
        *map(json.dumps, lines),
        "[]",
        '{"recording": 7}',
        '{"recording": "b.mp4", "output": "b.gif"}',
        "{",
    ]
    manifest.write_text("\n".join(wrong))
    said = mockup("film", "--manifest", str(manifest), code=1)
    for line in (
        "line 2, motion.fps: expected one of 24, 25, 30, 50, 60, got 7",
        "line 3: expected an object",
        "line 4, recording: expected a path",
        "line 4, output: expected a path",
        "b.mp4: is not a file",
        "line 6: not JSON",
    ):
        assert line in said, said
    lines[1] |= {"motion": {}}
    manifest.write_text("\n".join(map(json.dumps, lines)))
    assert "first.gif: is written by two lines" in mockup("film", "--manifest", str(manifest), code=1)
    manifest.write_text("\n")
    assert "names no films" in mockup("film", "--manifest", str(manifest), code=1)
    assert "names the recordings" in mockup("film", "a.webm", "--manifest", str(manifest), code=2)
    assert "IN and --output are needed" in mockup("film", code=2)
