"""The site contains all pages, and loads nothing from other hosts."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SITE: Any = runpy.run_path(str(ROOT / "setup" / "site.py"))


def test_the_navigation_has_every_page() -> None:
    def pages(entries: list[Any]) -> list[str]:
        values = [next(iter(entry.values())) for entry in entries]
        return [name for one in values for name in (pages(one) if isinstance(one, list) else [one])]

    configured = yaml.safe_load((ROOT / "docs" / "site.yml").read_text("utf-8"))
    assert sorted(pages(configured["nav"])) == sorted([*SITE["names"]().values(), *SITE["MADE"]])


@pytest.mark.long
def test_the_site_builds() -> None:
    if find_spec("material") is None:
        pytest.skip("the extra `docs` is not installed")
    done = subprocess.run(
        [sys.executable, str(ROOT / "setup" / "site.py"), "--without-pictures"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = ROOT / "build" / "site"
    page = (site / "index.html").read_text("utf-8")
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?://[^"]+)"', page)
    whole = (site / "llms-full.txt").read_text("utf-8")
    assert all(f"<!-- docs/{path.name} -->" in whole for path in (ROOT / "docs").glob("*.md"))
