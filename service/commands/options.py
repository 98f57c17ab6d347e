"""Options and arguments that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..settings.formats import WRITTEN
from ..validation.names import listed
from . import completion

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="the user's e-mail address")]
Host = Annotated[str | None, typer.Option(help="address to listen on; overrides MOCKUP_HOST")]
Port = Annotated[int | None, typer.Option(help="port to listen on; overrides MOCKUP_PORT")]
Device = Annotated[
    str | None,
    typer.Option(help="a device's id, auto, or a description as JSON", autocompletion=completion.devices),
]
FORMATS = listed([one.suffixes[0].lstrip(".") for one in WRITTEN])
Fast = Annotated[bool, typer.Option("--fast", help="faster, at lower quality")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="no progress bar and no warnings; errors are still printed")
]
JsonLines = Annotated[bool, typer.Option("--json", help="print a line of JSON for each picture")]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="JSON, a picture with its settings, or - for stdin"),
]
Look = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="a look of `mockup looks`; other settings override it",
        autocompletion=completion.looks,
    ),
]
Template = Annotated[
    str | None,
    typer.Option(metavar="ID", help="a template of `mockup templates`", autocompletion=completion.templates),
]
Texts = Annotated[
    list[str] | None,
    typer.Option("--text", metavar="TEXT", help="of the template's captions, in order; repeatable"),
]


def changes(what: str) -> Any:
    """The option `--set`, which changes `what`."""
    return typer.Option(
        "--set", metavar="PATH=VALUE", help=f"{what}; repeatable", autocompletion=completion.assignments
    )
