"""How files of each format are read and written: a folder each, named as in `service/settings/formats.py`.

A format that is read has `read` and `pixel_bytes` in `header.py` and `decode` in `decode.py`; one that is
written has `writer` in `encode.py`. Their signatures are declared in the modules that look them up here:
`codec/header.py`, `codec/memory.py`, `codec/decode.py` and `codec/encode.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Literal

from ...settings.formats import Format


def parts(
    formats: Iterable[Format], module: Literal["header", "decode", "encode"], name: str
) -> dict[str, Any]:
    """The object called `name` in the module of each format's folder, by format."""
    return {one.name: getattr(import_module(f"{__name__}.{one.name}.{module}"), name) for one in formats}
