"""The looks of windows and cards: heights and radii in points, and the colours of each theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..device import Design, Theme


@dataclass(frozen=True, slots=True)
class WindowLook:
    """A design: height of its bars, radius of its corners, which texts it shows, and its colours by theme.

    Every theme has `bar`, which the back shows too, and `border`, the hairline around it all.
    """

    height: float
    radius: float
    shows: frozenset[str]  # which of `url` and `title`
    colors: Mapping[Theme, Mapping[str, str]]


def _look(
    height: float, radius: float, shows: str, light: dict[str, str], dark: dict[str, str]
) -> WindowLook:
    return WindowLook(height, radius, frozenset(shows.split()), {"light": light, "dark": dark})


PAGES: Mapping[Theme, str] = MappingProxyType({"light": "#ffffff", "dark": "#1b1c1f"})  # colours of pages

LOOKS: Mapping[Design, WindowLook] = MappingProxyType(
    {
        "card": _look(
            0,
            16,
            "",
            {"bar": "#f4f4f6", "border": "#d9dade"},
            {"bar": "#2a2b2e", "border": "#44464b"},
        ),
        "macos": _look(
            28,
            10,
            "title",
            {"bar": "#f0f0f1", "border": "#cdcdd1", "line": "#d9d9dc", "text": "#3a3a3c"},
            {"bar": "#37373a", "border": "#5a5a5e", "line": "#212123", "text": "#dededf"},
        ),
        "windows": _look(
            32,
            8,
            "title",
            {"bar": "#f3f3f3", "border": "#c8c8ca", "text": "#1b1b1b"},
            {"bar": "#202020", "border": "#4a4a4a", "text": "#f5f5f5"},
        ),
        "gnome": _look(
            46,
            12,
            "title",
            {
                "bar": "#fafafb",
                "border": "#d0d0d3",
                "line": "#dfdfe1",
                "text": "#323236",
                "button": "#e7e7e9",
            },
            {
                "bar": "#2e2e32",
                "border": "#505055",
                "line": "#1d1d20",
                "text": "#ffffff",
                "button": "#46464a",
            },
        ),
        "terminal": _look(
            30,
            10,
            "title",
            {"bar": "#e8e8ea", "border": "#c9c9cd", "text": "#4b4b4f", "faint": "#8b8b90"},
            {"bar": "#2b2c30", "border": "#515257", "text": "#c9cacd", "faint": "#7f8187"},
        ),
        "safari": _look(
            52,
            10,
            "url",
            {
                "bar": "#f5f5f7",
                "border": "#cdcdd1",
                "line": "#d9d9dc",
                "field": "#e8e8ea",
                "text": "#1d1d1f",
                "glyph": "#6a6a6e",
                "faint": "#b9b9bd",
            },
            {
                "bar": "#363638",
                "border": "#5a5a5e",
                "line": "#1f1f21",
                "field": "#48484a",
                "text": "#f5f5f7",
                "glyph": "#b5b5b9",
                "faint": "#68686c",
            },
        ),
        "chrome": _look(
            87,
            10,
            "url title",
            {
                "bar": "#d3e3fd",
                "border": "#b8c8e2",
                "toolbar": "#ffffff",
                "line": "#e1e5ec",
                "field": "#edf2fa",
                "text": "#1f1f1f",
                "glyph": "#474747",
                "faint": "#b2b4b8",
                "person": "#c7d3e3",
                "figure": "#8da3bf",
            },
            {
                "bar": "#1f2020",
                "border": "#55575b",
                "toolbar": "#3c3c3c",
                "line": "#2a2a2a",
                "field": "#282828",
                "text": "#e3e3e3",
                "glyph": "#c7c7c7",
                "faint": "#777777",
                "person": "#6c7f99",
                "figure": "#b9c8dc",
            },
        ),
        "firefox": _look(
            84,
            10,
            "url title",
            {
                "bar": "#eaeaed",
                "border": "#c9c9d0",
                "toolbar": "#f9f9fb",
                "line": "#dcdce2",
                "tab": "#ffffff",
                "shade": "#c4c4cc",
                "field": "#efeff3",
                "text": "#15141a",
                "glyph": "#5b5b66",
                "faint": "#b6b6be",
            },
            {
                "bar": "#1c1b22",
                "border": "#52525e",
                "toolbar": "#2b2a33",
                "line": "#18171d",
                "tab": "#42414d",
                "shade": "#121117",
                "field": "#1c1b22",
                "text": "#fbfbfe",
                "glyph": "#cfcfd8",
                "faint": "#74747f",
            },
        ),
    }
)
