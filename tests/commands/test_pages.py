"""The commands in the pages work: each is run, those with curl against a real server."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PIL import Image

from service.commands import demo
from tests.commands.script import Mockup
from tests.commands.web import served
from tests.films.recordings import video
from tests.support import ready
from tests.support.live import ONE_AT_ONCE, Live, upgraded

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
# The changelog is left out, because it names things that no longer exist.
PLACES = ("*.md", "docs/**/*.md", "clients/*/README.md", "frames/README.md", "service/web/README.md")
PAGES = sorted(page for place in PLACES for page in ROOT.glob(place) if page.name != "CHANGELOG.md")
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
# Languages of blocks that `tests/test_examples.py` and `tests/clients/test_readmes.py` check, or that are not
# examples.
OTHERS = {"json", "toml", "yaml", "markdown", "python", "js", "ruby", "text"}
SPAN = re.compile(r"`((?:make|mockup|curl) [^`]+)`")
# Commands that cannot be run as they stand: bare names, templates with placeholders, continuations of another
# block, and servers that another test starts and stops.
COMMANDS = r"^mockup (serve|demo|health|keys revoke|(render|film|scene|set)$|set Framefile|--install)"
FORM = re.compile(rf"\b[A-Z]{{2,}}\b(?!=)|<\w+>|\[|…|{COMMANDS}")
# Programs that no test machine has: a container engine or a cluster. `make container` and `make bulk` cover
# them.
ENGINE = re.compile(r"\b(docker|kubectl|dask) ")
# Blocks that only draw pictures and films of given files differ in their options and settings, not in what
# the commands do with them. `make test` only plans them, and `make thorough` draws them.
LISTING = r"mockup devices"
DRAWING = re.compile(rf"(?:(?:mockup (?:render|film) (?!--manifest)(?:.*\\\n)*.*|{LISTING})\n)+")
# Blocks that use settings from a picture that they have drawn.
REUSING = re.compile(r"-o (\S+)[\s\S]* --settings \1")


def only_draws(text: str) -> bool:
    """Whether a block of commands only draws pictures and films of files that exist."""
    return DRAWING.fullmatch(text) is not None and REUSING.search(text) is None


SCRIPTS = [
    # The pages about commands start the most processes.
    pytest.param(
        text,
        id=f"{page.name}:{number}",
        marks=[
            pytest.mark.long(seconds=4 + text.count("mockup ")),
            *([pytest.mark.thorough] if only_draws(text) else []),
        ],
    )
    for page in PAGES
    for number, (_, kind, text) in enumerate(BLOCK.findall(page.read_text("utf-8")), 1)
    if kind == "sh" and not ENGINE.search(text)
]
SPANS = sorted(
    {span for page in PAGES for span in SPAN.findall(page.read_text("utf-8")) if not FORM.search(span)}
)
TARGETS = [span for span in SPANS if span.startswith("make ")]
NAMED = [span for span in SPANS if not span.startswith("make ")]
# Commands that print what they know, without processes of their own.
PRINTING = [span for span in NAMED if not re.search(r"^curl|mockup (film|mcp|doctor)", span)]
STARTING = [span for span in NAMED if span not in PRINTING]
CURL = [param for param in SCRIPTS if "curl" in str(param.values[0])]

SMALL = "--set canvas.width=160 --set canvas.height=120"
SHORT = f"--fast --duration 0.1 {SMALL} --set motion.keyframes=[]"
# Commands that make pictures without setting their size.
RENDER = re.compile(
    r"^(mockup (?:render|scene) (?!(?:.*\\\n)*.*(?:canvas|--manifest|--template))(?:.*\\\n)*.*)$",
    re.MULTILINE,
)
PIP = f"'{sys.executable}' -m pip install --quiet --dry-run --no-index --no-deps --no-build-isolation"
NPM = "npm install --silent --offline --no-audit --no-fund"
TOOLS = all(map(shutil.which, ("curl", "make")))
needs_tools = pytest.mark.skipif(not TOOLS, reason="curl or make is not installed")


SHOTS = (
    *("shot.png", "screen.png", "home.png", "laptop.png", "tablet.png", "phone.png"),
    *("shots/a.png", "shots/b.png", "shots/more/c.png"),
)


def mentions(request: pytest.FixtureRequest, word: str) -> bool:
    """Whether the tested block contains a word."""
    return hasattr(request.node, "callspec") and word in str(request.node.callspec.params.get("text", ""))


@cache
def long_page() -> bytes:
    """A screenshot that is taller than any screen, so that it can scroll."""
    with Image.open(demo.SAMPLE) as shot, io.BytesIO() as file:
        shot.resize((shot.width, 3 * shot.height)).save(file, "PNG")
        return file.getvalue()


@cache
def recording(frames: int) -> bytes:
    """A WebM recording of the given number of frames."""
    with TemporaryDirectory() as folder:
        return video(Path(folder) / "recording.webm", frames).read_bytes()


@pytest.fixture
def desk(
    place: Path, server: Live, key: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """A folder with the files that the pages mention, and `mockup` on the path."""
    (place / "var").mkdir(mode=0o700)
    (place / "var" / "mockup.db").touch(0o600)
    (place / "var" / "mockup.db").write_bytes(upgraded())
    (place / "var" / "demo.key").write_text(key + "\n")
    (place / "var" / "demo.key").chmod(0o600)
    row = {
        "screenshot": "shots/a.png",
        "output": "out/a.png",
        "settings": {"canvas": {"width": 160, "height": 120}},
    }
    (place / "jobs.jsonl").write_text(json.dumps(row) + "\n")
    row = {"recording": "recording.mp4", "output": "out/film.gif"}
    (place / "films.jsonl").write_text(json.dumps(row) + "\n")
    (place / "jobs.csv").write_text("screenshot,output,canvas.width\nshots/b.png,out/b.webp,160\n")
    for name in ("launch.json", "settings.json"):
        (place / name).write_text('{"device": "pixel-9-pro"}')
    (place / "shots" / "more").mkdir(parents=True)
    (place / "frames").symlink_to(ROOT / "frames")
    (place / ".venv").mkdir()
    for name in SHOTS:
        shutil.copy(demo.SAMPLE, place / name)
    (place / "page.png").write_bytes(long_page())
    # Both names get a WebM file: the first bytes of a file tell its type, not its suffix.
    seconds = 7 if mentions(request, "recording.start") else 0.16
    for name in ("recording.mp4", "recording.mov"):
        (place / name).write_bytes(recording(round(25 * seconds)))
    film = next(
        text for _, kind, text in BLOCK.findall((ROOT / "docs" / "films.md").read_text()) if kind == "json"
    )
    (place / "film.json").write_text(film)
    short = {"motion": {"duration": 0.1, "fps": 25}, "settings": {"canvas": {"width": 160, "height": 120}}}
    films = {"recording": "recording.mp4", "output": "out/film.gif", **short}
    (place / "films.jsonl").write_text(json.dumps(films) + "\n")
    programs = place / ".venv" / "bin"
    programs.mkdir()
    for name, value in ready.program(programs).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("API_KEY", key)
    monkeypatch.setenv("MOCKUP_PORT", server.address.rpartition(":")[2])
    monkeypatch.setenv("MOCKUP_ALLOW_PRIVATE_SOURCES", "1")
    for name, value in ONE_AT_ONCE.items():
        monkeypatch.setenv(f"MOCKUP_{name}", value)
    with served(place) as url:
        monkeypatch.setenv("SCREENS", url)
        yield place


def run(text: str, server: Live) -> subprocess.CompletedProcess[str]:
    """Run a block of commands in a shell; for `make`, only check that the target exists."""
    text = text.replace("http://127.0.0.1:8000", server.address)
    text = text.replace("https://example.com", os.environ["SCREENS"])
    text = re.sub(r"^make\b", f"make -n -C '{ROOT}'", text, flags=re.MULTILINE)
    # Make small pictures and films, and check packages without downloading anything.
    text = RENDER.sub(rf"\1 {SMALL}", text)
    text = re.sub(r"^(mockup film (?:.*\\\n)*.*)$", rf"\1 {SHORT}", text, flags=re.MULTILINE)
    text = text.replace("pip install ./", f"{PIP} {ROOT}/").replace("npm install ./", f"{NPM} {ROOT}/")
    return subprocess.run(["sh", "-ec", text], capture_output=True, text=True, check=False)


def pictures(folder: Path) -> set[str]:
    """The pictures that commands wrote into a folder, after checking that each file is a picture."""
    known = {*SHOTS, "page.png"}
    found = [path for path in folder.rglob("*") if path.suffix in (".png", ".jpg", ".webp")]
    found = [path for path in found if str(path.relative_to(folder)) not in known]
    assert all(path.read_bytes()[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0", b"RIFF") for path in found)
    return {str(path.relative_to(folder)) for path in found}


def indented(page: str) -> list[str]:
    """The lines of code blocks that have no fence, only an indentation; indented lines of lists are left
    out."""
    found, listed, blank = list[str](), False, True
    for line in BLOCK.sub("", page).splitlines():
        if line and not line.startswith(" "):
            listed = re.match(r"(\d+\.|-) ", line) is not None
        elif blank and not listed and line.startswith("    "):
            found.append(line)
        blank = not line
    return found


def test_every_block_names_its_language() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        assert {kind for _, kind, _ in BLOCK.findall(text)} <= {"sh", *OTHERS}, page.name
        assert not indented(text), f"{page.name}: nobody tries a block that has no fence"
    assert len(SCRIPTS) >= 6
    assert len(CURL) >= 2
    assert SPANS


@needs_tools
@pytest.mark.parametrize("text", SCRIPTS)
def test_commands_in_the_pages_work(desk: Path, server: Live, text: str) -> None:
    if ".mp4" in text and shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    result = run(text, server)
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    for name in re.findall(r"(?:-o|>) (\w+\.(?:png|jpg|webp))\b", text):
        assert name in pictures(desk)


def test_commands_that_only_draw_are_planned(
    desk: Path, mockup: Mockup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything up to the drawing works: the arguments, the settings, and the places of the files."""
    planned = list[object]()

    def plan(what: object, *_: object) -> int:
        planned.append(what)
        return 0

    monkeypatch.setattr("service.commands.render.run", plan)
    monkeypatch.setattr("service.commands.film.run", lambda *given: not plan(*given))
    texts = [str(one.values[0]) for one in SCRIPTS if only_draws(str(one.values[0]))]
    lines = [line for text in texts for line in text.replace("\\\n", "").splitlines()]
    # A shell expands patterns and redirects streams.
    commands = [line for line in lines if "<" not in line and not re.match(LISTING, line)]
    for line in commands:
        mockup(*shlex.split(line)[1:])
    assert len(planned) == len(commands) >= 12


@needs_tools
@pytest.mark.parametrize("text", CURL)
def test_an_error_is_never_taken_for_a_picture(
    desk: Path, server: Live, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk / "var" / "demo.key").write_text("sk_live_" + "0" * 43)
    monkeypatch.setenv("API_KEY", "sk_live_" + "0" * 43)
    result = run(text, server)
    assert result.returncode > 0
    assert "401" in result.stderr
    assert '"INVALID_API_KEY"' in result.stdout, "the reason is not lost"
    assert pictures(desk) == set()


@needs_tools
def test_the_targets_that_the_text_names_exist(desk: Path, server: Live) -> None:
    for text in TARGETS:
        result = run(text, server)
        assert result.returncode == 0, f"{text}: {result.stderr}"


@needs_tools
@pytest.mark.long(seconds=4)
def test_the_commands_that_the_text_names_work(desk: Path, server: Live, mockup: Mockup) -> None:
    for text in PRINTING:
        assert mockup(*shlex.split(text)[1:]) or "upgrade" in text, text
    for text in STARTING:
        result = run(text, server)
        assert result.returncode == 0, f"{text}: {result.stderr}"
