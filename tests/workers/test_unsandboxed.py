"""Machines that cannot sandbox decoders: the service refuses to make pictures and says why, or, if allowed,
makes the same pictures as with sandboxes."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from service.clock import Clock
from service.config import Config
from service.engine.request import DevicePreview
from service.engine.studio import Studio
from service.errors import Code, MockupError
from service.workers.opening import open_renderers
from service.workers.pool import Pool
from service.workers.unsandboxed import Unsandboxed
from tests.render.posing import settings
from tests.support.forbidding import FORBIDDEN, forbidding
from tests.support.live import running
from tests.support.pictures import png
from tests.support.processes import tree
from tests.support.requests import prepared

pytestmark = [pytest.mark.long]
# The behaviour is the same whichever feature is missing, so `make test` forbids one, and `make thorough` the
# others.
OTHERS = [pytest.param(name, marks=pytest.mark.thorough) for name in FORBIDDEN if name != "seccomp"]
EACH = ["seccomp", *OTHERS]
SMALL = settings({"canvas.width": 160, "canvas.height": 120})


def mockup(place: Path, without: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command on a machine where one feature is forbidden."""
    return subprocess.run(
        forbidding(without, sys.executable, "-m", "service", *arguments),
        capture_output=True,
        text=True,
        env={**os.environ, "MOCKUP_DATA_DIR": str(place), "MOCKUP_PORT": "0", **variables},
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("without", EACH)
def test_files_are_refused_without_a_sandbox(tmp_path: Path, without: str) -> None:
    (tmp_path / "a.png").write_bytes(png())
    sentence = f"{without} not available here, so screenshots cannot be decoded in a sandbox; "
    done = mockup(tmp_path, without, "render", str(tmp_path / "a.png"), "-o", str(tmp_path / "b.png"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"mockup: {sentence}")
    assert "MOCKUP_ALLOW_UNSANDBOXED" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "b.png").exists()
    assert f"FAIL  sandbox: {sentence}" in mockup(tmp_path, without, "doctor").stdout


def test_a_service_without_a_sandbox_makes_no_picture_and_says_why(tmp_path: Path) -> None:
    without = "pidfd"
    with running(tmp_path, *forbidding(without), METRICS_PORT="0") as live:
        assert f"no pictures will be made: {without} not available here" in live.log.read_text()
        readiness = live.send("GET", "/health/ready")
        assert (readiness.status, readiness.json["checks"]["sandbox"]) == (503, False)
        assert live.send("GET", "/health").status == 200
        for answer in (live.mockup(), live.send("GET", "/api/v1/devices/pixel-9-pro/preview.png")):
            assert (answer.status, answer.json["error"]["code"]) == (503, "SERVER_BUSY")
            assert "no sandbox" in answer.json["error"]["message"]
            assert answer.headers["retry-after"] == "60"
        (address,) = re.findall(r"http://[\d.:]+/metrics", live.log.read_text())
        with urllib.request.urlopen(address, timeout=10) as metrics:
            assert b"\nmockup_sandbox 0.0\n" in metrics.read()


@pytest.mark.parametrize("without", EACH)
def test_an_operator_may_allow_serving_without_a_sandbox(tmp_path: Path, without: str) -> None:
    with running(tmp_path, *forbidding(without), ALLOW_UNSANDBOXED="true") as live:
        assert live.send("GET", "/health/ready").status == 200
        answer = live.mockup(query="?output=raw")
        assert answer.status == 200
        assert answer.body.startswith(b"\x89PNG")
        assert tree(live.process.pid) == [live.process.pid]
        assert f"{without} not available; this process decodes" in live.log.read_text()


def test_doctor_knows_that_it_is_allowed(tmp_path: Path) -> None:
    found = mockup(tmp_path, "memfd", "doctor", MOCKUP_ALLOW_UNSANDBOXED="true")
    assert "ok    sandbox: none, as allowed: memfd not available here" in found.stdout


def test_a_decoder_that_cannot_be_confined_decodes_nothing() -> None:
    script = (
        "from service.clock import Clock; from service.codec import header; "
        "from service.codec.sandbox.client import Sandboxed; from tests.support.pictures import png; "
        "s = Sandboxed(); data = png()\n"
        "try: s.decode(data, header.read(data), None, Clock())\n"
        "except Exception as error: print(error.code)\n"
        "s.close()"
    )
    done = subprocess.run(
        forbidding("seccomp", sys.executable, "-c", script), capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (
        "RENDER_FAILED\n",
        "a decoder process could not filter its system calls\n",
    )


async def test_permission_changes_nothing_with_a_sandbox() -> None:
    renderers = open_renderers(Config(allow_unsandboxed=True))
    assert isinstance(renderers, Pool)
    renderers.close()


async def test_pictures_and_errors_equal_those_of_the_sandbox() -> None:
    renderers, studio, clock = Unsandboxed(Config()), Studio(), Clock(60)
    renderers.warm()
    expected = studio.render(prepared(png(), SMALL), Clock()).data
    made, text = await asyncio.gather(
        renderers.render(prepared(png(), SMALL), clock),
        renderers.render(prepared(png(), SMALL, text=True), Clock()),
    )
    assert made.data == expected
    assert base64.b64decode(text.data) == expected
    assert {"queue", "plate", "warp"} <= set(clock.stages)
    assert bytes((await renderers.draw(DevicePreview("pixel-9-pro"), Clock())).data).startswith(b"\x89PNG")
    with pytest.raises(MockupError) as caught:
        await renderers.render(prepared(png()[:60], SMALL), Clock())
    assert caught.value.code is Code.INVALID_REQUEST
    job = asyncio.ensure_future(renderers.render(prepared(png(), SMALL), Clock()))
    await asyncio.sleep(0)
    job.cancel()
    await asyncio.wait({job})
    assert job.cancelled()
    assert (await renderers.render(prepared(png(), SMALL), Clock())).width == 160
    renderers.close()
    studio.close()
