"""Renderers of a machine that has nothing better: one thread, the same pictures."""

from __future__ import annotations

import asyncio
import base64
import os

import pytest

from service.clock import Clock
from service.config import Config
from service.engine.request import prepare
from service.engine.studio import Studio
from service.errors import Code, MockupError
from service.workers.alone import Alone
from service.workers.opening import open_renderers
from service.workers.pool import Pool
from tests.codec.sandbox.test_sandboxed import forbidden
from tests.render.posing import settings
from tests.support.pictures import png

pytestmark = pytest.mark.anyio
SMALL = settings({"canvas.width": 160, "canvas.height": 120})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_the_best_renderers_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    best = open_renderers(Config())
    assert isinstance(best, Pool)
    best.close()
    with monkeypatch.context() as elsewhere:
        elsewhere.delattr(os, "pidfd_open")
        plain = open_renderers(Config())
        assert isinstance(plain, Alone)
        plain.close()
    monkeypatch.setattr(os, "memfd_create", forbidden)
    plain = open_renderers(Config())
    assert isinstance(plain, Alone)
    plain.close()


async def test_pictures_errors_and_previews() -> None:
    alone, studio, clock = Alone(Config()), Studio(), Clock(60)
    alone.warm()
    expected = studio.render(prepare(png(), SMALL), Clock()).data
    made, text = await asyncio.gather(
        alone.render(prepare(png(), SMALL), clock),
        alone.render(prepare(png(), SMALL, text=True), Clock()),
    )
    assert made.data == expected
    assert base64.b64decode(text.data) == expected
    assert {"queue", "plate", "warp"} <= set(clock.stages)
    assert bytes((await alone.preview("pixel-9-pro", Clock())).data).startswith(b"\x89PNG")
    with pytest.raises(MockupError) as caught:
        await alone.render(prepare(png()[:60], SMALL), Clock())
    assert caught.value.code is Code.INVALID_REQUEST
    alone.close()
    studio.close()


async def test_a_caller_who_leaves_ends_the_work() -> None:
    alone, clock = Alone(Config()), Clock(60)
    job = asyncio.ensure_future(alone.render(prepare(png(), SMALL), clock))
    await asyncio.sleep(0)
    job.cancel()
    await asyncio.wait({job})
    assert job.cancelled()
    assert (await alone.render(prepare(png(), SMALL), Clock())).width == 160
    alone.close()
