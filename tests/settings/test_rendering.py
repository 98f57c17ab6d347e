"""The result of a render."""

from __future__ import annotations

from service.settings.rendering import Rendering


def test_data_in_base64() -> None:
    made = Rendering(memoryview(b"\xff\xfe?"), "image/png", 3, 2, "card", ()).in_base64()
    assert (made.data, made.mime, made.width, made.height, made.device) == (
        b"//4/",
        "image/png",
        3,
        2,
        "card",
    )
