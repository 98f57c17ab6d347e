"""A plugin of mypy's that spares it the collection of garbage.

mypy keeps most of what it allocates until it ends. Without a cache, collections take a third of its processor
time; without collections, it takes 2 GB instead of 1.
"""

from __future__ import annotations

import gc

from mypy.plugin import Plugin

# mypy turns collections off and on as it runs, but sets its own thresholds before it loads plugins.
gc.set_threshold(0)


def plugin(_version: str) -> type[Plugin]:
    """The plugin, which changes nothing else."""
    return Plugin
