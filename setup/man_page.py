"""Write the manual page of `mockup` from its commands: `python setup/man_page.py FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import typer.core
import typer.main

# When this file runs as a script, Python searches this folder for modules instead of the project's.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from service.cli import app
from service.version import version

HEAD = """.TH MOCKUP 1 "" "mockup {version}" "User Commands"
.SH NAME
mockup \\- pictures of screenshots on devices, from the command line and over HTTP
.SH SYNOPSIS
.B mockup
.I COMMAND
[\\fIOPTIONS\\fR]
.SH DESCRIPTION
Renders a screenshot on the device it runs on: posed in space, lit, with a shadow. The commands
.BR render ,
.BR scene ,
.B set
and
.B film
work without a server;
.B demo
and
.B serve
start one, with a studio in the browser.
.SH COMMANDS
"""
TAIL = """.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
Complete or partial failure; stderr says why.
.TP
.B 2
Wrong usage: an invalid option, or a mistake in the configuration.
.TP
.B 130
Interrupted with Ctrl\\-C.
.SH ENVIRONMENT
Variables that begin with
.B MOCKUP_
configure the service;
.B mockup config
prints those in effect, each with its origin.
.SH FILES
.TP
.I var/
The database, the secrets and the demo account's key, unless
.B MOCKUP_DATA_DIR
names another folder.
.SH EXAMPLES
.EX
mockup demo
mockup render shot.png \\-o mockup.png \\-\\-device iphone\\-16\\-pro
mockup render shot.png \\-o hero.webp \\-\\-set deviceTransform.pose=hero\\-left
mockup set mockups.toml
.EE
"""


def commands(command: object, path: str) -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Every command of a group of commands, with the words that call it."""
    if isinstance(command, typer.core.TyperGroup):
        for name, one in command.commands.items():
            yield from commands(one, f"{path} {name}")
    elif isinstance(command, typer.core.TyperCommand):
        yield path, command


def section(path: str, command: typer.core.TyperCommand) -> str:
    """A command's usage, its description and its options."""
    context = command.make_context(path, [], resilient_parsing=True)
    records = [one.get_help_record(context) for one in command.get_params(context)]
    usage = " ".join((path, *command.collect_usage_pieces(context)))
    lines = [f".SS {quoted(usage)}", text(command.help or "")]
    for name, about in filter(None, records):
        if name != "--help":
            lines += [".TP", f".B {quoted(name)}", text(about)]
    return "\n".join(lines) + "\n"


def text(line: str) -> str:
    """A line escaped for troff; hyphens stay hyphens, so that readers can copy them."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


def quoted(line: str) -> str:
    """A line, escaped as the only argument of a macro."""
    return '"' + text(line).replace('"', '""') + '"'


def page() -> str:
    """The whole page."""
    listed = commands(typer.main.get_command(app), "mockup")
    return HEAD.format(version=version()) + "".join(section(*one) for one in listed) + TAIL


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page(), "utf-8")
