"""The plugin of Dask's workers, without Dask."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from service.version import version

MODULE = "service.commands.bulk.dask_worker"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module, loaded with a stand-in for Dask and with machines that render nothing."""
    worker = SimpleNamespace(plugins={})
    dask = SimpleNamespace(Worker=object, WorkerPlugin=object, get_worker=lambda: worker)
    monkeypatch.setitem(sys.modules, "distributed", dask)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    found = import_module(MODULE)
    monkeypatch.setattr(found, "Machine", Mock())
    monkeypatch.setattr(found, "load_config", lambda: "configuration")
    yield found
    sys.modules.pop(MODULE, None)


def chunk(made_by: str | None = None) -> Any:
    return SimpleNamespace(made_by=version() if made_by is None else made_by)


def test_a_worker_has_renderers_from_its_start_to_its_end(module: Any) -> None:
    plugin = module.RenderersPlugin()
    with pytest.raises(RuntimeError, match="about to end"):
        plugin.render(chunk())
    plugin.setup(None)
    module.Machine.assert_called_once_with("configuration")
    machine = module.Machine.return_value
    given = chunk()
    assert plugin.render(given) is machine.render.return_value
    machine.render.assert_called_once_with(given)
    plugin.teardown(None)
    plugin.teardown(None)
    machine.close.assert_called_once_with()
    with pytest.raises(RuntimeError, match="about to end"):
        plugin.render(chunk())


def test_chunks_of_another_version_are_not_rendered(module: Any) -> None:
    plugin = module.RenderersPlugin()
    plugin.setup(None)
    with pytest.raises(RuntimeError, match=f"this worker has version {version()}, the manifest's run 0.0.1"):
        plugin.render(chunk("0.0.1"))


def test_a_task_uses_the_plugin_of_its_worker(module: Any) -> None:
    worker = module.get_worker()
    with pytest.raises(module.NoRenderersError):
        module.render(chunk())
    plugin = worker.plugins[module.RenderersPlugin.name] = Mock()
    given = chunk()
    assert module.render(given) is plugin.render.return_value
    plugin.render.assert_called_once_with(given)
    assert module.RenderersPlugin.idempotent, "further runs use the renderers of the first"
