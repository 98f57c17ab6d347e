"""Runs each recipe with real parts: the command, the service, a browser, a site generator."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml
from PIL import Image

from tests.recipes.conftest import RECIPES, ROOT
from tests.support import browser
from tests.support.live import Live
from tests.web import modules

pytestmark = pytest.mark.long
SMALL = "canvas.width=160 canvas.height=120"


def bash(script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_action_renders_its_inputs(project: Path, tmp_path: Path) -> None:
    action = yaml.safe_load((RECIPES / "action" / "action.yml").read_text())
    given = {name: one.get("default", "") for name, one in action["inputs"].items()}
    given |= {
        "screenshots": "shots/home.png\n\nshots/about us.png\n",
        "settings": '{"canvas": {"width": 160, "height": 120}}',
        "output": 'out "$(touch evil)"/',
    }
    output = tmp_path / "github_output"
    for step in action["runs"]["steps"]:
        said = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
            for name, value in step["env"].items()
        }
        assert "${{" not in step["run"], "inputs come as variables"
        done = bash(step["run"], **said, RUNNER_TEMP=str(tmp_path), GITHUB_OUTPUT=str(output))
        assert done.returncode == 0, done.stderr
    names = output.read_text().splitlines()[1:-1]
    assert len(names) == 2
    for name in names:
        with Image.open(project / name) as picture:
            assert picture.size == (160, 120)
    assert not (project / "evil").exists()


@pytest.mark.parametrize(("package", "installed"), [("", "the/repository"), ("mockup.whl", "mockup.whl")])
def test_the_action_installs_a_package_or_the_repository(
    tmp_path: Path, package: str, installed: str
) -> None:
    step = yaml.safe_load((RECIPES / "action" / "action.yml").read_text())["runs"]["steps"][0]
    (tmp_path / "python").write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/asked\n')
    (tmp_path / "python").chmod(0o755)
    said = {"PACKAGE": package, "REPOSITORY": "the/repository"}
    assert step["env"].keys() == said.keys()
    # There is no `mockup` on this PATH.
    done = bash(step["run"], **said, PATH=f"{tmp_path}:/bin")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "asked").read_text() == f"-m pip install --quiet {installed}\n"


def test_the_hook_draws_only_what_has_changed(project: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (project / "mockups.toml").write_text(
        'screenshot = "shots/{screen}.png"\noutput = "pictures"\nlocales = ["en-US"]\n'
        'screens = [{ name = "home" }]\n'
        'sizes = [{ name = "small", layout = "flat" }]\n'
        "[settings.canvas]\nwidth = 160\nheight = 120\n"
    )
    command = " ".join([hook["entry"], *hook["args"]])
    first, second = bash(command), bash(command)
    assert "1 drawn" in first.stderr, first.stderr
    assert "0 drawn, 1 unchanged" in second.stderr
    pattern = re.compile(hook["files"])
    assert all(map(pattern.search, ("shots/home.png", "mockups.toml")))
    assert not pattern.search("README.md")


def test_pages_have_pictures_for_light_and_dark(project: Path, tmp_path: Path) -> None:
    recipe = loaded(RECIPES / "pages" / "mockup_pictures.py")
    text = f'![A "home"](mockup:shots/home.png "{SMALL}") and ![none](shots/home.png)'
    page = recipe.pictures(text, project, "../")
    names = re.findall(r'(?:srcset|src)="\.\./(mockups/[^"]+)"', page)
    assert len(names) == 2
    assert 'alt="A &quot;home&quot;"' in page
    assert page.endswith("![none](shots/home.png)")
    with Image.open(project / names[0]) as dark, Image.open(project / names[1]) as light:
        corners = [one.convert("L").getpixel((0, 0)) for one in (dark, light)]
    assert corners[0] < 40 < 200 < corners[1]  # type: ignore[operator]
    times = [(project / name).stat().st_mtime_ns for name in names]
    assert recipe.pictures(text, project, "../") == page
    assert [(project / name).stat().st_mtime_ns for name in names] == times
    events: dict[str, Any] = {}
    app = SimpleNamespace(connect=events.__setitem__, srcdir=str(project), outdir=str(tmp_path / "html"))
    assert recipe.setup(app) == {"parallel_read_safe": True}
    source = [text]
    events["source-read"](app, "guide/intro", source)
    assert source == [page]
    events["build-finished"](app, None)
    assert (tmp_path / "html" / names[0]).exists()


def test_mkdocs_builds_a_site_with_them(project: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("the extra `docs` is not installed")
    (project / "docs" / "guide").mkdir(parents=True)
    shutil.move(str(project / "shots"), project / "docs" / "shots")
    (project / "docs" / "guide" / "intro.md").write_text(
        f'# Intro\n\n![Home](mockup:shots/home.png "{SMALL}")\n'
    )
    (project / "docs" / "index.md").write_text("# Home\n")
    hook = RECIPES / "pages" / "mockup_pictures.py"
    (project / "mkdocs.yml").write_text(f"site_name: A site\ntheme: {{name: mkdocs}}\nhooks: [{hook}]\n")
    done = bash("python -m mkdocs build --strict --quiet")
    assert done.returncode == 0, done.stderr
    written = (project / "site" / "guide" / "intro" / "index.html").read_text()
    (name,) = re.findall(r'<img src="([^"]+)"', written)
    assert (project / "site" / "guide" / "intro" / name).resolve().exists()


def test_the_fixture_renders_a_page(project: Path, server: Live, key: str, tmp_path: Path) -> None:
    path = browser.program()
    if path is None:
        pytest.skip("no Chromium is installed")
    shutil.copy(RECIPES / "playwright" / "mockup_fixture.py", project / "conftest.py")
    (project / "test_home.py").write_text(
        "from playwright.sync_api import sync_playwright\n"
        "def test_home(mockup):\n"
        "    with sync_playwright() as running:\n"
        f"        launched = running.chromium.launch(executable_path={path!r}, args=['--no-sandbox'])\n"
        "        page = launched.new_page()\n"
        "        page.set_content('<h1>Home</h1>')\n"
        "        picture = mockup(page, 'home.png', {'device': 'macbook-pro-14', "
        "'canvas': {'width': 160, 'height': 120}})\n"
        "        assert picture.device == 'macbook-pro-14'\n"
    )
    clients = str(ROOT / "clients" / "python")
    # Our own tests' plugins take longer to load than the page.
    given = {"MOCKUP_URL": server.address, "MOCKUP_API_KEY": key, "PYTHONPATH": clients}
    given["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = bash("python -m pytest -q -p no:cacheprovider test_home.py", **given)
    assert done.returncode == 0, done.stdout + done.stderr
    with Image.open(project / "home.png") as picture:
        assert picture.size == (160, 120)


def test_stories_have_pictures_that_ask_for_them(project: Path, server: Live, key: str) -> None:
    (project / "node_modules").mkdir()
    (project / "node_modules" / "mockup-client").symlink_to(ROOT / "clients" / "javascript")
    shutil.copy(RECIPES / "storybook" / "mockup.mjs", project)
    (project / "run.mjs").write_text(
        'import { readFile } from "node:fs/promises";\nimport { pictured } from "./mockup.mjs";\n'
        'const page = { screenshot: () => readFile("shots/home.png") };\n'
        "const asked = { device: 'iphone-16-pro', canvas: { width: 160, height: 120 } };\n"
        "const getStoryContext = async (_, { id }) => "
        "({ parameters: id === 'plain' ? {} : { mockup: asked } });\n"
        "const visit = pictured({ getStoryContext });\n"
        "console.log(await visit(page, { id: 'plain' }), await visit(page, { id: 'button--primary' }));\n"
    )
    given = {"MOCKUP_URL": server.address, "MOCKUP_API_KEY": key}
    done = bash(f"{modules.node()} run.mjs", **given)
    assert done.stdout.split() == ["null", "mockups/button--primary.png"], done.stderr
    with Image.open(project / "mockups" / "button--primary.png") as picture:
        assert picture.size == (160, 120)
