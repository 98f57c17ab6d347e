"""`doctor`: checks that everything the service needs is present, and explains how to repair the rest."""

from __future__ import annotations

import os
import platform
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ..config import Config
from ..version import version
from .environment import ConfigurationError, load_config, unknown_variables
from .listing import show_json

if TYPE_CHECKING:
    from ..accounts.database import Database

PACKAGES = (
    "numpy",
    "opencv-python-headless",
    "isal",
    "starlette",
    "uvicorn",
    "uvloop",
    "h11",
    "sqlalchemy",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: its name, whether it passed, and what was found."""

    name: str
    ok: bool
    text: str


def findings() -> Iterator[Finding]:
    """Run all checks; those that need a configuration are skipped if it is invalid."""
    yield Finding("mockup", True, version())
    yield Finding("python", sys.version_info >= (3, 11), platform.python_version())
    yield from map(_package, PACKAGES)
    yield _imaging()
    yield _renderer()
    yield frames_finding()
    yield _authorities()
    try:
        config = load_config()
    except ConfigurationError as error:
        for fault in error.faults:
            yield Finding("configuration", False, fault)
        return
    unknown = unknown_variables()
    yield Finding("configuration", not unknown, "; ".join(unknown) or "valid")
    for check in (_sandbox, _open_files, _database, _redis, _fonts, _films):
        yield check(config)
    for path, kind in _private(config):
        yield _permissions(path, kind)


def report(*, json: bool) -> bool:
    """Print each check's result as soon as it is known, or all as JSON; returns whether all passed."""
    found = []
    for finding in findings():
        found.append(finding)
        if not json:
            print(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.name}: {finding.text}", flush=True)
    if json:
        show_json([{"ok": one.ok, "name": one.name, "text": one.text} for one in found])
    return all(one.ok for one in found)


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, False, "not installed; run: make install")


def _imaging() -> Finding:
    from ..codec.support import NEEDED, library, verify

    try:
        name, version = library()
        verify()
    except RuntimeError as error:
        return Finding("imaging", False, str(error))
    return Finding("imaging", True, f"{name} {version} with {', '.join(NEEDED.values())}")


def _renderer() -> Finding:
    # A missing part of a library is noticed only when the library is loaded.
    try:
        from ..workers import renderer  # noqa: F401
    except ImportError as error:
        return Finding("renderer", False, f"cannot be loaded: {str(error).strip()}; run: make install")
    return Finding("renderer", True, "can be loaded")


def _authorities() -> Finding:
    from ..sources import authorities

    place = authorities.found()
    return Finding("certificates", bool(place), f"authorities in {place}" if place else authorities.MISSING)


def frames_finding() -> Finding:
    """Whether all files that frames are made of exist."""
    from ..devices.device import BARS, catalogue
    from ..render.drawing import lettering
    from ..shipped import FRAMES

    try:
        devices = catalogue()
    except ValueError as error:
        return Finding("frames", False, f"a device file is invalid: {error}")
    needed = [
        *(lettering.file(weight) for weight in get_args(lettering.Weight)),
        # Bars have no files: they are drawn when they are needed.
        *(
            path
            for device in devices.values()
            for path in sorted(map(device.file, set(device.textures) - {BARS}))
        ),
    ]
    missing = [str(path.relative_to(FRAMES)) for path in needed if not path.is_file()]
    if missing or not devices:
        return Finding("frames", False, f"missing: {', '.join(missing) or 'every device'}; run: make frames")
    return Finding("frames", True, f"{len(devices)} devices")


def _sandbox(config: Config) -> Finding:
    from ..codec.sandbox import support

    try:
        missing = support.verify(allowed=config.allow_unsandboxed)
    except RuntimeError as error:
        return Finding("sandbox", False, str(error))
    if missing:
        return Finding("sandbox", True, f"none, as allowed: {', '.join(missing)} not available here")
    return Finding("sandbox", True, "memfd, pidfd and seccomp")


def _open_files(config: Config) -> Finding:
    from .startup_warnings import file_limit_warning

    warning = file_limit_warning(config)
    return Finding("open files", not warning, warning or f"enough for {config.max_connections} connections")


def _database(config: Config) -> Finding:
    from ..accounts import migration
    from ..accounts.database import Database, database_url

    url = database_url(config)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        return Finding("database", True, f"{shown} will be created on first use")
    return _checked("database", shown, lambda: _revision(Database(url), migration.HEAD))


def _revision(database: Database, head: str) -> str:
    from ..accounts import migration
    from ..accounts.errors import AccountError

    try:
        found = migration.revision(database)
    finally:
        database.close()
    if found != head:
        raise AccountError(f"at version {found}, expected {head}; run: mockup db upgrade")
    return f"at version {found}"


# A letter of each script that captions are for, and the Debian package with a font for it.
SCRIPTS = {
    "Arabic": ("ع", "fonts-noto-core"),
    "Hebrew": ("ש", "fonts-noto-core"),
    "Devanagari": ("क", "fonts-noto-core"),
    "Thai": ("ก", "fonts-noto-core"),
    "Chinese": ("汉", "fonts-noto-cjk"),
    "Japanese": ("か", "fonts-noto-cjk"),
    "Korean": ("한", "fonts-noto-cjk"),
    "emoji": ("😀", "fonts-noto-color-emoji"),
}


def _fonts(config: Config) -> Finding:
    """Which scripts captions cannot be written in; this is not a fault, since captions are optional."""
    from ..fonts import extra

    if not extra.available():
        return Finding("captions", True, extra.MISSING)
    from ..fonts.collection import collection

    known = collection(config.fonts_folder)
    fonts = [font for family in known.families for font in known.styles(family)]
    lacking = [
        name
        for name, (letter, _) in SCRIPTS.items()
        if not any(ord(letter) in font.characters for font in fonts)
    ]
    if not lacking:
        return Finding("captions", True, f"{len(known.families)} families of fonts, for all scripts")
    packages = " ".join(sorted({SCRIPTS[name][1] for name in lacking}))
    return Finding("captions", True, f"no font for {', '.join(lacking)}; run: apt-get install {packages}")


def _films(config: Config) -> Finding:
    """Which formats of films cannot be written; this is not a fault, since other formats can be written."""
    from ..errors import MockupError
    from ..films.formats import FILM_FORMATS, PROGRAM, program_for

    lacking, program = [], None
    for name in FILM_FORMATS:
        try:
            program = program_for(name) or program
        except MockupError:
            lacking.append(name)
    if not lacking:
        return Finding("films", True, f"{program} writes video")
    return Finding("films", True, f"no {PROGRAM} for {', '.join(lacking)}; run: apt-get install {PROGRAM}")


def _redis(config: Config) -> Finding:
    if config.redis_url is None:
        return Finding("rate limits", True, "counted in this process")
    from ..accounts.limits import RateLimits

    ok = RateLimits(config).is_shared()
    return Finding("rate limits", ok, "Redis responds" if ok else "Redis does not respond")


def _checked(name: str, subject: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, f"{subject} {check()}")
    except Exception as error:  # any error is of interest to the operator
        return Finding(name, False, f"{subject}: {error.__cause__ or error}")


def _private(config: Config) -> Iterator[tuple[Path, str]]:
    from ..accounts.database import database_url

    yield config.data_dir, "folder"
    url = database_url(config)
    if url.get_backend_name() == "sqlite" and url.database:
        yield Path(url.database), "file"
    if config.key_secret is None:
        yield config.data_dir / "key.secret", "file"
    yield config.data_dir / "demo.key", "file"
    yield config.data_dir / "demo.html", "file"


def _permissions(path: Path, kind: str) -> Finding:
    try:
        found = path.stat()
    except FileNotFoundError:
        return Finding(f"{kind} {path}", True, "absent; will be created with private permissions when needed")
    except OSError as error:
        return Finding(f"{kind} {path}", False, str(error.strerror))
    mode = stat.S_IMODE(found.st_mode)
    expected = "700" if kind == "folder" else "600"
    # Kubernetes volumes belong to root, and to a group that only the container's user is in. The group's id
    # is the same as the user's.
    own_group = found.st_gid == os.getegid() == os.geteuid()
    if mode & (0o007 if own_group else 0o077):
        return Finding(f"{kind} {path}", False, f"open to others ({mode:03o}); run: chmod {expected} {path}")
    if not os.access(path, os.R_OK | os.W_OK):
        return Finding(f"{kind} {path}", False, "not writable by this user")
    return Finding(f"{kind} {path}", True, f"private ({mode:03o})")
