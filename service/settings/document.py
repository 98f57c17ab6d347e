"""The parts of a saved project besides its settings: devices of a scene, a store set, and a film."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..limits import CAPTIONS
from ..validation.group import Group
from ..validation.messages import Described
from .captions import LanguageTag, TextOrNone
from .motion import FilmExport, Motion, Playback
from .schema import AnyDevice, Canvas, Settings

#: The names of screens and sizes, which are parts of file names.
NAME = r"^[\w.-]+$"
#: The members of a project beside its settings.
PARTS = ("devices", "set", "film")

_FileName = Annotated[
    str,
    Field(min_length=1, max_length=64, pattern=NAME),
    Described("1 to 64 letters, digits, hyphens, dots or underscores"),
]


class SavedScreen(Group):
    """A screen of a saved set."""

    name: _FileName = Field(description="part of file names")
    captions: tuple[TextOrNone, ...] = Field(
        (),
        max_length=CAPTIONS,
        description="texts of the settings' captions, in order; an empty text leaves the caption out",
    )


class SavedSize(Group):
    """A size of a saved set."""

    name: _FileName = Field(description="part of file names")
    preset: str | None = Canvas.model_fields["preset"]  # type: ignore[assignment]
    device: AnyDevice = Settings.model_fields["device"]  # type: ignore[assignment]


class SavedSet(Group):
    """A store set without its screenshots; all its pictures have the project's settings."""

    locales: tuple[LanguageTag, ...] = Field((), max_length=100, description="names of the stores' locales")
    screens: tuple[SavedScreen, ...] = Field((), max_length=100, description="in order")
    sizes: tuple[SavedSize, ...] = Field((), max_length=40, description="of every screen")


class SavedFilm(Group):
    """A film without its recording."""

    motion: Motion = Field(Motion.model_construct(), description="the motion of the device or scene")
    recording: Playback = Field(Playback.model_construct(), description="the part of a recording to show")
    export: FilmExport = Field(FilmExport.model_construct(), description="the film's file")
