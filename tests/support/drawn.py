"""Shapes and tables of the default device, made once for all renderers that are forked from a process.

Making them takes a renderer longer than its first picture. Fork servers with the module `KIND` make them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import cv2

from service.clock import Clock
from service.devices.device import catalogue
from service.render.plates import plate
from service.settings.resolve import resolve
from service.settings.schema import DEFAULT_DEVICE, Settings

KIND = __name__


def prepare() -> None:
    """Draw the default device without threads, which would not survive a fork."""
    scene = resolve(Settings(), catalogue()[DEFAULT_DEVICE].screen.px, fast=False)
    cv2.setNumThreads(0)
    with patch.object(ThreadPoolExecutor, "submit", _at_once):
        plate.build(scene.spec, Clock())
    assert len(os.listdir("/proc/self/task")) == 1


def _at_once(_pool: ThreadPoolExecutor, work: Callable[..., Any], /, *given: Any) -> Future[Any]:
    """Do the work of a pool on the calling thread."""
    done = Future[Any]()
    done.set_result(work(*given))
    return done
