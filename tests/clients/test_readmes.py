"""The examples in the clients' pages run one after another, with the running service."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.clients.conftest import CLIENTS
from tests.support import pictures
from tests.support.live import Live
from tests.web import modules


def examples(language: str, kind: str, server: Live, key: str) -> list[str]:
    """The code blocks of a client's page, with the address of the running service."""
    text = (CLIENTS / language / "README.md").read_text("utf-8")
    found = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found
    return [one.replace("http://127.0.0.1:8000", server.address).replace("sk_…", key) for one in found]


def run(command: list[str], folder: Path, **variables: str) -> str:
    shutil.copy(CLIENTS.parent / "frames" / "samples" / "screenshot.png", folder / "screen.png")
    done = subprocess.run(
        command, cwd=folder, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_python(server: Live, key: str, tmp_path: Path) -> None:
    code = "\n".join(examples("python", "python", server, key))
    said = run([sys.executable, "-c", code], tmp_path, PYTHONPATH=str(CLIENTS / "python"))
    assert pictures.size((tmp_path / "hero.png").read_bytes()) == (1200, 630)
    # The page states the output.
    (told,) = re.findall(r"print\(error\)  # (.+)", code)
    assert said.strip() == told


def test_javascript(server: Live, key: str, tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "mockup-client").symlink_to(CLIENTS / "javascript")
    (tmp_path / "page.mjs").write_text("\n".join(examples("javascript", "js", server, key)))
    run([modules.node(), "page.mjs"], tmp_path)
    assert pictures.size((tmp_path / "hero.png").read_bytes()) == (1920, 1080)
