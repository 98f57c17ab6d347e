"""Pictures of devices in documentation, for MkDocs (as a hook) and Sphinx with MyST (as an extension).

`![Home](mockup:shots/home.png)` becomes a `<picture>` with one for light and one for dark pages. Settings
may follow as a title: `![Home](mockup:shots/home.png "device=pixel-9-pro canvas.preset=og")`. The dark one
shows `shots/home-dark.png`, if that exists. Pictures are drawn again when a screenshot or a setting changes.
"""

from __future__ import annotations

import hashlib
import html
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

_IMAGE = re.compile(r'!\[(?P<alt>[^\]]*)\]\(mockup:(?P<shot>[^)\s]+)(?:\s+"(?P<settings>[^"]*)")?\)')
_THEMES = {"light": "#FFFFFF", "dark": "#0F1115"}
FOLDER = "mockups"


def pictures(text: str, folder: Path, up: str = "") -> str:
    """Draw the pictures of a page into `folder`, and return the page with links to them.

    `up` leads from the page to the folder. Raises CalledProcessError.
    """

    def drawn(found: re.Match[str]) -> str:
        shot, settings = folder / found["shot"], shlex.split(found["settings"] or "")
        names = {theme: _draw(shot, settings, theme, folder) for theme in _THEMES}
        light, dark = (html.escape(f"{up}{FOLDER}/{names[theme]}") for theme in ("light", "dark"))
        alt = html.escape(found["alt"])
        return (
            f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
            f'<img src="{light}" alt="{alt}" loading="lazy"></picture>'
        )

    return _IMAGE.sub(drawn, text)


def _draw(shot: Path, settings: list[str], theme: str, folder: Path) -> str:
    """The name of a picture, which is drawn unless its file exists."""
    own = shot.with_name(f"{shot.stem}-{theme}{shot.suffix}")
    source = own if own.exists() else shot
    changes = [f"appearance.theme={theme}", f"appearance.backgroundColor={_THEMES[theme]}", *settings]
    digest = hashlib.sha256(repr(changes).encode() + source.read_bytes()).hexdigest()[:12]
    target = folder / FOLDER / f"{shot.stem}-{theme}-{digest}.webp"
    if not target.exists():
        options = [part for change in changes for part in ("--set", change)]
        command = ["mockup", "render", "--quiet", *options, "--output", str(target), "--", str(source)]
        subprocess.run(command, check=True)
    return target.name


def on_pre_build(config: Any, **_: Any) -> None:
    """MkDocs' hook: draw everything before it looks for files; `hooks: [mockup_pictures.py]`."""
    folder = Path(config["docs_dir"])
    for page in sorted(folder.rglob("*.md")):
        pictures(page.read_text(encoding="utf-8"), folder)


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """MkDocs' hook: insert the pictures."""
    depth = len([part for part in page.url.rpartition("/")[0].split("/") if part])
    return pictures(markdown, Path(config["docs_dir"]), "../" * depth)


def setup(app: Any) -> dict[str, Any]:
    """Sphinx' extension: `extensions = ["myst_parser", "mockup_pictures"]`."""

    def read(app: Any, document: str, source: list[str]) -> None:
        source[0] = pictures(source[0], Path(app.srcdir), "../" * document.count("/"))

    def copy(app: Any, error: Exception | None) -> None:
        if error is None and (Path(app.srcdir) / FOLDER).is_dir():
            shutil.copytree(Path(app.srcdir) / FOLDER, Path(app.outdir) / FOLDER, dirs_exist_ok=True)

    app.connect("source-read", read)
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True}
