"""Background images without a server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.commands.background_images import BackgroundImages
from service.errors import MockupError
from service.settings.merge import MergedSettings
from service.settings.schema import Settings


def settings(**image: str) -> Settings:
    return MergedSettings({"appearance": {"backgroundImage": image}}).resolve()


def test_each_is_read_once_and_uploads_are_refused() -> None:
    fetched: list[str] = []

    async def fetch(url: str) -> bytes:
        fetched.append(url)
        return b"file"

    images = BackgroundImages(fetch, 100)

    async def read() -> None:
        for _ in range(2):
            assert await images.read(settings(type="url", src="https://example.com/a")) == b"file"
        assert await images.read(settings(type="base64", src="YWJj")) == b"abc"
        assert await images.read(settings(type="screenshot")) is None
        assert await images.read(Settings()) is None
        for source in ({"type": "upload", "src": "a"}, {"type": "base64", "src": "YWJj" * 100}):
            with pytest.raises(MockupError) as caught:
                await images.read(settings(**source))
            assert caught.value.details[0].path == "settings.appearance.backgroundImage.src"

    asyncio.run(read())
    assert fetched == ["https://example.com/a"]


def test_a_path_starts_at_the_folder() -> None:
    fetched: list[str] = []

    async def fetch(place: str) -> bytes:
        fetched.append(place)
        return b"file"

    images = BackgroundImages(fetch, 100)
    wanted = settings(type="url", src="wall.jpg")
    for folder in ("/set", "/set", "/other"):
        assert asyncio.run(images.read(wanted, Path(folder))) == b"file"
    assert fetched == ["/set/wall.jpg", "/other/wall.jpg"]
