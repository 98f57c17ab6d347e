"""The server started from the command line: the demo account, its curl command, and health."""

import os
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.commands import demo
from service.commands.server_url import base_url
from service.commands.startup_warnings import startup_warnings
from service.config import Config
from tests.commands.script import COMMAND, run
from tests.support import ready
from tests.support.live import ONE_AT_ONCE, UNHURRIED
from tests.support.ready import Ready
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.long

Start = Callable[..., tuple[Ready, str]]


@pytest.fixture
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start `demo` on a free port with long deadlines; returns the process and its output.

    It begins with everything loaded; the test of start-up warnings below starts from scratch.
    """
    started: list[Ready] = []

    def start(*options: str, **given: str) -> tuple[Ready, str]:
        usual = UNHURRIED | ONE_AT_ONCE
        variables = {f"MOCKUP_{name}": value for name, value in usual.items()} | given
        printed = tmp_path_factory.mktemp("printed") / "stdout"
        with printed.open("wb") as out:
            process = ready.start(["demo", "--port", "0", *options], os.environ | variables, out)
        started.append(process)
        until(lambda: "curl" in printed.read_text() or process.poll() is not None, "the start of the server")
        return process, printed.read_text()

    yield start
    for process in started:
        process.kill()
        process.wait()


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, text
    return match.group(1)


def test_the_demo_key_stays_the_same_and_private(start: Start, place: Path) -> None:
    first, text = start()
    key = found(r"(sk_live_[A-Za-z0-9_-]{43})\n", text)
    file = place / "var" / "demo.key"
    assert file.read_text() == key + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert found(r"Studio +http://127\.0\.0\.1:\d+/#key=(\S+)\n", text) == key, "the studio keeps it"
    _, again = start()
    assert key in again

    first.send_signal(signal.SIGTERM)
    first.wait(PATIENCE_S)
    assert run("keys", "revoke", key[:16]).returncode == 0
    _, third = start()
    renewed = found(r"(sk_live_[A-Za-z0-9_-]{43})\n", third)
    assert renewed != key, "a revoked key is replaced"
    assert file.read_text() == renewed + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_studio_is_opened_without_its_key_in_a_command_line(start: Start, place: Path) -> None:
    (place / "browser").write_text(
        f'#!/bin/sh\necho "$@" >{place}/asked.part; mv {place}/asked.part {place}/asked\n'
    )
    (place / "browser").chmod(0o755)
    _, text = start(BROWSER=f"{place}/browser")
    until((place / "asked").exists, "the browser")
    page = place / "var" / "demo.html"
    assert (place / "asked").read_text().strip() == page.as_uri()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    address = found(r"Studio +(http://\S+)", text)
    assert f'url={address}"' in page.read_text()


@pytest.mark.parametrize(("options", "variables"), [(["--no-browser"], {"DISPLAY": ":9"}), ([], {})])
def test_no_browser_is_opened_without_a_display(
    start: Start, place: Path, options: list[str], variables: dict[str, str]
) -> None:
    start(*options, **{"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": "", **variables})
    assert not (place / "var" / "demo.html").exists()


def test_health_of_a_running_server(start: Start) -> None:
    process, text = start()
    port = found(r"Reference +http://127\.0\.0\.1:(\d+)/docs\n", text)
    assert run("health", MOCKUP_PORT=port).returncode == 0
    assert run("health", "--ready", MOCKUP_PORT=port, http_proxy="http://127.0.0.1:1").returncode == 0
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 0
    result = run("health", MOCKUP_PORT=port)
    assert result.returncode == 1
    assert "does not respond" in result.stderr
    assert result.stdout == ""


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_line_works_as_it_is_pasted(start: Start, place: Path) -> None:
    _, text = start()
    line = next(line for line in text.splitlines() if "curl" in line)
    for shell in ("sh", "bash"):
        pasted = subprocess.run([shell, "-c", line], capture_output=True, text=True, check=False)
        assert (pasted.returncode, pasted.stdout, pasted.stderr) == (0, "", "")
        assert (place / "mockup.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
        (place / "mockup.png").unlink()


def test_the_error_names_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", "--port", str(port))
    assert result.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr
    assert "--port or MOCKUP_PORT" in result.stderr
    assert "Traceback" not in result.stderr


def test_serve_reports_every_mistake_and_does_not_start(place: Path) -> None:
    variables = {"MOCKUP_RENDER_TIMEOUT_S": "0", "MOCKUP_METRICS_PORT": "x"}
    result = run("demo", "--port", "70000", **variables)
    assert result.returncode == 2
    for name in ("MOCKUP_PORT", "MOCKUP_RENDER_TIMEOUT_S", "MOCKUP_METRICS_PORT"):
        assert name in result.stderr
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("host", "demo", "warned"),
    [("0.0.0.0", True, True), ("::", True, True), ("0.0.0.0", False, False), ("127.0.0.1", True, False)],
)
def test_a_public_demo_causes_a_warning(host: str, demo: bool, warned: bool) -> None:
    told = [
        line
        for line in startup_warnings(Config(host=host, max_connections=1), demo)
        if "demo account" in line
    ]
    assert bool(told) == warned
    assert all("\n" not in line and host in line for line in told)


@pytest.mark.parametrize(("shared", "warned"), [(None, True), ("/uploads", False)])
def test_unshared_uploads_cause_a_warning(shared: str | None, warned: bool) -> None:
    config = Config.model_validate({"redis_url": "redis://h", "upload_dir": shared, "max_connections": 1})
    assert any("MOCKUP_UPLOAD_DIR" in line for line in startup_warnings(config, demo=False)) == warned


@pytest.mark.parametrize(("files", "allowed"), [(65536, None), (2336, None), (2335, 2047), (1024, 736)])
def test_a_low_limit_of_open_files_causes_a_warning(
    files: int, allowed: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each connection takes a file, and 256 files and one for each half mebibyte of plates are set aside."""
    monkeypatch.setattr("resource.getrlimit", lambda _: (files, files))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    config = Config.model_validate({"max_connections": 2048, "cache_bytes": 16 << 20})
    told = [line for line in startup_warnings(config, demo=False) if "open files" in line]
    assert bool(told) == (allowed is not None)
    assert all(f"{files} open files allow only {allowed} of 2048" in line for line in told)


def test_the_server_warns_of_unwise_settings(place: Path) -> None:
    command = f"ulimit -n 256; exec {shlex.join(COMMAND)} demo --host 0.0.0.0 --port 0"
    with subprocess.Popen(
        ["sh", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {f"MOCKUP_{name}": value for name, value in ONE_AT_ONCE.items()},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        # Ctrl-C also signals every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert "Traceback" not in err
    warnings = [line for line in err.splitlines() if "warning" in line]
    assert [line for line in warnings if "a demo account on 0.0.0.0: anyone" in line]
    assert [line for line in warnings if "256 open files allow only" in line]
    assert bool([line for line in warnings if "running as root" in line]) == (os.geteuid() == 0)


def test_ctrl_c_right_after_the_announcement_ends_the_server(place: Path) -> None:
    code = (
        "import os, signal\nfrom service.app import create_app\nfrom service.config import Config\n"
        "from service.http.server import serve\n"
        "config = Config(port=0, render_threads=1)\n"
        "serve(create_app, config, lambda url: os.kill(os.getpid(), signal.SIGINT))\n"
        "print('ended by itself')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "ended by itself"), done.stderr


def test_addresses() -> None:
    assert base_url(Config(host="0.0.0.0", port=80)) == "http://127.0.0.1:80"
    assert base_url(Config(host="::", port=80)) == "http://[::1]:80"
    assert base_url(Config(host="mockup.local")) == "http://mockup.local:8000"
    assert "'http://127.0.0.1:8000/api" in demo.message("key", "http://0.0.0.0:8000")


def test_the_sample_file_exists() -> None:
    assert demo.SAMPLE.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
