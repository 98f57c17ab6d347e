"""The page about the command line names every command, and no other."""

import re
from pathlib import Path

import typer.core
import typer.main

from service.cli import app

PAGE = Path(__file__).parent.parent.parent / "docs" / "cli.md"


def names(command: object, path: str) -> set[str]:
    """The command lines of every command at or below `command`."""
    if isinstance(command, typer.core.TyperGroup):
        return {name for key, sub in command.commands.items() for name in names(sub, f"{path} {key}")}
    return {path}


def test_every_command_is_documented() -> None:
    commands = names(typer.main.get_command(app), "mockup")
    assert "mockup keys issue" in commands
    documented = {
        max((name for name in commands if line.startswith(f"| `{name}")), key=len, default=line)
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if re.match(r"\| `mockup ", line)
    }
    assert documented == commands
