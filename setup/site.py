"""Build the documentation as a site in `build/site`, without network access; fails on a broken link.

The pictures of the settings are drawn first, unless `--without-pictures` leaves them out.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Python does not search this folder for modules if another program runs this file.
sys.path.append(str(Path(__file__).resolve().parent))

import settings_pictures

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "site-source"
DRAWN = ROOT / "build" / "settings"
# Pages from other folders, and their names in the site.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "clients/python/README.md": "python.md",
    "clients/javascript/README.md": "javascript.md",
    "docs/skill/SKILL.md": "skill.md",
}
# Generated pages, which have no source file.
MADE = ("settings-pictures.md",)
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")


def names() -> dict[Path, str]:
    """Every page and its name in the site."""
    own = {path: path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    return {**own, **{ROOT / path: name for path, name in PAGES.items()}}


def moved(page: Path, text: str, known: dict[Path, str]) -> str:
    """A page whose links lead to files of the site; a link to any other file becomes plain text."""

    def target(found: re.Match[str]) -> str:
        path = (page.parent / found["path"]).resolve()
        if path in known:
            return f"[{found['text']}]({known[path]}{found['anchor'] or ''})"
        if path.is_relative_to(ROOT / "docs" / "pictures"):
            return f"[{found['text']}](pictures/{path.name})"
        return found["text"]

    return LINK.sub(target, text)


def prepare(*, pictures: bool) -> None:
    """Write the pages, pictures and texts for agents to their places."""
    from service.api import for_agents

    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    known = names()
    for page, name in known.items():
        (WORK / name).write_text(moved(page, page.read_text("utf-8"), known), "utf-8")
    shutil.copytree(ROOT / "docs" / "pictures", WORK / "pictures")
    if pictures:
        settings_pictures.draw(DRAWN)
        ignored = shutil.ignore_patterns("*.jsonl")
        shutil.copytree(DRAWN, WORK / "pictures" / "settings", ignore=ignored)
    (WORK / MADE[0]).write_text(settings_pictures.page(pictures=pictures), "utf-8")
    (WORK / "llms.txt").write_text(for_agents.index(), "utf-8")
    (WORK / "llms-full.txt").write_text(for_agents.whole(), "utf-8")


def main() -> None:
    """Prepare and build the site; exits with the generator's code."""
    parser = argparse.ArgumentParser(prog="make docs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--without-pictures", action="store_true", help="leave out the pictures of settings")
    prepare(pictures=not parser.parse_args().without_pictures)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file"]
    # The generator's support ends in 2027; its successor reads the same file.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([*command, str(ROOT / "docs" / "site.yml")], env=environment, check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
