"""The manual page has every command, and follows the conventions of manual pages."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer.main

from service.cli import app

MAN: Any = runpy.run_path(str(Path(__file__).resolve().parent.parent / "setup" / "man_page.py"))


def test_it_has_every_command_and_option() -> None:
    page = MAN["page"]()
    listed = list(MAN["commands"](typer.main.get_command(app), "mockup"))
    assert {"mockup demo", "mockup keys issue"} <= {path for path, _ in listed}
    for path, command in listed:
        assert f'.SS "{path} ' in page or f'.SS "{path}"' in page
        for option in command.params:
            assert all(MAN["text"](name) in page for name in option.opts if name.startswith("-"))


def test_lines_are_text_wherever_they_begin() -> None:
    assert MAN["text"](".5 and 'so'") == "\\&.5 and 'so'"
    assert MAN["quoted"]('a "b" \\') == '"a ""b"" \\e"'


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_page_is_typeset_without_warnings() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z", "-Tutf8"],
        input=MAN["page"](),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
