import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from service.accounts.migration import HEAD
from service.commands.doctor import PACKAGES, frames_finding
from service.render.drawing import lettering
from service.shipped import FRAMES
from tests.commands.script import Mockup

pytestmark = pytest.mark.long


def test_doctor_is_content_with_a_fresh_set_up(mockup: Mockup, place: Path) -> None:
    mockup("doctor")
    assert list(place.iterdir()) == [], "looking makes nothing"
    mockup("db", "upgrade")
    found = mockup("doctor")
    assert f"at version {HEAD}" in found
    assert ("writes video" in found) == bool(shutil.which("ffmpeg"))
    assert f"pillow-simd {metadata.version('pillow-simd')} with JPEG, PNG, WebP, ICC profiles" in found


def test_doctor_checks_the_configured_features() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert {text.partition("==")[0] for text in project["dependencies"]} >= set(PACKAGES)


def test_doctor_misses_certificate_authorities(
    mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.setenv(variable, str(place / "nowhere"))
    found = mockup.printed("doctor", code=1)
    assert "FAIL  certificates: no certificate authorities" in found
    assert "install ca-certificates" in found
    (place / "nowhere").mkdir()
    (place / "nowhere" / "0a775a30.0").touch()
    assert "certificates: authorities in" in mockup("doctor")


def test_doctor_warns_of_a_low_limit_of_open_files(place: Path) -> None:
    def doctor(limit: int, **variables: str) -> str:
        command = f"ulimit -n {limit} && exec {sys.executable} -m service doctor"
        environment = {**os.environ, **variables}
        result = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, env=environment, check=False
        )
        (line,) = (line for line in result.stdout.splitlines() if "open files" in line)
        assert result.returncode == line.startswith("FAIL")
        return line

    few = r"FAIL  open files: 256 open files allow only \d+ of 2048 concurrent connections; "
    assert re.match(few + r"raise the limit \(ulimit -n 4096\) or lower MOCKUP_MAX_CONNECTIONS", doctor(256))
    assert doctor(1024, MOCKUP_MAX_CONNECTIONS="100") == "ok    open files: enough for 100 connections"


def test_doctor_reports_every_fault(mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mockup("db", "upgrade")
    (place / "var" / "key.secret").chmod(0o644)
    (place / "var").chmod(0o755)
    monkeypatch.setenv("MOCKUP_PROT", "80")
    found = mockup.printed("doctor", code=1)
    wrong = [line for line in found.splitlines() if line.startswith("FAIL")]
    assert len(wrong) == 3
    assert "MOCKUP_PROT is not a variable of this service; did you mean MOCKUP_PORT?" in wrong[0]
    assert "folder var: open to others (755); run: chmod 700 var" in wrong[1]
    assert "key.secret: open to others (644); run: chmod 600" in wrong[2]

    (place / "var" / "mockup.db").write_bytes(b"no database" * 100)
    assert "FAIL  database" in mockup.printed("doctor", code=1)
    monkeypatch.setenv("MOCKUP_PORT", "x")
    monkeypatch.setenv("MOCKUP_HOST", "")
    assert "FAIL  configuration: MOCKUP_PORT" in mockup.printed("doctor", code=1)


def test_doctor_misses_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "file", lambda weight: FRAMES / "fonts" / f"Ghost-{weight}.otf")
    finding = frames_finding()
    assert not finding.ok
    assert finding.text.startswith("missing: fonts/Ghost-Regular.otf, fonts/Ghost-SemiBold.otf; run")
