"""The types of the clients, from the OpenAPI document; `python -m service.api.reference` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from keyword import iskeyword
from typing import Any

from .openapi import document

#: The schemas that a client sends and gets; the schemas that these refer to follow.
ROOTS = (
    "Settings",
    "MockupRequest",
    "PreviewRequest",
    "Device",
    "Warning",
    "Geometry",
    "Upload",
    "FilmBody",
    "Film",
    "Recording",
    "Project",
    "Look",
)
REFERENCE = "#/components/schemas/"
FEW = 12  # most names that are listed completely

Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """The document's schemas that the roots refer to, in alphabetical order."""
    every = document()["components"]["schemas"]
    found: set[str] = set()
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(every[name])
    return {name: every[name] for name in sorted(found)}


def references(value: Any) -> Iterator[str]:
    """The names of the schemas that a part of the document refers to."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "$ref":
                yield part.removeprefix(REFERENCE)
            else:
                yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


class Python:
    """Type expressions of Python."""

    union, none, text, flag, number = " | ", "None", "str", "bool", "float"
    any = "Any"

    @staticmethod
    def choice(values: list[Any]) -> str:
        """One of several constants."""
        return f"Literal[{', '.join(map(repr, values))}]"

    @staticmethod
    def listing(item: str) -> str:
        """A list."""
        return f"list[{item}]"

    @staticmethod
    def mapping(item: str) -> str:
        """An object with any members."""
        return f"dict[str, {item}]"


class TypeScript:
    """Type expressions of TypeScript."""

    union, none, text, flag, number = " | ", "null", "string", "boolean", "number"
    any = "unknown"

    @staticmethod
    def choice(values: list[Any]) -> str:
        """One of several constants."""
        return " | ".join(map(json.dumps, values))

    @staticmethod
    def listing(item: str) -> str:
        """A list."""
        return f"Array<{item}>"

    @staticmethod
    def mapping(item: str) -> str:
        """An object with any members."""
        return f"Record<string, {item}>"


Language = type[Python] | type[TypeScript]


def expression(schema: Schema, language: Language) -> str:
    """The type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"].removeprefix(REFERENCE))
    if "const" in schema:
        return language.choice([schema["const"]])
    if "enum" in schema:
        # Long lists grow with every release, and a client may be older than its server.
        return language.choice(schema["enum"]) if len(schema["enum"]) <= FEW else language.text
    for several in ("anyOf", "oneOf"):
        if several in schema:
            parts = [expression(one, language) for one in schema[several]]
            return language.union.join(dict.fromkeys(parts))
    if "allOf" in schema and len(schema["allOf"]) == 1:
        return expression(schema["allOf"][0], language)
    kind = schema.get("type")
    if kind == "array":
        return language.listing(expression(schema.get("items", {}), language))
    if kind == "object":
        extra = schema.get("additionalProperties")
        return language.mapping(expression(extra, language) if isinstance(extra, dict) else language.any)
    simple = {
        "string": language.text,
        "boolean": language.flag,
        "integer": "int" if language is Python else language.number,
        "number": language.number,
        "null": language.none,
    }
    return simple.get(str(kind), language.any)


def about(schema: Schema) -> str:
    """The first sentence of a description."""
    return re.split(r"(?<=\.)\s", str(schema.get("description", "")).strip(), maxsplit=1)[0]


def python() -> str:
    """The module of TypedDicts."""
    lines = [
        '"""The service\'s types: settings, requests and answers. Generated from its OpenAPI document."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict",
    ]
    for name, schema in schemas().items():
        lines += ["", ""]
        if "properties" not in schema:
            lines += [f'{name}: TypeAlias = "{expression(schema, Python)}"']
            continue
        needed = set(schema.get("required", ()))
        kinds = {key: expression(part, Python) for key, part in schema["properties"].items()}
        members = {key: kind if key in needed else f"NotRequired[{kind}]" for key, kind in kinds.items()}
        if any(iskeyword(key) for key in members):
            body = ", ".join(f'"{key}": "{kind}"' for key, kind in members.items())
            lines += [f'{name} = TypedDict("{name}", {{{body}}})']
            continue
        lines += [f"class {name}(TypedDict):", f'    """{about(schema) or name}"""', ""]
        lines += [f"    {key}: {kind}" for key, kind in members.items()]
    return "\n".join(lines) + "\n"


def typescript() -> str:
    """The module of interfaces."""
    lines = ["// The service's types: settings, requests and answers. Generated from its OpenAPI document."]
    for name, schema in schemas().items():
        lines += [""]
        if text := about(schema):
            lines += [f"/** {text} */"]
        if "properties" not in schema:
            lines += [f"export type {name} = {expression(schema, TypeScript)};"]
            continue
        needed = set(schema.get("required", ()))
        lines += [f"export interface {name} {{"]
        for key, part in schema["properties"].items():
            if text := about(part):
                lines += [f"  /** {text} */"]
            lines += [f"  {key}{'' if key in needed else '?'}: {expression(part, TypeScript)};"]
        lines += ["}"]
    return "\n".join(lines) + "\n"
