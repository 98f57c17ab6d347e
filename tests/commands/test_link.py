"""`link` and `keys link`: addresses made and checked on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.accounts import links
from tests.commands.script import Mockup

SHOT = "https://example.com/screen.png"


@pytest.fixture
def secret(mockup: Mockup, monkeypatch: pytest.MonkeyPatch) -> str:
    mockup("users", "add", "ada@example.com", "--plan", "pro")
    key = mockup("keys", "issue", "ada@example.com").strip()
    secret = mockup("keys", "link", key).strip()
    monkeypatch.setenv("MOCKUP_LINK_SECRET", secret)
    monkeypatch.setenv("MOCKUP_URL", "https://mockups.example.com/")
    return secret


def test_links_are_made_and_checked(mockup: Mockup, secret: str, tmp_path: Path) -> None:
    assert links.SECRET.fullmatch(secret)
    (tmp_path / "look.json").write_text('{"shadow": {"enabled": false}}')
    given = ("--settings", str(tmp_path / "look.json"), "--device", "iPhone 16 Pro", "--format", "webp")
    link = mockup("link", SHOT, *given, "--expires", "2090-12-31").strip()
    assert link.startswith(f"https://mockups.example.com/m/{secret[8:20]}")
    said = {
        "screenshot": SHOT,
        "settings": {"device": "iphone-16-pro", "shadow": {"enabled": False}},
        "format": "webp",
        "expires": "2091-01-01T00:00:00+00:00",
    }
    assert json.loads(mockup("link", "--check", link)) == said
    project = "1f0c6c1d-8e5b-4a0f-9c7d-2b3a4e5f6071"
    link = mockup("link", SHOT, "--project", project, "--address", "http://[::1]:8000/mockups").strip()
    assert link.startswith("http://[::1]:8000/mockups/m/")
    assert json.loads(mockup("link", "--check", link))["project"] == project


def test_a_link_has_the_format_of_its_settings(mockup: Mockup, secret: str) -> None:
    assert mockup("link", SHOT, "--set", "export.format=WebP").strip().endswith(".webp")
    assert mockup("link", SHOT, "--set", "export.format=webp", "--format", "jpg").strip().endswith(".jpg")
    assert mockup("link", SHOT).strip().endswith(".png")


def test_malformed_links_are_refused(mockup: Mockup, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    link = mockup("link", SHOT).strip()
    for wrong in (f"{link}?expires=4000000000", link.replace("/m/", "/m/x"), "https://example.com/", "/m/"):
        assert "the link was changed" in mockup("link", "--check", wrong, code=1)
    assert "did you mean blur" in mockup("link", SHOT, "--set", "shadow.blr=2", code=1)
    assert "expected 1, because a link" in mockup("link", SHOT, "--set", "canvas.slices=3", code=1)
    assert "expected one of png" in mockup("link", SHOT, "--format", "gif", code=1)
    assert "beginning with http" in mockup("link", "screen.png", code=1)
    assert "is in the past" in mockup("link", SHOT, "--expires", "2020-01-01", code=1)
    assert "takes neither" in mockup("link", SHOT, "--project", "0" * 32, "--device", "card", code=2)
    monkeypatch.setenv("MOCKUP_LINK_SECRET", "sk_live_x")
    assert "is not a link secret" in mockup("link", SHOT, code=1)
    monkeypatch.delenv("MOCKUP_LINK_SECRET")
    assert "mockup keys link PREFIX" in mockup("link", SHOT, code=1)
