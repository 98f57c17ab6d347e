"""The sources of screenshots and the places of pictures of `mockup render`."""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.clock import Clock
from service.commands import demo
from service.engine.request import RenderRequest
from service.settings.rendering import Rendering
from service.workers.pool import Pool
from tests.commands.script import Mockup, begun
from tests.commands.web import served
from tests.support import pictures, ready

pytestmark = pytest.mark.long

SMALL = ("--fast", "--set", "canvas.width=128", "--set", "canvas.height=96")
PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff"


@pytest.fixture(autouse=True)
def shots(place: Path) -> Path:
    """Two screenshots in a folder, and another file."""
    folder = place / "shots"
    (folder / "below").mkdir(parents=True)
    for name in ("a.png", "b.PNG", ".hidden.png", "below/c.png"):
        (folder / name).write_bytes(pictures.png())
    (folder / "notes.txt").write_text("no picture")
    return folder


@pytest.fixture
def placed(mockup: Mockup, monkeypatch: pytest.MonkeyPatch) -> Mockup:
    """The command in this process, with small pictures that need no renderer."""

    async def picture(self: Pool, wanted: RenderRequest, clock: Clock) -> Rendering:
        data = JPEG if wanted.scene.output.format == "jpeg" else pictures.png()
        return Rendering(data, "", 1, 1, wanted.scene.device.id, ())

    monkeypatch.setattr(Pool, "render", picture)
    return mockup


def render(
    *arguments: str, data: bytes = b"", code: int = 0, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """A small, quick run with real renderers, which must exit with `code`."""
    result = subprocess.run(
        [*ready.COMMAND, "render", *arguments, *SMALL],
        input=data,
        capture_output=True,
        check=False,
        env=begun(**{"MOCKUP_RENDER_THREADS": "1", **variables}),
    )
    assert result.returncode == code, result.stderr.decode()
    return result


def made(folder: str) -> list[str]:
    """The names of the pictures in a folder."""
    files = [file for file in Path(folder).rglob("*") if not file.is_dir()]
    assert all(file.read_bytes().startswith((PNG, JPEG)) for file in files)
    return sorted(str(file.relative_to(folder)) for file in files)


@pytest.mark.parametrize("out", ["out", "out/", "new/out/", "out.v2/"])
def test_one_screenshot_goes_into_a_new_folder(placed: Mockup, out: str) -> None:
    assert placed("render", "shots/a.png", "-o", out) == ""
    assert made(out) == ["a.png"]


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        (["shots"], ["a.jpg", "b.jpg"]),
        (["shots/*.png"], ["a.jpg"]),
        (["shots/**/[ac].png"], ["a.jpg", "below/c.jpg"]),
        (["shots/b*/*.png", "shots/a.png"], ["a.jpg", "below/c.jpg"]),
        (["shots", "shots/a.png", "./shots/*.PNG"], ["a.jpg", "b.jpg"]),
    ],
)
def test_folders_and_patterns(placed: Mockup, inputs: list[str], names: list[str]) -> None:
    assert placed("render", *inputs, "-o", "out.v2", "--set", "export.format=jpeg") == ""
    assert made("out.v2") == names
    assert placed.err == "", "no progress bar without a terminal"


def test_pictures_of_the_same_name_stay_apart(placed: Mockup, shots: Path) -> None:
    (shots / "below/a.png").write_bytes(pictures.png())
    assert placed("render", "shots/**/a.png", "-o", "out") == ""
    assert made("out") == ["a.png", "below/a.png"]
    err = placed("render", "shots/a.png", "shots/below/a.png", "-o", "new", code=1)
    assert "new/a.png: would be written for both shots/a.png and shots/below/a.png" in err
    assert not Path("new").exists()


def test_a_failed_write_names_the_picture(placed: Mockup) -> None:
    err = placed("render", "shots/a.png", "-o", "/proc/x.png", code=1)
    assert re.fullmatch(r"mockup: /proc/x\.png: [A-Z][a-z ]+\n", err)


def test_a_name_with_brackets_is_no_pattern(placed: Mockup, shots: Path) -> None:
    (shots / "a.png").rename(shots / "shot [1].png")
    placed("render", "shots/shot [1].png", "-o", "x.png")
    assert Path("x.png").read_bytes().startswith(PNG)


def test_stdin_and_stdout(placed: Mockup, monkeypatch: pytest.MonkeyPatch) -> None:
    result = render("-", "-o", "-", "--set", "export.format=jpeg", data=pictures.png())
    assert result.stdout.startswith(JPEG)
    assert b"rendering" not in result.stderr
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(pictures.png())))
    assert placed("render", "-", "shots/a.png", "-o", "out") == ""
    assert made("out") == ["a.png", "stdin.png"]


def test_urls(placed: Mockup, shots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(shots) as url:
        port = url.rpartition(":")[2]
        inputs = (f"{url}/a.png?signature=secret", f"{url}/below/c.png", f"{url}/absent.png?signature=secret")
        closed = placed("render", f"{url}/a.png", "-o", "x.png", code=1)
        monkeypatch.setenv("MOCKUP_FETCH_PORTS", port)
        refused = placed("render", f"{url}/a.png?signature=secret", "-o", "x.png", code=1)
        elsewhere = url.replace("127.0.0.1", "nowhere.invalid")
        nowhere = placed("render", f"{elsewhere}/a.png", "-o", "x.png", code=1)
        monkeypatch.setenv("MOCKUP_ALLOW_PRIVATE_SOURCES", "1")
        result = placed("render", *inputs, "-o", "out", code=1)
    assert made("out") == ["a.png", "c.png"]
    told = "The screenshot could not be fetched from its URL: "
    assert f"mockup: {url}/absent.png: {told}status 404\n" in result
    assert "1 of 3 pictures could not be rendered" in result
    # The command also prints details that callers of the API do not see.
    private = (
        "127.0.0.1 is not an address on the public internet; MOCKUP_ALLOW_PRIVATE_SOURCES=true allows it"
    )
    assert refused == f"mockup: {url}/a.png: {told}{private}\n"
    assert f"{told}its host name could not be resolved: " in nowhere
    assert f"{told}port {port} is not one of MOCKUP_FETCH_PORTS\n" in closed
    assert not Path("x.png").exists()
    assert not any("secret" in said for said in (result, refused, nowhere, closed))


def test_pictures_of_urls_are_named_after_them(
    placed: Mockup, shots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOCKUP_ALLOW_PRIVATE_SOURCES", "1")
    (shots / "%2e%2e").mkdir()
    (shots / "%2e%2e" / "..%2Fevil.png").write_bytes(pictures.png())
    (shots / "index.html").write_bytes(pictures.png())
    shutil.copy(demo.SAMPLE, shots / "no ending")
    with served(shots) as url:
        paths = ("/%252e%252e/..%252Fevil.png", "/no%20ending", "/")
        placed("render", *(url + path for path in paths), "-o", "out")
    port = url.rpartition(":")[2]
    assert made("out") == [f"127.0.0.1-{port}.png", "2Fevil.png", "no-ending.png"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["empty", "-o", "out"], "empty: this folder has no screenshots (.png, "),
        (["shots/*.gif", "-o", "out"], "shots/*.gif: no file matches"),
        (
            ["shots", "-o", "x.png"],
            "x.png: names a single picture, but there are 2 screenshots",
        ),
        (["shots", "-o", "-"], "-: stdout takes one picture, but there are 2 screenshots; name a folder"),
        (
            ["shots", "-o", "shots/notes.txt"],
            "shots/notes.txt: is a file, and the pictures need a folder",
        ),
        (
            ["shots", "-o", "shots/a.png/b"],
            "shots/a.png/b: shots/a.png is a file, and the",
        ),
        (
            ["shots/a.png", "-o", "shots/notes.txt/b.png"],
            "shots/notes.txt/b.png: shots/notes.txt is a file, and the picture needs a folder",
        ),
        (["shots/a.png", "-o", "out.v2"], "out.v2: a picture's name must end in one of .png"),
        (["shots", "-o", "shots"], "shots/a.png: would overwrite a screenshot"),
        (["shots/a.png", "shots/below/a.png", "-o", "out"], "would be written for both shots/a.png and"),
        (["-", "--settings", "-", "-o", "x.png"], "-: stdin cannot be both the screenshot and the settings"),
        (["", "-o", "x.png"], "IN: the name of a screenshot is empty"),
        (["shots/a.png", "-o", ""], "OUT: the name is empty"),
    ],
)
def test_errors_name_the_argument_and_the_reason(
    mockup: Mockup, place: Path, arguments: list[str], said: str
) -> None:
    (place / "empty").mkdir()
    assert said in mockup("render", *arguments, code=1)
    assert sorted(path.name for path in place.iterdir()) == ["empty", "shots"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "-o", "x.png"], "-: stdin is a terminal"),
        (["shots/a.png", "-o", "-"], "-: stdout is a terminal"),
    ],
)
def test_terminals_take_and_give_no_pictures(arguments: list[str], said: str) -> None:
    ours, theirs = pty.openpty()
    try:
        result = subprocess.run(
            [*ready.COMMAND, "render", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            check=False,
            env=begun(),
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert result.returncode == 1
    assert said in result.stderr.decode()


def test_a_closed_pipe_is_not_reported() -> None:
    process = subprocess.Popen(
        [*ready.COMMAND, "render", "shots/a.png", "-o", "-", *SMALL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=begun(),
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 1
    assert b"Traceback" not in said
    assert b"Exception" not in said
