from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from service.admission.queue import Queue
from service.api import picture_file
from service.api.picture_file import PictureFile
from service.api.thumbnails import Thumbnails
from service.clock import Clock
from service.errors import Code, MockupError
from service.limits import THUMBNAILS
from service.settings.rendering import Rendering
from tests.support.waiting import soon

# The catalogue has about this many finishes, and a picture 640 pixels wide is about this large.
FINISHES, SIZE = 354, 130_000


def rendering(number: int, size: int = SIZE) -> Rendering:
    return Rendering(number.to_bytes(4, "big") * (size // 4), "image/png", 640, 640, "phone", ())


def test_a_picture_that_is_written_in_part_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, kept = os.pwrite, PictureFile(tmp_path)
    with monkeypatch.context() as full:
        full.setattr(os, "pwrite", lambda fd, data, at: write(fd, data[:-1], at))
        assert kept.keep("one", rendering(1)).data == rendering(1).data
    other = kept.keep("other", rendering(2))
    assert kept.find("one") is None
    assert kept.find("other") == other


@pytest.fixture
def made() -> list[int]:
    return []


async def get(thumbnails: Thumbnails, number: int, made: list[int]) -> bytes:
    async def make(clock: Clock) -> Rendering:
        made.append(number)
        return rendering(number)

    file = await thumbnails.of(number, make)
    assert file.mime == "image/png"
    return file.data


async def test_the_whole_catalogue_is_kept(tmp_path: Path, made: list[int]) -> None:
    thumbnails = Thumbnails(Queue(2, 100), PictureFile(tmp_path), 60, 60)
    for _ in range(2):
        for number in range(FINISHES):
            assert await get(thumbnails, number, made) == rendering(number).data
    assert made == list(range(FINISHES)), "each was made once"
    assert list(tmp_path.iterdir()) == [], "the file has no name"


async def test_pictures_without_room_are_rendered_again(
    tmp_path: Path, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_file, "THUMBNAIL_BYTES", SIZE)
    thumbnails = Thumbnails(Queue(2, 100), PictureFile(tmp_path), 60, 60)
    assert [len(await get(thumbnails, number, made)) for number in (1, 2, 1, 2)] == [SIZE] * 4
    assert made == [1, 2, 2]


async def test_an_unwritable_folder_prevents_no_picture(tmp_path: Path, made: list[int]) -> None:
    thumbnails = Thumbnails(Queue(2, 100), PictureFile(tmp_path / "none"), 60, 60)
    assert [len(await get(thumbnails, number, made)) for number in (1, 1)] == [SIZE] * 2
    assert made == [1, 1]


async def test_thumbnails_are_rendered_one_at_a_time_within_a_limit(tmp_path: Path) -> None:
    queue = Queue(4, 100)
    thumbnails = Thumbnails(queue, PictureFile(tmp_path), 60, 60)
    opened, begun = asyncio.Event(), list[int]()

    async def wanted(number: int) -> bytes:
        async def make(clock: Clock) -> Rendering:
            begun.append(number)
            await opened.wait()
            return rendering(number, 4)

        return (await thumbnails.of(number, make)).data

    jobs = [asyncio.create_task(wanted(number)) for number in range(THUMBNAILS)]
    await soon(lambda: len(begun) + queue.waiting == THUMBNAILS)
    assert len(begun) == 1, "three renderers are left to those who have a key"
    assert queue.occupied == 0, "they take none of the places of renders"
    with pytest.raises(MockupError) as caught:
        await wanted(THUMBNAILS)
    assert caught.value.code is Code.SERVER_BUSY
    opened.set()
    assert len(set(await asyncio.gather(*jobs))) == THUMBNAILS
