"""The page of frequent errors quotes the messages that the code gives."""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from service.accounts.grants import Grant, grant
from service.clock import Clock
from service.codec.sandbox import seccomp, support
from service.commands import demo
from service.config import Config
from service.fonts import extra
from service.http.server import listen
from service.processes import forks
from service.settings import warnings
from tests.api.application import application
from tests.commands.script import Mockup
from tests.support.live import Answer, Live

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "troubleshooting.md"
ID = "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"
LEAST = 20  # messages on the page
CODE = re.compile(r"(`+)(.+?)\1")


def quoted() -> list[str]:
    """The messages on the page, which are the last code spans in the first cell of each row."""
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    first = [row.split(" | ")[0] for row in rows]
    return [CODE.findall(cell)[-1][1] for cell in first if "`" in cell]


def plain(message: str) -> str:
    """The message with a fixed number in place of the seconds to wait."""
    return re.sub(r"again in \d+ seconds?", "again in 42 seconds", message)


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def limited(server: Live, given: Grant) -> Answer:
    """The response to a key of a new user."""
    return server.mockup(server.accounts.keys.issue(server.user().id, grant=given))


def oversized(server: Live) -> Answer:
    size = str(Config().max_body_bytes + 1)
    return server.send("POST", "/api/v1/mockup", b"{", key=server.key(), headers={"Content-Length": size})


def curled(server: Live) -> Answer:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return server.send("POST", "/api/v1/mockup", b"device=phone", key=server.key(), headers=kind)


RESPONSES: dict[str, Callable[[Live], Answer]] = {
    "no key": lambda server: server.send("POST", "/api/v1/mockup", {}),
    "unknown key": lambda server: server.mockup("sk_live_" + "a" * 43),
    "no plan": lambda server: server.mockup(server.key("free")),
    "scope": lambda server: limited(server, grant(["upload"])),
    "origin": lambda server: limited(server, grant(["render"], ["https://app.example.com"])),
    "administrator": lambda server: server.send("GET", "/api/v1/admin/users", key=server.key()),
    "member": lambda server: server.mockup(settings={"shadow": {"blr": 3}}),
    "device": lambda server: server.mockup(settings={"device": "iphone-99"}),
    "address": lambda server: server.mockup(screenshot_url="https://nowhere.invalid/screen.png"),
    "page": lambda server: server.mockup(screenshot_base64=text(b"<!doctype html><html>")),
    "HEIC": lambda server: server.mockup(screenshot_base64=text(HEIC + bytes(40))),
    "upload": lambda server: server.mockup(type="screenshot", screenshot={"type": "upload", "src": ID}),
    "body": oversized,
    "type": curled,
    "link": lambda server: server.send("GET", f"/m/{'a' * 60}/e30/aHR0cHM6Ly9leGFtcGxlLmNvbS9h.png"),
}
WARNINGS: dict[str, warnings.Warning | None] = {
    "upscaled": warnings.upscaled((390, 844), (975, 2110)),
    "letterboxed": warnings.letterboxed(0.35, 0, 0.35, 0),
    "cropped": warnings.cropped(0, 0, 0, 0.3),
    "flattened": warnings.alpha_flattened(),
    "glyphs": warnings.missing_glyphs("captions[0]", drawn=True),
}


def test_responses(server: Live) -> None:
    for way, ask in RESPONSES.items():
        answer = ask(server)
        assert answer.message in quoted(), way
        # The page shows the status in front of the message.
        assert f"| {answer.status} `{answer.message}`" in PAGE.read_text("utf-8"), way


def test_limits(tmp_path: Path) -> None:
    with application(tmp_path, rate_limit=1) as app:
        key = app.key()
        _, late = (asyncio.run(app.send(key=key)) for _ in range(2))
        app.fill()
        busy = asyncio.run(app.send(key=app.key()))
        app.empty()
    assert (late.status, busy.status) == (429, 503)
    assert plain(late.json["message"]) in quoted()
    assert plain(busy.json["error"]["message"]) in quoted()
    assert Clock(Config().render_timeout_s).expired().message in quoted()


def test_warnings() -> None:
    page = PAGE.read_text("utf-8")
    for way, warning in WARNINGS.items():
        assert warning is not None
        assert f"| `{warning.code}`, `{warning.message}`" in page, way


def test_commands(mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(demo.SAMPLE, place / "shot.png")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(place))
        film = mockup("film", "shot.png", "-o", "film.mp4", code=1)
    with monkeypatch.context() as patch:
        patch.setattr(extra, "available", lambda: False)
        caption = 'captions=[{"text": "Hello"}]'
        captions = mockup("render", "shot.png", "-o", "a.png", "--set", caption, code=1)
    with monkeypatch.context() as patch:
        patch.setenv("MOCKUP_PORT", "none")
        configured = mockup("config", code=2)
    for said in (film, captions, configured):
        assert said.splitlines()[0] in quoted()


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OSError, match="in use") as caught:
            listen("127.0.0.1", port)
    assert f"mockup: {caught.value.strerror}".replace(str(port), "8000") in quoted()


def test_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "missing", lambda: ["memfd", "pidfd"])
    monkeypatch.setattr(seccomp, "available", lambda: False)
    with pytest.raises(RuntimeError) as caught:
        support.verify(allowed=False)
    assert f"no pictures will be made: {caught.value}" in quoted()


def test_the_set_up_without_apt(tmp_path: Path) -> None:
    (tmp_path / "id").symlink_to(shutil.which("id") or "")
    command = [shutil.which("bash") or "", str(ROOT / "setup" / "apt.sh"), "libjpeg-dev"]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] in quoted()


def test_each_message_on_the_page_is_compared() -> None:
    # Other tests in this file compare the messages about limits, commands, a port in use, a missing sandbox
    # and the set-up.
    assert len(quoted()) == len(RESPONSES) + len(WARNINGS) + 3 + 3 + 3 >= LEAST
