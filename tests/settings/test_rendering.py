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


def test_slices_follow_each_other() -> None:
    made = Rendering(b"", "image/png", 3, 2, "card", ()).several([b"\xff\xfe?", b"", b"a"])
    assert [bytes(one) for one in made.pictures] == [b"\xff\xfe?", b"", b"a"]
    assert [bytes(one) for one in made.in_base64().pictures] == [b"//4/", b"", b"YQ=="]
    assert [bytes(one) for one in Rendering(b"ab", "image/png", 3, 2, "card", ()).pictures] == [b"ab"]
