"""Captions: texts on the picture, in the forms of requests and of renderers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from ..limits import CAPTION_LANGUAGES, CAPTION_LENGTH, CAPTION_MARKS
from ..validation.color import Color, parse
from ..validation.group import ColorText, Flag, Group, Level, Number, Shown, Whole
from ..validation.messages import Described, shown, worded
from ..validation.names import Names, index

LANGUAGE = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$"  # BCP 47
LanguageTag = Annotated[
    str, Field(pattern=LANGUAGE, max_length=35), Described("a language such as de or zh-Hant")
]

Anchor = Literal[
    "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"
]
Align = Literal["left", "center", "right", "start", "end"]
Direction = Literal["auto", "ltr", "rtl"]
Overflow = Literal["wrap", "shrink", "error"]

_ANCHORS = Names("anchor", "", lambda: index(get_args(Anchor)), open=True)
# Characters that end a line, besides a line feed.
_BREAKS = str.maketrans({"\r": "\n", "\u2028": "\n", "\u2029": "\n", "\x85": "\n"})


def _text(value: Any) -> Any:
    """A text with plain line breaks, or texts by language; raises PydanticCustomError."""
    if isinstance(value, str):
        return _line(value)
    if not isinstance(value, Mapping):
        raise worded(
            f"expected a string of 1 to {CAPTION_LENGTH} characters, or an object of them by language, "
            f"got {shown(value)}"
        )
    if not 1 <= len(value) <= CAPTION_LANGUAGES:
        raise worded(f"expected texts in 1 to {CAPTION_LANGUAGES} languages, got {len(value)}")
    for language, text in value.items():
        if not isinstance(language, str) or not re.match(LANGUAGE, language):
            raise worded(f"expected languages such as de or pt-BR, got {shown(language)}")
        if not isinstance(text, str):
            raise worded(f"expected a string for {language}, got {shown(text)}")
    return {language: _line(text, f" for {language}") for language, text in value.items()}


def _line(text: str, where: str = "") -> str:
    if not 1 <= len(text) <= CAPTION_LENGTH:
        raise worded(f"expected a string of 1 to {CAPTION_LENGTH} characters{where}, got {len(text)}")
    text = text.replace("\r\n", "\n").translate(_BREAKS)
    marks = 0
    for at, char in enumerate(text):
        kind = unicodedata.category(char)
        if (kind == "Cc" and char not in "\n\t") or kind == "Cs":
            raise worded(
                f"expected no control characters{where}, got U+{ord(char):04X} as character {at + 1}"
            )
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > CAPTION_MARKS:
            raise worded(
                f"expected at most {CAPTION_MARKS} combining marks on a letter{where}, got more at character "
                f"{at + 1}"
            )
    return text


# The schema of one line of a text: no kind of line break counts as a control character.
_LINE = {
    "type": "string",
    "minLength": 1,
    "maxLength": CAPTION_LENGTH,
    "pattern": r"^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F]*$",
}
_BY_LANGUAGE = {
    "type": "object",
    "minProperties": 1,
    "maxProperties": CAPTION_LANGUAGES,
    "propertyNames": {"pattern": LANGUAGE},
    "additionalProperties": _LINE,
}
Text = Annotated[
    str | dict[str, str], BeforeValidator(_text), WithJsonSchema({"anyOf": [_LINE, _BY_LANGUAGE]})
]


def _text_or_none(value: Any) -> Any:
    return value if value == "" else _text(value)


#: As `Text`, or empty.
TextOrNone = Annotated[
    str | dict[str, str],
    BeforeValidator(_text_or_none),
    WithJsonSchema({"anyOf": [{"const": ""}, _LINE, _BY_LANGUAGE]}),
]


class UnusableCaptionError(ValueError):
    """A caption that cannot be drawn as requested; `path` is the setting at fault."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class CaptionFont(Group):
    """The font of a caption."""

    family: str = Field(
        "Inter",
        min_length=1,
        max_length=64,
        description="a family of `GET /api/v1/fonts`; characters that it lacks come from other fonts",
    )
    size: Annotated[Number, Shown(step=0.005)] = Field(
        0.06, ge=0.005, le=1, description="in short sides of the canvas"
    )
    weight: Annotated[Whole, Shown(step=100)] = Field(
        600, ge=1, le=1000, description="400 is regular, 700 bold; the family's nearest is taken"
    )
    italic: Flag = Field(False, description="italic, or slanted where the family has none")
    line_height: Annotated[Number, Shown("×", 0.05)] = Field(
        1.2, ge=0.5, le=4, description="from line to line, in font sizes"
    )
    letter_spacing: Annotated[Number, Shown("em", 0.01)] = Field(
        0.0, ge=-0.2, le=2, description="added after each letter, in font sizes"
    )


class Backing(Group):
    """The background of a caption."""

    color: ColorText = Field("#FFFFFF", description="fill behind the caption")
    radius: Annotated[Number, Shown("em", 0.05)] = Field(
        0.3, ge=0, le=10, description="of its corners, in font sizes"
    )
    padding: Annotated[Number, Shown("em", 0.05)] = Field(
        0.4, ge=0, le=10, description="around the text, in font sizes"
    )


class Caption(Group):
    """A text on the picture."""

    text: Text = Field(
        description=f"1 to {CAPTION_LENGTH} characters, or an object of such texts by language; `language` "
        "selects one",
        examples=["Plan your day"],
    )
    x: Level = Field(0.5, ge=-1, le=2, description="place of the anchor from the left, in canvas widths")
    y: Level = Field(0.08, ge=-1, le=2, description="place of the anchor from the top, in canvas heights")
    anchor: Annotated[Anchor, _ANCHORS] = Field("top", description="the point of the caption that is at x, y")
    width: Level = Field(0.84, ge=0.01, le=2, description="the width at which lines wrap, in canvas widths")
    font: CaptionFont = CaptionFont.model_construct()
    color: ColorText = Field("#1D1D1F", description="colour of the text; emoji keep theirs")
    align: Align | None = Field(
        None, description="alignment of lines; start and end follow the direction; default: the anchor's side"
    )
    direction: Direction = Field("auto", description="auto: that of the first letter of each paragraph")
    background: Backing | None = Field(None, description="a rounded rectangle behind the caption")
    rotation: Annotated[Number, Shown("°", 1)] = Field(
        0.0, ge=-180, le=180, description="rotation about the anchor, degrees; positive: counter-clockwise"
    )
    overflow: Overflow = Field(
        "wrap",
        description="wrap: long words are broken and text beyond the canvas is cut; shrink: the font gets "
        "smaller until no word is broken and nothing leaves the canvas; error: a 400 instead",
    )
    max_lines: Whole | None = Field(
        None, ge=1, le=20, description="the largest number of lines; shrink and error apply to it, too"
    )


@dataclass(frozen=True, slots=True)
class CaptionSpec:
    """A caption in output pixels: `x`, `y` (downwards), `width` and `size`; the rest as in `Caption`.

    `padding` and `radius` are in font sizes, `rotation` in degrees counter-clockwise. `fill` is the colour
    behind the text. `align` is left, center, right, start or end.
    """

    text: str
    language: str
    x: float
    y: float
    anchor: Anchor
    width: float
    family: str
    size: float
    weight: int
    italic: bool
    line_height: float
    letter_spacing: float
    color: Color
    align: Align
    direction: Direction
    rotation: float
    overflow: Overflow
    fill: Color | None
    radius: float
    padding: float
    max_lines: int | None


def spec(caption: Caption, language: str | None, width: int, height: int) -> CaptionSpec:
    """A caption on a picture of `width` x `height` px, in a language or the first it has."""
    text, own = chosen(caption.text, language)
    font, back, short = caption.font, caption.background, min(width, height)
    side = next((one for one in ("left", "right") if one in caption.anchor), "center")
    return CaptionSpec(
        text,
        own,
        caption.x * width,
        caption.y * height,
        caption.anchor,
        caption.width * width,
        font.family,
        font.size * short,
        font.weight,
        font.italic,
        font.line_height,
        font.letter_spacing,
        parse(caption.color),
        caption.align or side,  # type: ignore[arg-type]
        caption.direction,
        caption.rotation,
        caption.overflow,
        parse(back.color) if back else None,
        back.radius if back else 0.0,
        back.padding if back else 0.0,
        caption.max_lines,
    )


def chosen(text: str | dict[str, str], language: str | None) -> tuple[str, str]:
    """The text in a language, or else the first text, and the language of the text, by the lookup of RFC
    4647."""
    if isinstance(text, str):
        return text, language or ""
    known = {name.casefold(): name for name in text}
    wanted = (language or "").casefold()
    while wanted:
        if name := known.get(wanted):
            return text[name], name
        # de-AT takes de, and de takes de-AT if there is no better match.
        near = next((known[one] for one in known if one.startswith(f"{wanted}-")), None)
        if near:
            return text[near], near
        wanted = wanted.rpartition("-")[0]
    first = next(iter(text))
    return text[first], first
