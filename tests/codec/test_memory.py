"""The memory that decoding takes, as it is estimated from headers."""

from __future__ import annotations

from service.codec import header
from service.codec.memory import pixel_bytes
from tests.codec.forms import FORMS

#: Bytes per pixel, by the form of a file.
CHARGED = {
    "grey png": 9,
    "rgb png": 9,
    "rgb png, 16 bits, interlaced": 17,
    "rgba png": 13,
    "rgba png, 16 bits": 21,
    "rgba png, 16 bits, interlaced": 21,
    "rgba png with a profile": 17,
    "grey and alpha png with a profile": 17,
    "grey and alpha png, 16 bits": 21,
    "palette png": 9,
    "palette png with alpha": 13,
    "turned rgba png": 17,
    "jpeg": 11,
    "grey jpeg": 11,
    "turned jpeg": 15,
    "jpeg with a profile": 15,
    "progressive jpeg": 14,
    "cmyk jpeg": 16,
    "cmyk jpeg with a profile": 20,
    "progressive cmyk jpeg": 20,
    "webp": 11,
    "webp with alpha": 17,
    "lossless webp": 12,
    "lossless webp with alpha": 18,
    "animated webp": 18,
    "gif": 9,
    "interlaced gif": 9,
    "transparent gif": 9,
}


def test_each_form_is_charged_what_was_measured() -> None:
    """`tests/faults/test_memory.py` measures whether this suffices."""
    assert {name: pixel_bytes(header.read(form(40, 30))) for name, form in FORMS.items()} == CHARGED
