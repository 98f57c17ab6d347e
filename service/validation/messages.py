"""Validation messages: each offending path, with the expected and the found value."""

from __future__ import annotations

import math
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from ..errors import Detail, counted
from ..limits import NAME_LENGTH
from . import color
from .aliases import Suggestion
from .names import Names, index, listed, match, nearest, plain

Loc = tuple[int | str, ...]
CONTROLS = r"\u0000-\u001f\u007f-\u009f"
PRINTABLE = rf"^[^{CONTROLS}]*$"  # a line of text

# Tags of the alternatives of unions.
TAGS = frozenset({"flag", "number", "name", "object"})
_NUMERAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_ITEM = re.compile(r"\[([0-9]{0,3})\]")
# The type of errors that come with their own wording.
_WORDED = "worded"


@dataclass(frozen=True, slots=True)
class Described:
    """Metadata of a text with a pattern; `takes` describes the pattern in error messages."""

    takes: str


@dataclass(frozen=True, slots=True)
class Confidential:
    """Metadata of a text that no message may repeat."""


@dataclass(frozen=True, slots=True)
class ValidatedAs:
    """Metadata of a field whose object is validated separately, against `model`."""

    model: type[BaseModel]


def worded(said: str, at: str = "") -> PydanticCustomError:
    """An error with a wording of its own, about the value itself or its member `at` a dotted path."""
    return PydanticCustomError(_WORDED, "{said}", {"said": said, "at": at})


def details(error: ValidationError, model: type[BaseModel], prefix: str = "") -> list[Detail]:
    """Translate pydantic's errors into this service's wording; `prefix` is prepended to each path."""
    found = error.errors(include_url=False)
    return [_detail(item, model, prefix) for item in found if not _follows(item, found)]


def _follows(item: ErrorDetails, found: Sequence[ErrorDetails]) -> bool:
    """Whether a list is too short only because its items are at fault."""
    loc = item["loc"]
    inside = (one["loc"] for one in found if len(one["loc"]) > len(loc))
    return item["type"] == "too_short" and any(one[: len(loc)] == loc for one in inside)


def _detail(item: ErrorDetails, model: type[BaseModel], prefix: str) -> Detail:
    path, field, parent = locate(model, item["loc"])
    kind, value = item["type"], item["input"]
    if kind == _WORDED and (at := item["ctx"]["at"]):
        path += parted(at)
    # Faults of the whole have no path.
    where = prefix + joined(path) if path else prefix.rstrip(".")
    if kind == _WORDED:
        return Detail(where, item["msg"])
    if kind == "extra_forbidden" and parent is not None:
        return Detail(where, unknown_member(str(path[-1]), parent, model))
    reason = str(item.get("ctx", {}).get("error", ""))
    if reason.startswith("unknown "):
        return Detail(where, reason)
    takes = expected(field) if field is not None else item["msg"].removeprefix("Input should be ")
    if kind == "missing":
        return Detail(where, f"missing; expected {takes}")
    if field is not None and isinstance(value, str) and _confidential(field):
        return Detail(where, f"expected {takes}, got {counted(len(value), 'character')}")
    hint = _hint(field, value) if field is not None and isinstance(value, str) else ""
    return Detail(where, f"expected {takes}, got {shown(value)}{hint}")


def _confidential(field: FieldInfo) -> bool:
    return any(isinstance(item, Confidential) for item in metadata(field))


def _hint(field: FieldInfo, text: str) -> str:
    """A correction of a text that the field rejects, if one is known."""
    forms = alternatives(field.annotation)
    if int in forms or float in forms:
        number = numeral(text)
        return "" if number is None else f"; write {number:g} without quotes"
    close = _suggestion(field, text)
    return f"; did you mean {close}?" if close else ""


def numeral(text: str) -> int | float | None:
    """The finite number that a text of at most 64 characters is, or None."""
    text = text.strip()
    if len(text) > NAME_LENGTH or not _NUMERAL.fullmatch(text):
        return None
    if text.lstrip("+-").isdigit():
        return int(text)
    number = float(text)
    return number if math.isfinite(number) else None


def _suggestion(field: FieldInfo, text: str) -> str | None:
    """A valid value close to a text that the field rejects, if there is one."""
    return color.suggest(text) if _is_color(field) else nearest(text, index(choices(field)))


def _is_color(field: FieldInfo) -> bool:
    return any("0-9a-fA-F" in (getattr(item, "pattern", None) or "") for item in field.metadata)


def unknown_member(name: str, parent: type[BaseModel], root: type[BaseModel]) -> str:
    """Return `unknown member; did you mean rotationY?`, or a list of all members if none is close.

    Suggestions, in this order: the parent's member of the same plain name, the parent's `other_names`,
    members of that name elsewhere under the root, the parent's most similar member, the root's `other_names`.
    """
    known, key = index(members(parent)), plain(name[:64])
    suggestion = (
        _alone(known.get(key))
        or _other_names(parent).get(key)
        or _elsewhere(root).get(key)
        or _alone(nearest(name, known))
        or _other_names(root).get(key)
    )
    if suggestion is None:
        return f"unknown member; known: {', '.join(known.values())}"
    hint = suggestion if isinstance(suggestion, str) else f"did you mean {listed(suggestion)}?"
    return f"unknown member; {hint}"


def _alone(name: str | None) -> tuple[str, ...] | None:
    return None if name is None else (name,)


@cache
def _other_names(model: type[BaseModel]) -> dict[str, Suggestion]:
    """Suggestions for members that a model does not have; its own suggestions override those of nested
    models."""
    found: dict[str, Suggestion] = {}
    for name, field in members(model).items():
        for nested in _separate_models(field):
            for other, suggestion in _other_names(nested).items():
                if not isinstance(suggestion, str):
                    found[other] = tuple(f"{name}.{path}" for path in suggestion)
    return found | dict(getattr(model, "other_names", {}))


@cache
def _elsewhere(root: type[BaseModel]) -> dict[str, Suggestion]:
    """Paths of all members under a root, by plain name with and without their groups' names."""
    found: dict[str, tuple[str, ...]] = {}
    for path in paths(root):
        parts = path.split(".")
        for first in range(len(parts)):
            name = plain("".join(parts[first:]))
            found[name] = (*found.get(name, ()), path)
    return dict(found)


def paths(model: type[BaseModel], prefix: str = "", *, items: bool = False) -> Iterator[str]:
    """The dotted paths of all members under a model; with `items`, those of a list's items too."""
    for name, field in members(model).items():
        yield prefix + name
        group = group_of(field)
        for inner in (group,) if group else _separate_models(field):
            yield from paths(inner, f"{prefix}{name}.", items=items)
        if items and (item := items_of(field)):
            yield from paths(item, f"{prefix}{name}[].", items=items)


def _separate_models(field: FieldInfo) -> list[type[BaseModel]]:
    return [item.model for item in field.metadata if isinstance(item, ValidatedAs)]


def canonical(field: FieldInfo, value: Any) -> Any:
    """Return the value, with a name that the field knows in its canonical form.

    Raises ValueError for an unknown name if the field takes known names only.
    """
    if not isinstance(value, str):
        return value
    if names := _names(field):
        return names.canonical(value)
    return match(value, index(choices(field))) or value


def _names(field: FieldInfo) -> Names | None:
    return next((item for item in field.metadata if isinstance(item, Names)), None)


def shown(value: Any) -> str:
    """A value as JSON would write it, shortened if long."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"' if len(value) <= 40 else f'"{value[:37]}..."'
        case int():
            return str(value) if abs(value) < 10**18 else "a number of many digits"
        case float():
            return f"{value:g}"
        case Mapping():
            return "an object"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
    return type(value).__name__


def members(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """A model's fields by their JSON names."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def group_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field's object form, if it has one."""
    for form in alternatives(field.annotation):
        if isinstance(form, type) and issubclass(form, BaseModel):
            return form
    return None


def items_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field's items, if it is a list of objects."""
    for form in alternatives(field.annotation):
        inner = next(iter(get_args(form)), None) if get_origin(form) is tuple else None
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            return inner
    return None


def joined(path: Iterable[int | str]) -> str:
    """A path as it is written: `captions[0].text`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def parted(text: str) -> list[int | str]:
    """The parts of a written path: names, and numbers of a list's items; `[]` stands for any item."""
    parts: list[int | str] = []
    for piece in text.split("."):
        name, *rest = _ITEM.split(piece)
        if any(rest[1::2]):
            parts.append(piece)  # brackets without a number are part of a name
        else:
            parts += [name, *(int(number or 0) for number in rest[::2])]
    return parts


def locate(
    model: type[BaseModel], loc: Loc
) -> tuple[list[int | str], FieldInfo | None, type[BaseModel] | None]:
    """Return the JSON path of pydantic's location, its field (None if unknown) and the model it is in."""
    path: list[int | str] = []
    field: FieldInfo | None = None
    parent: type[BaseModel] | None = None
    here: type[BaseModel] | None = model
    items: type[BaseModel] | None = None
    union = False  # in a union's location the tag of the chosen form follows the member's name
    for part in loc:
        if union and part in TAGS:
            union = False
            continue
        path.append(part)
        if isinstance(part, int) and items is not None:
            here, items = items, None
            continue
        if isinstance(part, int) and field is not None and (item := _item(field)):
            field, here = item, None
            continue
        parent = here
        field = members(here).get(str(part)) if here is not None else None
        here = group_of(field) if field is not None else None
        items = items_of(field) if field is not None else None
        union = here is not None and field is not None and len(alternatives(field.annotation)) > 1
    return path, field, parent


def _item(field: FieldInfo) -> FieldInfo | None:
    """The field of a list's items, unless these are objects."""
    lists = (form for form in alternatives(field.annotation) if get_origin(form) is tuple)
    return next((FieldInfo.from_annotation(get_args(form)[0]) for form in lists), None)


def expected(field: FieldInfo) -> str:
    """The values that a field takes, in words: `a number from -180 to 180`."""
    forms = [_form(form, field) for form in alternatives(field.annotation)]
    if len(forms) == 1:
        return forms[0]
    return f"{', '.join(forms[:-1])} or {forms[-1]}".replace("true or false or", "true, false or")


def choices(field: FieldInfo | None) -> list[str]:
    """The names a field takes; empty for other kinds of fields."""
    forms = alternatives(field.annotation) if field is not None else []
    return [str(name) for form in forms if get_origin(form) is Literal for name in get_args(form)]


def bounds(field: FieldInfo) -> tuple[float | None, float | None]:
    """Smallest and largest value, or length, of a field."""
    low = high = None
    for item in metadata(field):
        low = getattr(item, "ge", getattr(item, "min_length", low))
        high = getattr(item, "le", getattr(item, "max_length", high))
    return low, high


def metadata(field: FieldInfo) -> Iterator[Any]:
    """The metadata of a field, then that of its type's alternatives."""
    yield from field.metadata
    yield from _within(field.annotation)


def _within(annotation: Any) -> Iterator[Any]:
    """The metadata of a type's alternatives."""
    if get_origin(annotation) is Annotated:
        form, *items = get_args(annotation)
        for item in items:
            yield from item.metadata if isinstance(item, FieldInfo) else (item,)
        yield from _within(form)
    elif get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _within(part)


def alternatives(annotation: Any) -> list[Any]:
    """The alternatives of a type, without None."""
    if get_origin(annotation) is Annotated:
        return alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [form for part in get_args(annotation) for form in alternatives(part)]
    return [] if annotation is type(None) else [annotation]


def _form(form: Any, field: FieldInfo) -> str:
    low, high = bounds(field)
    if form is bool:
        return "true or false"
    if form is int or form is float:
        return _number("a whole number" if form is int else "a number", field, low, high)
    if get_origin(form) is Literal:
        names = choices(field)
        return f"one of {', '.join(names)}" if len(names) > 1 else f'"{names[0]}"'
    if form is str:
        return _text(field, low, high)
    if items_of(field) is not None:
        return _many("objects", low, high)
    if get_origin(form) is tuple:
        return _list(get_args(form), low, high)
    if isinstance(form, type) and issubclass(form, BaseModel):
        return f"an object of {', '.join(members(form))}"
    return "an object"


def _number(kind: str, field: FieldInfo, low: float | None, high: float | None) -> str:
    if low is not None:
        return f"{kind} of {low:.10g} or more" if high is None else f"{kind} from {low:.10g} to {high:.10g}"
    above = next((item.gt for item in metadata(field) if hasattr(item, "gt")), None)
    most = "" if high is None else f"{' and' if above is not None else ''} at most {high:.10g}"
    return kind + ("" if above is None else f" above {above:.10g}") + most


def _list(items: tuple[Any, ...], low: float | None, high: float | None) -> str:
    if items[-1] is not Ellipsis:
        return f"a list of {len(items)} numbers"
    if get_origin(items[0]) is Literal:
        return f"a list of {', '.join(get_args(items[0]))}"
    kind = "numbers" if alternatives(items[0]) == [float] else "strings"
    return _many(kind, low, high)


def _many(kind: str, low: float | None, high: float | None) -> str:
    if high is None:
        return f"a list of {kind}"
    return f"a list of {low:g} to {high:g} {kind}" if low else f"a list of up to {high:g} {kind}"


def _text(field: FieldInfo, low: float | None, high: float | None) -> str:
    pattern = next((item.pattern for item in field.metadata if getattr(item, "pattern", None)), "")
    if names := _names(field):
        return names.takes
    if described := next((item for item in metadata(field) if isinstance(item, Described)), None):
        return described.takes
    if _is_color(field):
        return "a hex colour such as #3366FF" + (" or transparent" if "transparent" in pattern else "")
    if high is not None:
        plain = ", none of them a control character" if CONTROLS in pattern else ""
        return f"a string of {low or 0:g} to {high:g} characters{plain}"
    return "a string that is not empty" if low else "a string"
