"""Renders the pictures of the command `render`, from files and URLs or from the rows of a manifest."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import invalid
from ..shipped import extra
from .environment import load_config, verify

if TYPE_CHECKING:
    from ..processes.forks import ForkServer
    from .reporter import Reporter


@dataclass(frozen=True, slots=True)
class Given:
    """The settings of all pictures of a `render`, and the changes by `--device` and `--set`, in order.

    The settings and changes override the settings of a `look`, which override those of a `template`; `texts`
    are the texts of the template's captions.
    """

    settings: Path | None
    changes: list[str]
    fast: bool
    reporter: Reporter
    look: str | None = None
    template: str | None = None
    texts: list[str] | None = None

    def base(self, default: dict[str, Any]) -> dict[str, Any]:
        """The file's settings over the look's and the template's. If only a look is given, the device is the
        default one; if none of the three is, these are the default settings. Raises a 400."""
        from ..settings.merge import merge
        from .settings_file import beneath, read

        base = beneath(self.template, self.texts, self.look)
        if self.settings is None and self.template is None:
            return {**default, **base}
        return merge(base, read(self.settings)) if self.settings else base


def of_files(inputs: list[str], output: str, given: Given, fork_server: ForkServer) -> tuple[int, int]:
    """The number of pictures that could not be rendered, and the number of all pictures."""
    from . import render, screenshots
    from .settings_file import assigned

    config, over = load_config(), assigned(given.changes)
    if str(given.settings) == screenshots.STDIN in inputs:
        raise invalid("-: stdin cannot be both the screenshot and the settings")
    sources = screenshots.find(inputs)
    place = render.output_for(output, inputs, sources)
    # The default for people who have not chosen a device yet; scripts name a device or give settings.
    base = given.base({"device": "auto"})
    resolved = render.settings_for(place, base, over.settings, config, over.faults, given.texts)
    verify(config, sandbox=True)
    jobs = render.plan(sources, place, resolved)
    return render.run(jobs, resolved, given.fast, config, fork_server, given.reporter), len(jobs)


def of_manifest(
    manifest: Path, shard: str | None, scheduler: str | None, given: Given, fork_server: ForkServer | None
) -> tuple[int, int]:
    """The number of a manifest's rows that could not be rendered, and the number of all rows."""
    from .bulk import run as bulk
    from .settings_file import assigned

    config, over = load_config(), assigned(given.changes)
    run = bulk.Run(
        manifest,
        given.base({}),
        over.settings,
        given.fast,
        bulk.shard_of(shard),
        scheduler,
        config,
        tuple(over.faults),
        given.reporter,
    )
    if scheduler is None:
        verify(config, sandbox=True)
    elif find_spec("distributed") is None:
        raise invalid(f"--scheduler needs {extra('bulk')}")
    return bulk.render(run, fork_server)
