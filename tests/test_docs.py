"""Links in the pages lead to existing targets, and the Makefile lists its targets."""

from __future__ import annotations

import re
from pathlib import Path

from service.settings.effects import EFFECTS
from tests.support.looped import looped

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("*.md", "docs/**/*.md", "clients/*/README.md", "frames/README.md", "service/web/README.md")
PAGES = sorted(page for place in PLACES for page in ROOT.glob(place))
LINK = re.compile(r"\]\(([^)\s]+)\)")
MOST_BYTES = 1_200_000  # largest total size of the documentation's pictures, which every clone contains


def links(page: Path) -> list[tuple[Path, str]]:
    """The targets of a page's links, file and anchor, without links to other hosts."""
    found = LINK.findall(page.read_text(encoding="utf-8"))
    parted = (link.partition("#") for link in found if ":" not in link)
    return [((page.parent / path).resolve() if path else page, anchor) for path, _, anchor in parted]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts generate them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@looped("page", PAGES)
def test_links_lead_to_existing_targets(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), f"{page.name} leads to {target}"
        assert not anchor or anchor in anchors(target), f"{page.name} leads to {target.name}#{anchor}"


def test_every_page_is_linked_from_the_readme() -> None:
    reached = {target for target, _ in links(ROOT / "README.md")}
    assert [page.name for page in PAGES if page.parent.name == "docs" and page not in reached] == []


def test_git_ignores_the_pictures_that_commands_in_the_readme_write() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    written = set(re.findall(r"(?:-o|>) (\w+\.\w+)\b", text))
    assert written
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert [name for name in sorted(written) if f"/{name}" not in ignored] == []


def test_every_picture_is_shown_and_small() -> None:
    shown = {target for page in PAGES for target, _ in links(page)}
    pictures = sorted((ROOT / "docs" / "pictures").iterdir())
    assert pictures
    assert [picture.name for picture in pictures if picture not in shown] == []
    assert sum(picture.stat().st_size for picture in pictures) < MOST_BYTES


def test_files_named_by_the_architecture_exist() -> None:
    """Names of files with an extension, which must exist in the repository, in `service/` or in one of its
    packages."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = [ROOT, ROOT / "service", *(path for path in (ROOT / "service").iterdir() if path.is_dir())]
    names = set(re.findall(r"`([\w/]+\.(?:py|txt|md|toml))`", text))
    assert names
    assert [name for name in sorted(names) if not any((folder / name).exists() for folder in folders)] == []


def test_every_module_of_the_renderer_has_its_place_on_its_page() -> None:
    text = (ROOT / "docs" / "rendering.md").read_text(encoding="utf-8")
    there = {path.name for path in (ROOT / "service" / "render").rglob("*.py")} - {"__init__.py"}
    there -= {f"{name}.py" for name in EFFECTS}
    assert there - set(re.findall(r"`(\w+\.py)`", text)) == set()


def test_every_effect_is_explained() -> None:
    text = (ROOT / "docs" / "rendering.md").read_text(encoding="utf-8").lower()
    assert [name for name in EFFECTS if f"**{name}**" not in text] == []


def test_the_makefile_runs_existing_files() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    modules = re.findall(r"python -m (\S+)", text)
    scripts = re.findall(r"setup/\w+\.sh", text)
    assert modules
    assert scripts
    paths = [ROOT / module.replace(".", "/") for module in modules]
    assert [path.name for path in paths if not (path.is_dir() or path.with_suffix(".py").exists())] == []
    assert [script for script in scripts if not (ROOT / script).exists()] == []


def test_dependencies_are_explained() -> None:
    """The table has a row for each package that the service requires, and no other."""
    asked = re.search(r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.M)
    assert asked
    explained = re.search(
        r"^The service:\n(.*?)\n\n[^|]",
        (ROOT / "docs" / "architecture.md").read_text("utf-8"),
        re.DOTALL | re.M,
    )
    assert explained
    packages = re.findall(r'"([\w-]+)==', asked[1])
    assert re.findall(r"^\| ([a-z][a-z0-9-]*) \|", explained[1], re.M)[1:] == packages
