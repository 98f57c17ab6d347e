"""`mockup render --manifest`: rows, faults in them, receipts and shards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from service.clock import Clock
from service.commands.bulk import manifest
from service.commands.bulk import run as bulk
from service.commands.bulk.chunks import LONGEST, WINDOW, Grouping, Task
from service.commands.bulk.manifest import Row
from service.commands.bulk.resolved import Resolved, RowSettings
from service.commands.bulk.run import shard_of
from service.commands.environment import load_config
from service.engine.request import RenderRequest
from service.errors import MockupError
from service.settings.rendering import Rendering
from service.settings.scene_device import SceneSettings
from service.settings.schema import Settings
from service.workers.pool import Pool
from tests.commands.script import Mockup, run
from tests.support import pictures, ready

SMALL = ("--fast", "--set", "canvas.width=128", "--set", "canvas.height=96")


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch, place: Path) -> list[RenderRequest]:
    """The requests that reached the renderers, which paint nothing here; the screenshots a.png to d.png
    exist."""
    calls: list[RenderRequest] = []

    async def render(self: Any, wanted: RenderRequest, clock: Clock) -> Rendering:
        calls.append(wanted)
        return Rendering(b"picture", "", 1, 1, wanted.scene.device.id, ())

    monkeypatch.setattr(Pool, "render", render)
    for name in "abcd":
        (place / f"{name}.png").write_bytes(pictures.png())
    return calls


def rows(*members: dict[str, Any], file: str = "jobs.jsonl") -> None:
    Path(file).write_text("".join(json.dumps(one) + "\n" for one in members))


def row(name: str, **more: Any) -> dict[str, Any]:
    return {"screenshot": f"{name}.png", "output": f"out/{name}.png", **more}


def receipts(file: str = "jobs.jsonl.receipts.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(file).read_text().splitlines()]


def test_rows_are_rendered_once(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    rows(row("a", id="first"), row("b", device="pixel-9-pro"), row("c", settings={"export": {"quality": 50}}))
    assert mockup("render", "--manifest", "jobs.jsonl", "--device", "iphone-16-pro") == ""
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.png", "b.png", "c.png"]
    devices = Counter(one.scene.device.id for one in rendered)
    assert devices == {"iphone-16-pro": 2, "pixel-9-pro": 1}
    made = {one["line"]: one for one in receipts()}
    assert (made[1]["id"], made[2]["id"]) == ("first", None), "the id that the row has"
    assert made[2]["output"] == "out/b.png"
    mockup("render", "--manifest", "jobs.jsonl", "--device", "iphone-16-pro")
    assert len(rendered) == 3, "committed rows are not rendered again"
    Path("a.png").write_bytes(pictures.png(50, 60))
    mockup("render", "--manifest", "jobs.jsonl", "--device", "iphone-16-pro")
    assert len(rendered) == 4, "a screenshot that has changed is"
    mockup("render", "--manifest", "jobs.jsonl", "--device", "pixel-9-pro")
    assert len(rendered) == 6, "and so are rows of other settings; that of b are the same"


def test_csv(mockup: Mockup, rendered: list[RenderRequest], place: Path) -> None:
    folder = place / "below"
    folder.mkdir()
    (folder / "jobs.csv").write_text(
        "screenshot,output,device,deviceTransform.rotationY,settings\r\n"
        "../a.png,x/a.webp,Pixel 9 Pro,-20,\r\n"
        '../b.png,"x/b,1.jpg",,,"{""canvas"": {""width"": 300}}"\r\n'
    )
    mockup("render", "--manifest", "below/jobs.csv")
    assert (folder / "x/a.webp").exists(), "paths start at the manifest's folder"
    assert (folder / "x/b,1.jpg").exists()
    first, second = sorted(rendered, key=lambda one: one.scene.output.format, reverse=True)
    assert first.scene.output.format == "webp"
    assert first.scene.spec.transform.ry == -20
    assert second.scene.spec.width == 300


def test_all_faults_are_found_before_anything_is_rendered(
    mockup: Mockup, rendered: list[RenderRequest]
) -> None:
    lines = [
        json.dumps(row("a")),
        "",
        "{",
        "[]",
        json.dumps({"output": "x.png"}),
        json.dumps(row("b", output="out/b.txt")),
        json.dumps(row("b", output="out/../out/a.png")),
        json.dumps(row("b", settings={"canvas": {"width": -1}})),
        json.dumps(row("b", color="red")),
        json.dumps(row("b", output="a.png")),
        json.dumps(row("b", output="x.webp", settings={"export": {"format": "png"}})),
        json.dumps({"screenshot": "a.png", "output": "https://example.com/y.png"}),
        '{"screenshot": "' + "x" * 2**20 + '"}',
        json.dumps(row("c")),
    ]
    Path("jobs.jsonl").write_text("\n".join(lines))
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    for line, reason in {
        3: "not JSON",
        4: "expected a JSON object",
        5: "screenshot: expected a path or a URL",
        6: "output: a picture's name must end in one of .png",
        7: "output: out/../out/a.png is also written by line 1",
        8: "settings.canvas.width: ",
        9: "unknown member 'color'",
        10: "output: would overwrite the screenshot of line 1",
        11: "the settings say png, the file name says webp",
        12: "output: pictures cannot be written to a web server",
        13: "the line is longer than 1048576 bytes",
    }.items():
        assert any(
            one.startswith(f"mockup: jobs.jsonl:{line}: ") and reason in one for one in said.splitlines()
        ), (line, said)
    assert "jobs.jsonl: 11 of 13 rows are invalid; nothing was rendered" in said
    assert not rendered
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("screenshot,colour\n", "unknown column 'colour'"),
        ("screenshot,output,a..b\n", "unknown column 'a..b'"),
        ("screenshot,screenshot\n", "two columns have the same name"),
        ("screenshot,output\na.png\n", "jobs.csv:2: expected 2 cells, got 1"),
        ('screenshot,output\n"a.png,x.png\n', "not CSV"),
        ("screenshot,output,settings\na.png,x.png,{\n", "jobs.csv:2: settings: not JSON"),
        ("screenshot,output\na\udcff.png,x.png\n", "jobs.csv:2: not UTF-8"),
    ],
)
def test_faults_of_csv(mockup: Mockup, rendered: list[RenderRequest], text: str, reason: str) -> None:
    Path("jobs.csv").write_text(text, errors="surrogateescape")
    assert reason in mockup("render", "--manifest", "jobs.csv", code=1)
    assert not rendered


def test_failed_rows_are_listed_and_tried_again(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    rows(row("a"), row("b"))
    Path("b.png").write_bytes(b"no picture")
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert "jobs.jsonl:2: b.png: " in said
    assert "1 of 2 pictures could not be rendered" in said
    assert [one["line"] for one in receipts()] == [1]
    Path("b.png").write_bytes(pictures.png())
    mockup("render", "--manifest", "jobs.jsonl")
    assert sorted(one["line"] for one in receipts()) == [1, 2]
    assert len(rendered) == 2


def test_missing_files_are_found_before_anything_is_rendered(
    mockup: Mockup, rendered: list[RenderRequest]
) -> None:
    Path("folder.png").mkdir()
    rows(row("a"), row("absent"), row("b"), row("folder"))
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert "jobs.jsonl:2: absent.png: No such file or directory" in said
    assert "jobs.jsonl:4: folder.png: Is a directory" in said
    assert "2 of 4 rows are invalid; nothing was rendered" in said
    assert not rendered
    mockup("render", "--manifest", "jobs.jsonl", "--shard", "0/2")
    assert len(rendered) == 2, "the files of other shards are theirs to find"
    rows(row("a"), row("absent"))
    assert "1 of 2 rows is invalid" in mockup("render", "--manifest", "jobs.jsonl", code=1)


def test_settings_that_a_named_device_refuses_are_found_before_anything_is_rendered(
    mockup: Mockup, rendered: list[RenderRequest]
) -> None:
    two = {"type": "scene", "output": "out/b.png", "settings": {"appearance": {"style": "outline"}}}
    devices = [{"device": "pixel-9-pro", "screenshot": f"{name}.png"} for name in "ab"]
    sideways = {"settings": {"orientation": "landscape"}}
    rows(row("a", device="apple-watch-ultra-2", **sideways), {**two, "devices": devices}, row("c"),
         row("d", device="pixel-9-pro", settings={"appearance": {"deviceColor": "Obsidan"}}))  # fmt: skip
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert "jobs.jsonl:1: settings.orientation: apple-watch-ultra-2 can only be portrait" in said
    assert "jobs.jsonl:2: settings.appearance.style: outline draws one device alone" in said
    assert "did you mean Obsidian?" in said
    assert "3 of 4 rows are invalid; nothing was rendered" in said
    assert not rendered
    # With `auto`, a screenshot decides about the device, and so about its finishes.
    rows(row("a", device="auto", settings={"appearance": {"deviceColor": "Obsidian"}}))
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert "jobs.jsonl:1: a.png: settings.appearance.deviceColor: expected" in said


def test_several_mistakes_of_a_row_are_on_its_line(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    wrong = {"device": "auto", "orientation": "portrait", "appearance": {"deviceColor": "Obsidan"}}
    Path("a.png").write_bytes(pictures.png(3024, 1964))
    rows(row("a", settings=wrong))
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    (line,) = [one for one in said.splitlines() if "jobs.jsonl:1" in one]
    assert "jobs.jsonl:1: a.png: 2 mistakes: settings.orientation: " in line


def test_several_mistakes_of_a_row_that_changes_during_the_run_are_on_its_line(
    mockup: Mockup, rendered: list[RenderRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = bulk.check

    def check(*given: Any) -> int:
        found = checked(*given)
        rows(row("a", settings={"shadow": {"blr": 3}, "orientation": "up"}))
        return found

    rows(row("a"))
    monkeypatch.setattr(bulk, "check", check)
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    (line,) = [one for one in said.splitlines() if "jobs.jsonl:1" in one]
    assert "jobs.jsonl:1: 2 mistakes: settings.orientation: " in line
    assert "; settings.shadow.blr: unknown member" in line
    assert not rendered


def test_each_row_is_reported_as_json(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    rows(row("a", id="first"), row("b", id=2))
    Path("b.png").write_bytes(b"no picture")
    out = mockup.printed("render", "--manifest", "jobs.jsonl", "--json", "--quiet", code=1)
    made, failed = sorted(map(json.loads, out.splitlines()), key=lambda one: one["line"])
    assert (made["id"], made["output"], made["bytes"]) == ("first", "out/a.png", 7)
    assert (failed["id"], failed["line"]) == ("2", 2)
    assert failed["error"].startswith("b.png: The screenshot is plain text")
    assert mockup.err == (
        f"mockup: jobs.jsonl:2: {failed['error']}\nmockup: 1 of 2 pictures could not be rendered\n"
    )


def test_invalid_assignments_are_reported_once(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    rows(row("a"), row("b"))
    said = mockup("render", "--manifest", "jobs.jsonl", "--set", "shadow", code=1)
    assert said.count("--set shadow: expected path=value") == 1
    assert not rendered


def test_missing_pictures_are_reported(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    """A missing picture is not rendered again, because it may have been moved to where it is used."""
    rows(row("a"), row("b"))
    mockup("render", "--manifest", "jobs.jsonl")
    mockup("render", "--manifest", "jobs.jsonl")
    assert "gone" not in mockup.err
    Path("out/a.png").unlink()
    mockup("render", "--manifest", "jobs.jsonl")
    told = "jobs.jsonl: 1 row was skipped although the pictures are gone; delete jobs.jsonl.receipts.jsonl"
    assert told in mockup.err
    assert len(rendered) == 2


def test_a_torn_receipt_is_cut(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    rows(row("a"), row("b"))
    mockup("render", "--manifest", "jobs.jsonl")
    file = Path("jobs.jsonl.receipts.jsonl")
    file.write_bytes(file.read_bytes()[:-10])
    mockup("render", "--manifest", "jobs.jsonl")
    assert len(rendered) == 3
    assert {one["line"] for one in receipts()} == {1, 2}


def test_shards_share_the_rows(
    mockup: Mockup, rendered: list[RenderRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows(*(row(name) for name in "abcd"))
    mockup("render", "--manifest", "jobs.jsonl", "--shard", "0/3")
    assert {one["line"] for one in receipts("jobs.jsonl.0-of-3.receipts.jsonl")} == {1, 4}
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "2")
    mockup("render", "--manifest", "jobs.jsonl", "--shard", "/3")
    assert [one["line"] for one in receipts("jobs.jsonl.2-of-3.receipts.jsonl")] == [3]
    mockup("render", "--manifest", "jobs.jsonl")
    assert [one["line"] for one in receipts()] == [2], "receipts of all shards count"
    assert len(rendered) == 4


@pytest.mark.parametrize("text", ["3/3", "1", "/3", "a/3", "1/0", "-1/3"])
def test_wrong_shards(text: str) -> None:
    with pytest.raises(MockupError, match="expected i/n"):
        shard_of(text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.png"],
        ["-o", "x.png"],
        ["a.png", "--manifest", "jobs.jsonl"],
        ["a.png", "-o", "x", "--shard", "0/2"],
        ["a.png", "-o", "x", "--scheduler", "tcp://127.0.0.1:1"],
    ],
)
def test_wrong_usage(mockup: Mockup, arguments: list[str]) -> None:
    mockup("render", *arguments, code=2)


def test_chunks_share_a_plate_and_few_rows_are_held() -> None:
    settings, held, most = SceneSettings(Settings()), 0, 0
    grouping = Grouping(Path(), fast=False)
    chunks = []
    for number in range(6000):
        # Half the rows share a plate, the others have many different plates.
        plate = 0 if number % 2 else number % 300
        held += 1
        chunk = grouping.add(Task(number, None, "", RowSettings(settings, (), str(plate), plate)), plate)
        if chunk is not None:
            chunks.append(chunk)
            held -= len(chunk.tasks)
        most = max(most, held)
    chunks.extend(grouping.rest())
    assert most < WINDOW
    assert sorted(task.line for chunk in chunks for task in chunk.tasks) == list(range(6000))
    for chunk in chunks:
        assert len(chunk.tasks) <= LONGEST
        assert len({task.row.digest for task in chunk.tasks}) == 1


def test_settings_that_change_no_plate_share_a_chunk(place: Path) -> None:
    members = [
        {},
        {"export": {"quality": 40}},
        {"postProcessing": {"grain": {"amount": 0.5}}},
        {"deviceTransform": {"rotationY": 20}},
    ]
    rows(*(row(str(number), settings=one) for number, one in enumerate(members)))
    resolved = Resolved({}, {}, load_config(), fast=False)
    found = [resolved.of(one) for one in manifest.read(Path("jobs.jsonl")) if isinstance(one, Row)]
    assert len({one.digest for one in found}) == 4
    first, *others = [one.plate for one in found]
    assert [one == first for one in others] == [True, True, False]


def test_scenes_are_rows_beside_others(mockup: Mockup, rendered: list[RenderRequest], place: Path) -> None:
    devices: list[dict[str, Any]] = [
        {"device": "macbook-pro-14", "screenshot": "a.png"},
        {"device": "iphone-16-pro", "screenshot": {"type": "file", "src": "b.png"}},
        {"device": "pixel-9-pro", "screenshot": {"type": "same", "index": 1}},
    ]
    scene = {"type": "scene", "devices": devices, "settings": {"layout": "desk"}}
    Path("desk.json").write_text(json.dumps(scene))
    mockup("scene", "desk.json", "-o", "desk.png", "--set", "canvas.width=900")
    rows({**scene, "output": "out/desk.png", "id": "desk"}, row("a"))
    run = ("render", "--manifest", "jobs.jsonl", "--set", "canvas.width=900")
    mockup(*run)
    alone, *both = rendered
    same = [one for one in both if one.scene == alone.scene and len(one.files) == 2]
    assert len(same) == 1, "as `mockup scene` renders it"
    made = {one["output"]: one for one in receipts()}
    assert made["out/desk.png"]["screenshots"] == ["a.png", "b.png"]
    assert made["out/a.png"]["screenshot"] == "a.png"
    mockup(*run)
    assert len(rendered) == 3
    Path("b.png").write_bytes(pictures.png(50, 60))
    mockup(*run)
    assert len(rendered) == 4, "any of its screenshots makes it new"
    devices[2]["depth"] = 40
    rows({**scene, "output": "out/desk.png"}, row("a"))
    mockup(*run)
    assert len(rendered) == 5, "and so does what is said of a device"

    (place / "jobs.csv").write_text(
        "type,screenshot,devices,output,canvas.width\r\n"
        f'scene,,"{json.dumps(devices).replace(chr(34), chr(34) * 2)}",out/csv.png,700\r\n'
        "screenshot,c.png,,out/c.png,\r\n"
    )
    mockup("render", "--manifest", "jobs.csv")
    assert {(len(one.files), one.scene.spec.width) for one in rendered[5:]} == {(2, 700), (1, 1920)}


def test_faults_of_scenes_name_row_and_path(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    a, b = {"screenshot": "a.png"}, {"screenshot": "b.png"}
    faults: dict[str, dict[str, Any]] = {
        "devices: ": {"type": "scene"},
        "type: expected screenshot or scene": {"type": "film", "devices": [a]},
        'type: expected "scene", got "screenshot"': {"type": "screenshot", "devices": [a]},
        "screenshot: unused in a scene": {"devices": [a], "screenshot": "b.png"},
        "devices[1].screenshot: missing": {"devices": [a, {}]},
        "devices[1].depth: ": {"devices": [a, {**b, "depth": 9000}]},
        "devices[1].screenshot.src: absent.png: No such file": {"devices": [a, {"screenshot": "absent.png"}]},
        "devices[0].screenshot.index: ": {"devices": [{"screenshot": {"type": "same", "index": 3}}]},
        "devices[0].screenshot.src: expected a path or a URL": {
            "devices": [{"screenshot": {"type": "base64", "src": "aGVsbG8="}}]
        },
        "devices[1].screenshot.src: ftp:// is not known": {"devices": [a, {"screenshot": "ftp://h/b.png"}]},
        "settings.layout: ": {"devices": [a, b], "settings": {"layout": "heap"}},
        "settings.appearance.backgroundImage.src: expected a path or a URL": {
            "devices": [a],
            "settings": {"appearance": {"backgroundImage": {"type": "url", "src": "b\0.png"}}},
        },
        "output: would overwrite the screenshot of line": {"devices": [a, {"screenshot": "c.png"}]},
    }
    outputs = [*(f"out/{number}.png" for number in range(len(faults) - 1)), "c.png"]
    rows(*({**one, "output": output} for one, output in zip(faults.values(), outputs, strict=True)))
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    for line, reason in enumerate(faults, 1):
        assert f"jobs.jsonl:{line}: {reason}" in said, said
    assert not rendered

    rows({"devices": [a, b], "output": "out/x.png"})
    Path("b.png").write_bytes(b"no picture")
    said = mockup("render", "--manifest", "jobs.jsonl", code=1)
    assert "jobs.jsonl:1: out/x.png: devices[1].screenshot.src: " in said


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_parquet(mockup: Mockup, rendered: list[RenderRequest]) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(
        {
            "screenshot": ["a.png", "b.png", "c.png"],
            "output": ["out/a.webp", "out/b.png", "out/c.png"],
            "device": [None, "Pixel 9 Pro", None],
            "deviceTransform.rotationY": [-20.0, None, 15.0],
            "settings": [None, {"canvas": {"width": 300, "height": None}}, {"canvas": None}],
        }
    )
    parquet.write_table(table, "jobs.parquet")
    mockup("render", "--manifest", "jobs.parquet")
    by_angle = {one.scene.spec.transform.ry: one.scene for one in rendered}
    assert set(by_angle) == {-20, 0, 15}
    assert by_angle[-20].output.format == "webp"
    assert by_angle[0].spec.width == 300
    assert by_angle[0].device.id == "pixel-9-pro"
    assert {one["line"] for one in receipts("jobs.parquet.receipts.jsonl")} == {1, 2, 3}

    devices = [[{"screenshot": "a.png", "depth": 1.5}, {"screenshot": "b.png", "depth": None}]]
    parquet.write_table(pyarrow.table({"devices": devices, "output": ["out/both.png"]}), "scenes.parquet")
    mockup("render", "--manifest", "scenes.parquet")
    assert len(rendered[-1].files) == 2

    parquet.write_table(table.append_column("color", [["red"] * 3]), "jobs.parquet")
    assert "unknown column 'color'" in mockup("render", "--manifest", "jobs.parquet", code=1)
    parquet.write_table(pyarrow.table({"screenshot": [b"a"], "output": ["a.png"]}), "jobs.parquet")
    assert "jobs.parquet:1: " in mockup("render", "--manifest", "jobs.parquet", code=1)
    Path("jobs.parquet").write_bytes(b"PAR1, but no more")
    assert "not Parquet" in mockup("render", "--manifest", "jobs.parquet", code=1)


@pytest.mark.long
def test_killed_in_the_middle(place: Path) -> None:
    """With real renderers, the second run renders the rows that the first had not committed."""
    (place / "a.png").write_bytes(pictures.png())
    count, stuck = 60, 30
    # The first run blocks at a pipe to which nobody writes, so the test can kill it in the middle.
    os.mkfifo("pipe.png")
    shots = ("pipe.png" if number == stuck else "a.png" for number in range(count))
    rows(*({"screenshot": shot, "output": f"out/{number}.png"} for number, shot in enumerate(shots)))
    command = ["render", "--manifest", "jobs.jsonl", *SMALL]
    threads = {"MOCKUP_RENDER_THREADS": "2"}
    file = place / "jobs.jsonl.receipts.jsonl"
    with Path("said").open("wb") as said:
        first = ready.start(command, os.environ | threads, said)
        end = time.monotonic() + 300
        # Wait until all rows before the pipe are done, except those that may still be under way.
        while time.monotonic() < end and not (file.exists() and file.read_bytes().count(b"\n") >= stuck - 2):
            time.sleep(0.01)
        first.kill()
        assert first.wait(60) == -signal.SIGKILL
    before = file.read_bytes().count(b"\n")
    assert stuck - 2 <= before <= stuck
    published = {path.name: path.stat().st_ino for path in (place / "out").glob("[!.]*")}
    Path("pipe.png").unlink()
    Path("pipe.png").write_bytes(pictures.png())
    second = run(*command, **threads)
    assert second.returncode == 0, second.stderr
    lines = Counter(one["line"] for one in receipts())
    assert lines == dict.fromkeys(range(1, count + 1), 1), "each row has one receipt"
    names = {path.name: path.stat().st_ino for path in (place / "out").iterdir()}
    assert set(names) == {f"{number}.png" for number in range(count)}, "and no part of a file is left"
    again = [name for name, file_number in published.items() if names[name] != file_number]
    assert len(again) <= 3, "only those in flight are published again: as many as have room"
    assert all((place / "out" / name).read_bytes() == (place / "out/0.png").read_bytes() for name in names)


@pytest.mark.long
@pytest.mark.thorough
def test_memory_does_not_grow_with_the_manifest(place: Path) -> None:
    """A row whose screenshot is not a picture is never rendered, but passes through all other stages."""
    Path("none.png").write_bytes(b"no picture")
    peaks = []
    for count in (1_000, 40_000):
        with Path("jobs.jsonl").open("w") as file:
            for number in range(count):
                file.write(f'{{"screenshot": "none.png", "output": "out/{number}.png"}}\n')
        with Path("said").open("w") as said:
            process = subprocess.Popen(
                [sys.executable, "-c", _PEAK, "render", "--manifest", "jobs.jsonl"], stderr=said, stdout=said
            )
            assert process.wait(300) == 1
        text = Path("said").read_text()
        assert f"{count} of {count} pictures could not be rendered" in text
        peaks.append(int(text.rsplit("peak ", 1)[1]))
    assert peaks[1] - peaks[0] < 48 * 1024, "KiB: the index's pages, and nothing for each row"


_PEAK = """
import resource, sys
from service.cli import main
try:
    main(sys.argv[1:])
finally:
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, flush=True)
"""
