"""The turns of previews, which are charged to the user's time for previews."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from ..accounts.limits import Window
from ..accounts.store import Caller
from ..admission.queue import Demand, TurnKind
from ..clock import Clock
from ..limits import PREVIEW_PATIENCE_S
from . import admission
from .services import Services

T = TypeVar("T")


async def charged(
    services: Services, caller: Caller, work: Callable[[], Coroutine[Any, Any, T]], memory: int, clock: Clock
) -> tuple[T, Window]:
    """The result of `work`, run when the queue is idle, and the user's window in milliseconds.

    The work takes `memory` bytes. Raises as `Queue.run`.
    """

    async def timed() -> tuple[T, Window]:
        began, queued = time.perf_counter(), clock.stages.get("queue", 0.0)
        try:
            made = await work()
        finally:
            spent = (time.perf_counter() - began) * 1e3 - (clock.stages.get("queue", 0.0) - queued)
            window = await admission.count_preview(services, caller, round(spent))
        return made, window

    demand = Demand(f"previews:{caller.owner}", memory=memory, kind=TurnKind.PREVIEW, plan=caller.plan_name)
    return await services.queue.run(demand, timed, clock, PREVIEW_PATIENCE_S)
