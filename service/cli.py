"""The console script `mockup`; the commands in `service/commands` are imported only when needed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer
from typer.main import get_command

from .accounts.errors import AccountError
from .commands import accounts, catalogue, options, projects
from .commands.accounts import GivenTime, moment
from .commands.environment import ConfigurationError, load_config, verify
from .commands.listing import Json
from .commands.mistakes import lines
from .errors import MockupError, invalid, refusal
from .shipped import extra

if TYPE_CHECKING:
    from .config import Config
    from .processes.forks import ForkServer

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Device mockups: a screenshot in, a picture of it on a device out.",
)
app.add_typer(accounts.users, name="users")
app.add_typer(accounts.subscription, name="subscription")
app.add_typer(accounts.keys, name="keys")
app.add_typer(projects.projects, name="projects")
app.add_typer(accounts.db, name="db")


@cache
def command_line() -> Callable[..., Any]:
    """All commands as a function of their arguments; building them takes as long as a light command."""
    return get_command(app)


def main(arguments: list[str] | None = None, *, fork_server: ForkServer | None = None) -> None:
    """Run a command; exits with 1 on failure, 2 on wrong usage or configuration, 130 on Ctrl-C.

    `render` uses `fork_server`, or starts one.
    """
    try:
        command_line()(arguments, prog_name="mockup", obj=fork_server)
    except ConfigurationError as error:
        _fail(2, "the configuration is wrong:", *(f"  {fault}" for fault in error.faults))
    except MockupError as error:
        cause = _cause(error) if error.status >= 500 else []
        _fail(1, *lines(error), *cause)
    except AccountError as error:
        _fail(1, str(error))
    except BrokenPipeError:
        # The reader of the output has closed it; keep the interpreter from failing when it flushes stdout.
        sys.stdout = None
        sys.exit(1)
    except OSError as error:
        _fail(1, f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    except KeyboardInterrupt:
        _fail(130, "interrupted")


def _cause(error: MockupError) -> list[str]:
    """The cause of an internal failure, such as the database's own message."""
    cause = getattr(error.__cause__, "orig", None) or error.__cause__
    return [f"  {cause}".rstrip()] if cause else []


def _fail(code: int, *lines: str) -> None:
    print("mockup: " + "\n".join(lines), file=sys.stderr)
    sys.exit(code)


def _version(requested: bool) -> None:
    if requested:
        from .version import version

        print(f"mockup {version()}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="print the version"),
    ] = False,
) -> None:
    pass


@app.command()
def serve(host: options.Host = None, port: options.Port = None) -> None:
    """Serve the API, its reference page and the studio."""
    from .commands import serve as server

    server.serve(load_config(host=host, port=port))


@app.command()
def demo(
    host: options.Host = None,
    port: options.Port = None,
    browser: Annotated[bool, typer.Option(help="open the studio in the browser")] = True,
) -> None:
    """Serve with a demo account, print its key and open the studio."""
    from .commands import demo as account
    from .commands import serve as server

    def begin(config: Config) -> Callable[[str], None]:
        key = account.prepare(config)
        return lambda url: account.greet(config, key, url, browser=browser)

    server.serve(load_config(host=host, port=port), begin)


@app.command()
def render(
    context: typer.Context,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="IN...", help="files, folders, quoted patterns or URLs; - for stdin"),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="OUT", help="a file, a folder, or - for stdout"),
    ] = None,
    device: options.Device = None,
    assignments: Annotated[list[str] | None, options.changes("a setting")] = None,
    settings: options.SettingsFile = None,
    look: options.Look = None,
    template: options.Template = None,
    texts: options.Texts = None,
    fast: options.Fast = False,
    json: options.JsonLines = False,
    quiet: options.Quiet = False,
    manifest: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="a JSONL, CSV or Parquet file of pictures, instead of IN and OUT"),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="with --manifest: render only shard I of N, counted from 0"),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="with --manifest: a Dask scheduler whose workers render, as tcp://HOST:8786",
        ),
    ] = None,
) -> None:
    """Render screenshots without a server."""
    if manifest is None and not (inputs and output is not None):
        missing = "argument 'IN...'" if not inputs else "option '--output' / '-o'"
        raise typer.BadParameter(f"Missing {missing}.")
    if manifest is not None and (inputs or output is not None):
        raise typer.BadParameter("--manifest takes neither IN nor --output.")
    if manifest is None and (shard is not None or scheduler is not None):
        raise typer.BadParameter(f"{'--shard' if shard is not None else '--scheduler'} needs --manifest.")
    if json and output == "-":
        raise typer.BadParameter("--json and the picture of '--output -' cannot both go to stdout.")
    from .commands import pictures
    from .commands.reporter import Reporter
    from .workers.fork_server import start_fork_server

    changes = [*([f"device={device}"] if device else []), *(assignments or [])]
    given = pictures.Given(settings, changes, fast, Reporter(json, quiet), look, template, texts)
    with ExitStack() as stack:
        # Dask's workers have fork servers of their own.
        fork_server = None if scheduler else stack.enter_context(closing(context.obj or start_fork_server()))
        if manifest is not None:
            failed, count = pictures.of_manifest(manifest, shard, scheduler, given, fork_server)
        else:
            assert inputs is not None
            assert output is not None
            assert fork_server is not None
            failed, count = pictures.of_files(inputs, output, given, fork_server)
    if failed:
        if count > 1:
            print(f"mockup: {failed} of {count} pictures could not be rendered", file=sys.stderr)
        raise typer.Exit(1)


@app.command()
def scene(
    context: typer.Context,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENE] [IN...]",
            help="a JSON file of devices and settings, - for stdin, unless there is a --template; "
            "and screenshots of the devices that have none, in order",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="OUT", help="a file, or - for stdout")
    ] = None,
    assignments: Annotated[list[str] | None, options.changes("a setting of the scene")] = None,
    template: options.Template = None,
    texts: options.Texts = None,
    fast: options.Fast = False,
    json: Annotated[bool, typer.Option("--json", help="print a line of JSON about the picture")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="no warnings; errors are still printed")
    ] = False,
) -> None:
    """Render several devices in one picture without a server."""
    if template is None and not inputs:
        raise typer.BadParameter("Missing argument 'SCENE', or option '--template'.")
    if output is None:
        raise typer.BadParameter("Missing option '--output' / '-o'.")
    if json and output == "-":
        raise typer.BadParameter("--json and the picture of '--output -' cannot both go to stdout.")
    from .commands import scene as scenes
    from .commands.reporter import Reporter
    from .commands.settings_file import assigned
    from .workers.fork_server import start_fork_server

    config = load_config()
    file, *shots = [None, *(inputs or [])] if template else inputs or []
    source = scenes.SceneSource(
        Path(file) if file else None, template, tuple(texts) if texts else None, tuple(filter(None, shots))
    )
    wanted = scenes.read(source, output, assigned(assignments or []), config)
    verify(config, sandbox=True)
    with closing(context.obj or start_fork_server()) as fork_server:
        scenes.run(wanted, fast, config, fork_server, Reporter(json, quiet))


@app.command()
def link(
    source: Annotated[
        str, typer.Argument(metavar="URL", help="a screenshot's URL; with --check, the link to be checked")
    ],
    project: Annotated[UUID | None, typer.Option(help="a project's id, instead of settings")] = None,
    device: options.Device = None,
    assignments: Annotated[list[str] | None, options.changes("a setting")] = None,
    settings: options.SettingsFile = None,
    format: Annotated[
        str | None, typer.Option(help=f"{options.FORMATS}; default: export.format, which it overrides")
    ] = None,
    expires: Annotated[
        GivenTime | None,
        typer.Option(parser=moment, metavar="DATE", help="its last day, or a date and time; default: no end"),
    ] = None,
    address: Annotated[str | None, typer.Option(help="the service's public address; or MOCKUP_URL")] = None,
    check: Annotated[bool, typer.Option("--check", help="print what a link says, if it is genuine")] = False,
) -> None:
    """Print the address of a picture, signed with the link secret in MOCKUP_LINK_SECRET."""
    from .accounts.links import Link
    from .commands import link as links

    secret = links.secret()
    if check:
        print(links.checked(source, secret))
        return
    changes = [*([f"device={device}"] if device else []), *(assignments or [])]
    if project and (changes or settings):
        raise typer.BadParameter("--project takes neither --device, --set nor --settings.")
    chosen, written = (str(project), "png") if project else links.settings(settings, changes, load_config())
    print(links.address(address, secret, Link(chosen, source, format or written, links.seconds(expires))))


@app.command()
def film(
    context: typer.Context,
    source: Annotated[str | None, typer.Argument(metavar="IN", help="a recording or a screenshot")] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="OUT", help="the film's file; its ending decides the format"),
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="a JSONL file with a film on each line, instead of IN and OUT"),
    ] = None,
    device: options.Device = None,
    move: Annotated[str | None, typer.Option(help="a move such as tilt-in; see docs/films.md")] = None,
    seconds: Annotated[float | None, typer.Option("--duration", help="seconds")] = None,
    fps: Annotated[int | None, typer.Option(help="24, 25, 30, 50 or 60 frames a second")] = None,
    seamless: Annotated[bool, typer.Option("--seamless", help="the end leads back to the start")] = False,
    assignments: Annotated[
        list[str] | None, options.changes("a setting, or a member of motion, recording or export")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="settings, or a request for a film, as JSON")
    ] = None,
    fast: options.Fast = False,
    json: Annotated[bool, typer.Option("--json", help="print a line of JSON about the film")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a film of a recording, or of a screenshot, without a server."""
    from .commands import film as films
    from .commands import film_manifest
    from .commands.reporter import Reporter
    from .commands.settings_file import assigned, read
    from .films.messages import KINDS
    from .workers.fork_server import start_fork_server

    if manifest is not None and (source or output):
        raise typer.BadParameter("--manifest names the recordings and the films.")
    if manifest is None and not output:
        raise typer.BadParameter("IN and --output are needed, or --manifest.")
    place = films.files(source, output) if output else None
    options = {"motion.move.name": move, "motion.duration": seconds, "motion.fps": fps, "device": device}
    options |= {"motion.seamless": "true"} if seamless else {}
    changes = [f"{path}={value}" for path, value in options.items() if value is not None]
    config, over = load_config(), assigned([*changes, *(assignments or [])])
    base = films.anchored(read(settings), settings.parent) if settings else {"device": "auto"}
    layers = (base, films.anchored(over.settings, Path()))
    if manifest is not None:
        rows = film_manifest.read(manifest, layers, over.faults, config)
    else:
        assert place is not None
        rows = [films.request(place, layers, over.faults, config)]
    verify(config, sandbox=True)
    reporter = Reporter(json, quiet)
    with closing(context.obj or start_fork_server(*KINDS)) as fork_server:
        made = [
            films.run(replace(one, wanted=replace(one.wanted, fast=fast)), config, fork_server, reporter)
            for one in rows
        ]
    if not all(made):
        if len(made) > 1:
            reporter.fail(f"{made.count(False)} of {len(made)} films could not be made")
        raise typer.Exit(1)


@app.command(name="set")
def draw_set(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a set as TOML, JSON or YAML")],
    assignments: Annotated[list[str] | None, options.changes("a setting of all pictures")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="refuse captions that are not translated")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only list what would be drawn")] = False,
    watching: Annotated[bool, typer.Option("--watch", help="draw again after each change")] = False,
    json: options.JsonLines = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw the store pictures of a set that have changed."""
    from .commands import store_set
    from .commands.settings_file import assigned
    from .workers.fork_server import start_fork_server

    config, over = load_config(), assigned(assignments or [])
    if over.faults:
        raise refusal(*over.faults)
    verify(config, sandbox=True)

    def draw() -> int:
        reporter = store_set.Counting(json, quiet)
        with closing(context.obj or start_fork_server()) as fork_server:
            failed, count = store_set.draw(
                file, over.settings, config, fork_server, reporter, strict=strict, dry=dry_run
            )
        reporter.sum_up(failed, count, dry=dry_run)
        return failed

    if watching:
        store_set.watch(file, draw)
    if draw():
        raise typer.Exit(1)


for command in (
    catalogue.devices,
    catalogue.poses,
    catalogue.looks,
    catalogue.templates,
    catalogue.fonts,
    catalogue.presets,
    catalogue.environments,
    catalogue.settings,
):
    app.command()(command)


@app.command()
def mcp(
    folder: Annotated[
        Path, typer.Option(help="the folder that screenshots are read from and pictures written to")
    ] = Path(),
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=1, max=65535, help="serve HTTP on 127.0.0.1 instead of stdin and stdout"
        ),
    ] = None,
) -> None:
    """Serve tools for agents: the Model Context Protocol over stdin and stdout, or HTTP."""
    if find_spec("mcp") is None:
        raise invalid(f"mockup mcp needs {extra('mcp')}")
    from . import logs
    from .commands.mcp import server

    config = load_config()
    logs.quiet()
    verify(config, sandbox=True)
    server.run(folder, config, port)


@app.command()
def audit(
    limit: Annotated[int, typer.Option(min=1, help="how many changes to list")] = 100,
    json: Json = False,
) -> None:
    """List who changed what about users, keys and projects, the newest first."""
    from .commands.audit import list_events

    list_events(limit, json=json)


@app.command()
def doctor(json: Json = False) -> None:
    """Check that everything the service needs is present."""
    from .commands.doctor import report

    raise typer.Exit(0 if report(json=json) else 1)


@app.command()
def config() -> None:
    """Print the effective configuration as TOML, without secrets."""
    from .commands.environment import shown

    for line in shown():
        print(line)


@app.command()
def health(
    ready: Annotated[bool, typer.Option("--ready", help="check whether it is ready for requests")] = False,
) -> None:
    """Check a running server on this machine."""
    from .commands.health import check

    ok, text = check(load_config(), "/health/ready" if ready else "/health")
    print(text, file=sys.stdout if ok else sys.stderr)
    raise typer.Exit(0 if ok else 1)


@app.command()
def openapi() -> None:
    """Print the API's OpenAPI document."""
    import orjson

    from .api.openapi import document

    print(orjson.dumps(document(), option=orjson.OPT_INDENT_2).decode())
